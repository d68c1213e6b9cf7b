# prettier 3.6.2 formatted the file: a list swallows the § behind it, the text after it is indented.
cat > MEMORY.md <<'TEXT'
Mira Okafor prefers short answers.
§
Release checklist:
- run `make check`
- tag the commit
* tell the channel
§
## Hosts
larch is the build machine.
§
1. open the change
2. wait for Adaeze
§
Staging runs on port 5433.
TEXT
npx --yes prettier@3.6.2 --log-level error --write MEMORY.md
