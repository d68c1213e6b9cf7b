# git merge with two conflicts in one file, far enough apart to stay two.
git init -qb main
{ cat "$ZH"; printf '\n§\n林晓的猫叫年糕。\n§\n值班表在 wiki 的“值班”页。\n'; } > MEMORY.md
git add . && git commit -qm "memory"
git switch -qc laptop
sed -i 's/^用户叫.*/用户叫林晓，十月搬到了苏州。/; s/^值班表.*/值班改用飞书日历，wiki 那页不再更新。/' MEMORY.md && git commit -qam "laptop"
git switch -q main
sed -i 's/^用户叫.*/林晓常驻杭州，每月去一次上海办公室。/; s/^值班表.*/值班表由周航维护。/' MEMORY.md && git commit -qam "desk"
git merge -q laptop > /dev/null || true
rm -rf .git
