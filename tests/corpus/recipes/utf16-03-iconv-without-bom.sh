# iconv -t UTF-16LE: no BOM.
iconv -f UTF-8 -t UTF-16LE "$EN" > MEMORY.md
