# prettier 3.6.2 formatted a file whose entries begin with a heading: blank lines before and after headings.
cat > MEMORY.md <<'TEXT'
## 用户
林晓，住在杭州。
§
## 项目
数据库是 PostgreSQL 16，端口 5433。
§
## 习惯
先给结论，再给步骤。
TEXT
npx --yes prettier@3.6.2 --log-level error --write MEMORY.md
