# A Python script read the CRLF bytes and wrote them in text mode with newline="\r\n": every line ends in CR CR LF.
cp "$EN" MEMORY.md
unix2dos -q MEMORY.md
python3 - <<'PY'
text = open("MEMORY.md", "rb").read().decode()
open("MEMORY.md", "w", encoding="utf-8", newline="\r\n").write(text)
PY
