# The real agent refused a drifted CRLF file; the .bak is a copy of it, and nothing was done since.
sed '0,/^§$/s/^§$/§\n/' "$ZH" > MEMORY.md
unix2dos -q MEMORY.md
"$HERMES_PYTHON" "$RECIPES/refused.py" . 1793520000
