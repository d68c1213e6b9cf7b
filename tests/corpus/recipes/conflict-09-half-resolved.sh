# git merge, then the person deleted the last marker line and took the rest for done.
git init -qb main
cp "$EN" MEMORY.md && git add . && git commit -qm "memory"
git switch -qc laptop
sed -i 's/larch (Debian 12)/larch (Debian 13)/' MEMORY.md && git commit -qam "larch was upgraded"
git switch -q main
sed -i 's/^Build machine.*/The builds have moved to alder; larch only keeps the caches./' MEMORY.md && git commit -qam "alder"
git merge -q laptop > /dev/null || true
sed -i '/^>>>>>>>/d' MEMORY.md
rm -rf .git
