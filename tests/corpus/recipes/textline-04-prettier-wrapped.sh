# prettier 3.6.2 with --prose-wrap always joined all entries into one paragraph.
cp "$EN" MEMORY.md
npx --yes prettier@3.6.2 --log-level error --prose-wrap always --write MEMORY.md
