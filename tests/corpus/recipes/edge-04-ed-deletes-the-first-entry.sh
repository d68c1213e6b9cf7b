# ed deleted the first line; the § after it stayed as first line.
cp "$EN" MEMORY.md
printf '1d\nw\nq\n' | ed -s MEMORY.md
