# git merge of a file with CRLF; the markers get CRLF too.
git init -qb main
cp "$EN" MEMORY.md && unix2dos -q MEMORY.md && git add . && git commit -qm "memory"
git switch -qc laptop
sed -i 's/^Mira Okafor.*\r$/Mira prefers answers of at most five lines; metric units.\r/' MEMORY.md && git commit -qam "shorter"
git switch -q main
sed -i 's/^Mira Okafor.*\r$/Mira Okafor is a night owl: no reminders before ten.\r/' MEMORY.md && git commit -qam "night owl"
git merge -q laptop > /dev/null || true
rm -rf .git
