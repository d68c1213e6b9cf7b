# A person appended with echo on two days: `echo "§"; echo TEXT`, the second time with an empty echo before and after.
cp "$EN" MEMORY.md
echo "§" >> MEMORY.md
echo "Mira's new laptop is called rowan." >> MEMORY.md
{ echo; echo "§"; echo; echo "The old laptop, aspen, went to Jonas."; } >> MEMORY.md
