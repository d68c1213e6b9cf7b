# A search-and-replace with `sed -i` left a space behind every §.
cp "$ZH" MEMORY.md
sed -i 's/^§$/§ /' MEMORY.md
