# `sed -i /larch/d` deleted the one line of an entry and left its two § in a row.
cp "$EN" MEMORY.md
sed -i '/larch/d' MEMORY.md
