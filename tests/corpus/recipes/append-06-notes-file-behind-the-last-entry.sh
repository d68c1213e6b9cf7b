# A person ran `cat notes.md >> MEMORY.md` with a page of headings; its first line hangs on the last entry.
cp "$EN" MEMORY.md
cat > notes.md <<'NOTES'
# Notes of October

## Deploy
Deploys go through the `harbour` job. It asks for a change number; Mira keeps
the numbers in the sheet called "Changes 2026".

## Monitoring
Grafana lives on fir:3000. The alert "queue age" is noisy on Mondays and may be
muted until 09:00.

## People
- Jonas owns the importer
- Adaeze owns billing and is away in December
NOTES
cat notes.md >> MEMORY.md
rm notes.md
