# vim saved it with fileencoding=latin1.
cat > MEMORY.md <<'TEXT'
Mira wohnt in Köln, Büro in der Südstadt.
§
Antworten auf Französisch beginnen mit « Résumé ».
TEXT
vim -N -u NONE -i NONE -es -c 'set enc=utf-8' -c 'w! ++enc=latin1' -c 'q!' MEMORY.md
