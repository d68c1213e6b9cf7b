# A person ran `echo "§" >> MEMORY.md` and `echo TEXT >> MEMORY.md`; the § hangs on the last entry.
cp "$EN" MEMORY.md
echo "§" >> MEMORY.md
echo "Mira's new laptop is called rowan." >> MEMORY.md
