# A person ran printf with a space on each side of the §, as in running text.
cp "$ZH" MEMORY.md
printf '\n § \n新笔记本叫 rowan，系统是 Fedora。\n' >> MEMORY.md
