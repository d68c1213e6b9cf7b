# As `>>` of Windows PowerShell does: the appended line is UTF-16LE, the file before it UTF-8.
cp "$EN" MEMORY.md
printf '\r\nMira is on leave until 12 January.\r\n' | iconv -f UTF-8 -t UTF-16LE >> MEMORY.md
