# vim saved it with `set bomb`.
cp "$EN" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'set bomb nofixeol noeol' -c 'w!' -c 'q' MEMORY.md
