# In vim somebody put a § above the first entry, as if each entry began with one.
cp "$ZH" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'exe "normal ggO§"' -c 'x' MEMORY.md
