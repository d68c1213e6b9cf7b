# nano --backup: the person cut three lines (^K) and saved; the old file stays as MEMORY.md~.
cp "$ZH" MEMORY.md
cat > keys.exp <<'KEYS'
set timeout 20
spawn nano --ignorercfiles --backup MEMORY.md
expect "MEMORY.md"
send "\013\013\013"
send "\023"
expect "Wrote"
send "\030"
expect eof
KEYS
TERM=xterm expect keys.exp > /dev/null
rm keys.exp
