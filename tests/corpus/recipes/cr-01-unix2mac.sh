# unix2mac: every line ends in a lone CR.
cp "$ZH" MEMORY.md
unix2mac -q MEMORY.md
