# iconv -t UTF-16: little-endian with a BOM.
iconv -f UTF-8 -t UTF-16 "$ZH" > MEMORY.md
