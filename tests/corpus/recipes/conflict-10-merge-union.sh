# git merge with the union driver: no markers, the two appended texts run into each other.
git init -qb main
cp "$EN" MEMORY.md && echo >> MEMORY.md && echo "MEMORY.md merge=union" > .gitattributes
git add . && git commit -qm "memory"
git switch -qc laptop
printf '§\nThe VPN profile is called grove.\n' >> MEMORY.md && git commit -qam "laptop"
git switch -q main
printf '§\nPrinter in room 4 only takes A4.\n' >> MEMORY.md && git commit -qam "desk"
git merge -q laptop > /dev/null
rm -rf .git .gitattributes
