# A Python script saved it as UTF-16 with CRLF (what "Unicode" means in Notepad), a blank line after each §.
cp "$ZH" MEMORY.md
python3 - <<'PY'
text = open("MEMORY.md", encoding="utf-8").read()
open("MEMORY.md", "w", encoding="utf-16", newline="\r\n").write(text.replace("\n§\n", "\n§\n\n"))
PY
