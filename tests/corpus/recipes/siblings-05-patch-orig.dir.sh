# patch(1) with fuzz: one hunk applied, one refused; .orig and .rej stay beside the file.
{ cat "$EN"; echo; } > MEMORY.md
cat > change.patch <<'PATCH'
--- MEMORY.md
+++ MEMORY.md
@@ -1,5 +1,3 @@
 Mira Okafor prefers short answers, metric units and dates as 2026-10-01.
 §
-Build machine is larch (Debian 12); the repo lives under ~/code/tidepool.
-§
 Run `make check` before every push; CI of tidepool needs about nine minutes.
@@ -7,1 +5,1 @@
-Staging database is MySQL 8 on port 3307.
+Staging database is PostgreSQL 17 on port 5433.
PATCH
patch -s MEMORY.md change.patch > /dev/null || true
rm change.patch
