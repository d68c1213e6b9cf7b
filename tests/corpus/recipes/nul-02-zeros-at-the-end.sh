# `truncate` grew the file by 24 bytes: zeros, as a crash leaves them on some file systems.
cp "$ZH" MEMORY.md
truncate -s +24 MEMORY.md
