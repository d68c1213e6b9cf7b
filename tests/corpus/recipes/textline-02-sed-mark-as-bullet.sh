# `sed -z` turned "new line § new line" into "blank line, § and the text on one line".
cp "$EN" MEMORY.md
sed -i -z 's/\n§\n/\n\n§ /g' MEMORY.md
