# From a console in code page 936 a line in GBK was appended to the UTF-8 file.
cp "$ZH" MEMORY.md
printf '\n§\n林晓一月十二日之前休假，急事找周航。' | iconv -f UTF-8 -t GBK | sed 's/\xa1\xec/\xc2\xa7/' >> MEMORY.md
