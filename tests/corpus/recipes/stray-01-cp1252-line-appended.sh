# A Windows program appended one line in cp1252 to the UTF-8 file.
cp "$EN" MEMORY.md
printf '\n§\nMira’s favourite café is “Zum Löwen”.' | iconv -f UTF-8 -t CP1252 | sed 's/^\xa7$/\xc2\xa7/' >> MEMORY.md
