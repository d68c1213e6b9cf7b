# rsync --backup pulled the server's file over the local one, which had an entry more.
{ cat "$EN"; printf '\n§\nPrinter in room 4 only takes A4.'; } > MEMORY.md
mkdir server
sed 's/nine minutes/twenty minutes/' "$EN" > server/MEMORY.md
rsync -a --checksum --backup server/MEMORY.md MEMORY.md
rm -r server
