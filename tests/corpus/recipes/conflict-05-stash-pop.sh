# git stash pop: the stashed edit and the pulled one touch the same entry.
git init -qb main
cp "$ZH" MEMORY.md && git add . && git commit -qm "memory"
sed -i 's/^偏好.*/偏好：直接给命令，不要解释。/' MEMORY.md
git stash -q
sed -i 's/代码注释用英文/代码注释和提交说明都用英文，变量名不用拼音/' MEMORY.md && git commit -qam "comments"
git stash pop -q > /dev/null 2>&1 || true
rm -rf .git
