# git merge: both branches appended entries at the end, one of them the same.
git init -qb main
cp "$ZH" MEMORY.md && git add . && git commit -qm "memory"
git switch -qc laptop
printf '\n§\n林晓的猫叫年糕。\n§\n新笔记本叫 rowan，系统是 Fedora。' >> MEMORY.md && git commit -qam "laptop"
git switch -q main
printf '\n§\n林晓的猫叫年糕。\n§\n一月十二日之前休假，急事找周航。' >> MEMORY.md && git commit -qam "desk"
git merge -q laptop > /dev/null || true
rm -rf .git
