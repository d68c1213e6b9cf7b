# A person ran `echo TEXT >> MEMORY.md`; the file has no final newline, so the text hangs on the last entry.
cp "$EN" MEMORY.md
echo "Mira's new laptop is called rowan." >> MEMORY.md
