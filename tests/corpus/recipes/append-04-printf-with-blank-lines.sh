# A script of the person appended with printf, a blank line on each side of the §.
cp "$EN" MEMORY.md
printf '\n\n§\n\nMira'\''s new laptop is called rowan.\n' >> MEMORY.md
