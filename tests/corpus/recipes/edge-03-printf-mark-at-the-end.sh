# A script appended `\n§` after the last entry, ready for the next one.
cp "$ZH" MEMORY.md
printf '\n§' >> MEMORY.md
