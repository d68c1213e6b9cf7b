# git merge with merge.conflictStyle=diff3, so that the base stands between the sides.
git init -qb main
cp "$EN" MEMORY.md && git add . && git commit -qm "memory"
git switch -qc laptop
sed -i 's/on Fridays/on Fridays or before holidays/' MEMORY.md && git commit -qam "holidays"
git switch -q main
sed -i 's/^Staging.*/The staging database was moved to the cluster "delta"; ask Jonas for access./' MEMORY.md && git commit -qam "moved"
git -c merge.conflictStyle=diff3 merge -q laptop > /dev/null || true
rm -rf .git
