# A person ran `sed -i` to set blank lines around every § because it "reads better".
cp "$EN" MEMORY.md
sed -i 's/^§$/\n§\n/' MEMORY.md
