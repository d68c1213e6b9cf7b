# `head -c` (as a full disk does) cut the file inside the last Chinese character.
{ cat "$ZH"; printf '\n§\n林晓爱喝乌龙茶'; } | head -c -1 > MEMORY.md
