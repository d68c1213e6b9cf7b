# unix2dos -m: a BOM and CRLF, as Notepad used to save.
cp "$ZH" MEMORY.md
unix2dos -q -m MEMORY.md
