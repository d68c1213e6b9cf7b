# vim saved it with fileencoding=utf-16 and a BOM: big-endian.
cp "$EN" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'set bomb' -c 'w! ++enc=utf-16' -c 'q!' MEMORY.md
