# ed deleted the last line; the § before it stayed.
cp "$EN" MEMORY.md
printf '$d\nw\nq\n' | ed -s MEMORY.md
