# Blank lines set around every § with sed, then unix2dos.
cp "$ZH" MEMORY.md
sed -i 's/^§$/\n§\n/' MEMORY.md
unix2dos -q MEMORY.md
