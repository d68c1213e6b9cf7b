# A Python script read the file and wrote it as utf-8-sig with blank lines around each §.
cp "$ZH" MEMORY.md
python3 - <<'PY'
text = open("MEMORY.md", encoding="utf-8").read()
open("MEMORY.md", "w", encoding="utf-8-sig").write("\n\n§\n\n".join(text.split("\n§\n")))
PY
