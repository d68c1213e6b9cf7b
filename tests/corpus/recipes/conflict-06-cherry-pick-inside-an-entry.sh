# git cherry-pick: the conflict is one line in the middle of an entry of three lines.
git init -qb main
printf '%s\n' '发布步骤：' '先打标签 v<版本>，' '再等流水线变绿，最后在群里通知。' '§' '值班表在 wiki 的“值班”页。' > MEMORY.md
git add . && git commit -qm "memory"
git switch -qc laptop
sed -i 's/^先打.*/先让周航审一遍变更单，/' MEMORY.md && git commit -qam "review first"
git switch -q main
sed -i 's/^先打.*/先在预发环境跑完回归，/' MEMORY.md && git commit -qam "regression first"
git cherry-pick laptop > /dev/null 2>&1 || true
rm -rf .git
