# A coding assistant changed the file with patch(1): a section with a heading, blank lines, no §.
cp "$EN" MEMORY.md
echo >> MEMORY.md
cat > change.patch <<'PATCH'
--- MEMORY.md
+++ MEMORY.md
@@ -3,5 +3,11 @@
 Build machine is larch (Debian 12); the repo lives under ~/code/tidepool.
 §
+
+## Release
+
+Tags are signed with the key of the release machine; never force-push a tag.
+
+§
 Run `make check` before every push; CI of tidepool needs about nine minutes.
 §
 Staging database is PostgreSQL 16 on port 5433; no migrations on Fridays.
PATCH
patch -s MEMORY.md change.patch
rm -f change.patch MEMORY.md.orig
