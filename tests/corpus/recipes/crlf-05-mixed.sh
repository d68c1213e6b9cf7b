# unix2dos, then two appends from a Linux shell: CRLF above, LF below.
cp "$EN" MEMORY.md
unix2dos -q MEMORY.md
printf '\n§\nMira is on leave until 12 January.' >> MEMORY.md
printf '\n§\n\nAdaeze covers for her.\n' >> MEMORY.md
