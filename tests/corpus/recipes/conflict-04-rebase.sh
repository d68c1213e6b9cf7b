# git rebase stopped: upstream deleted the entry that the replayed commit had changed, and a neighbour.
git init -qb main
cp "$EN" MEMORY.md && git add . && git commit -qm "memory"
git switch -qc laptop
sed -i 's/about nine minutes/about twenty minutes since October/' MEMORY.md && git commit -qam "CI is slower"
git switch -q main
sed -i '/^Run/,/^§/d' MEMORY.md && git commit -qam "tidied up"
git switch -q laptop
git rebase -q main > /dev/null 2>&1 || true
rm -rf .git
