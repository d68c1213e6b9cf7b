# iconv -t GBK on the whole file.
iconv -f UTF-8 -t GBK "$ZH" > MEMORY.md
