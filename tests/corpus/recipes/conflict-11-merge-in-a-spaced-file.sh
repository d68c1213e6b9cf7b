# git merge of a file that already had blank lines around each §; both sides added an entry.
git init -qb main
sed 's/^§$/\n§\n/' "$ZH" > MEMORY.md && echo >> MEMORY.md && git add . && git commit -qm "memory"
git switch -qc laptop
printf '\n§\n\n新笔记本叫 rowan，系统是 Fedora。\n' >> MEMORY.md && git commit -qam "laptop"
git switch -q main
printf '\n§\n\n林晓的猫叫年糕。\n' >> MEMORY.md && git commit -qam "desk"
git merge -q laptop > /dev/null || true
rm -rf .git
