# `sed -z` drew two of the § to the end of the line before; the third got blank lines.
cp "$ZH" MEMORY.md
sed -i -z 's/\n§\n/ §\n/; s/\n§\n/ §\n/; s/\n§\n/\n\n§\n\n/' MEMORY.md
