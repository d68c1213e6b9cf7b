# In vim an entry and its § were yanked and put three times.
cp "$ZH" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'normal 3G2yy3p' -c 'x' MEMORY.md
