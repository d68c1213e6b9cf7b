# vim's gq reflowed the file at 60 columns, so that the § stand inside the lines.
cp "$EN" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8 tw=60' -c 'normal gggqG' -c 'x' MEMORY.md
