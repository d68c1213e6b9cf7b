# iconv -t CP1252 on notes with curly quotes, dashes and accents.
cat > utf8 <<'TEXT'
Mira’s partner is called Zoë; she answers to “Zo”.
§
Budget for the café visit – at most 20 € a head.
§
Naïve retries are not wanted: fail fast, tell Mira.
TEXT
iconv -f UTF-8 -t CP1252 utf8 > MEMORY.md
rm utf8
