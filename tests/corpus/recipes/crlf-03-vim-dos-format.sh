# vim saved it with fileformat=dos after one entry was typed at the end.
cp "$ZH" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'set ff=dos' -c 'exe "normal Go§\n林晓一月十二日之前休假。"' -c 'x' MEMORY.md
