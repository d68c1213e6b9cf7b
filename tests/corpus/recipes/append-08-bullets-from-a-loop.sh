# A shell loop of the person appended one bullet after the other, until the last entry outgrew the budget.
cp "$EN" MEMORY.md
echo >> MEMORY.md
for fact in "larch reboots on the first Monday of the month" \
    "fir runs Grafana and Prometheus, nothing else" \
    "alder is the spare machine in Lagos; ask before waking it" \
    "backups of all three go to the rsync target hazel at 02:30" \
    "the VPN profile is called grove; it drops after eight hours" \
    "printer in room 4 only takes A4"; do
    echo "- $fact" >> MEMORY.md
done
