# `sed -i G` double-spaced the whole file.
cp "$EN" MEMORY.md
sed -i G MEMORY.md
