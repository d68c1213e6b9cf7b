# The real agent refused a drifted file and left its .bak; the person then restored an older file.
sed 's/^§$/\n§\n/' "$EN" > MEMORY.md
printf '\n\n§\n\nPrinter in room 4 only takes A4.' >> MEMORY.md
"$HERMES_PYTHON" "$RECIPES/refused.py" . 1793520000
cp "$EN" MEMORY.md
sed -i -z 's/\n§\nStaging.*//' MEMORY.md
