# A script of the person appended with printf as the agent would, but for the final newline.
cp "$ZH" MEMORY.md
printf '\n§\n新笔记本叫 rowan，系统是 Fedora。\n' >> MEMORY.md
