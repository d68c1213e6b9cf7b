# Typed in nano: end of file, Enter twice, §, Enter, a tab and the text; saved.
cp "$ZH" MEMORY.md
cat > keys.exp <<'KEYS'
set timeout 20
spawn nano --ignorercfiles MEMORY.md
expect "MEMORY.md"
send "\033/"
send "\r\r§\r\t林晓一月十二日之前休假。"
expect "休假"
send "\023"
expect "Wrote"
send "\030"
expect eof
KEYS
TERM=xterm expect keys.exp > /dev/null
rm keys.exp
