# `sort -u` in the C locale: all texts together, one § at the end.
cp "$EN" MEMORY.md
LC_ALL=C sort -u -o MEMORY.md MEMORY.md
