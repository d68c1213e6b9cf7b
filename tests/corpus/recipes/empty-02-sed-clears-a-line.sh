# `sed -i` emptied the one line of an entry and left a blank line between two §.
cp "$EN" MEMORY.md
sed -i 's/^Build machine.*//' MEMORY.md
