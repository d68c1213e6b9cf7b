# A person ran `echo >> MEMORY.md` and then `echo TEXT >> MEMORY.md`.
cp "$ZH" MEMORY.md
echo >> MEMORY.md
echo "新笔记本叫 rowan，系统是 Fedora。" >> MEMORY.md
