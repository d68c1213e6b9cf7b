# unix2dos on the file as the agent wrote it.
cp "$EN" MEMORY.md
unix2dos -q MEMORY.md
