# The files of two profiles joined with cat and a § between them; three entries were in both.
cp "$EN" MEMORY.md
printf '\n§\nPrinter in room 4 only takes A4.\n§\n' >> MEMORY.md
sed '/^Build machine/,/^§/d' "$EN" >> MEMORY.md
