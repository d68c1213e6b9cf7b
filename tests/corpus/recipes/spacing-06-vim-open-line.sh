# Typed in vim: G, o, an empty line, §, an empty line, the text; saved.
cp "$EN" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'exe "normal Go\n§\n\nMira is on leave until 12 January."' -c 'x' MEMORY.md
