# Two entries emptied in vim with `cc`, one of them down to three spaces.
cp "$ZH" MEMORY.md
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'exe "normal 3Gcc   \<Esc>"' -c '5s/.*//' -c 'x' MEMORY.md
