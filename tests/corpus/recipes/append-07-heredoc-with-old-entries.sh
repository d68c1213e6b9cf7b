# A person appended a heredoc with §, blank lines around them, and two entries that were there already.
cp "$ZH" MEMORY.md
cat >> MEMORY.md <<'MORE'

§

每周五下午不部署；上线前先跑 make check。

§

林晓的猫叫年糕。

§
用户叫林晓，住在杭州，时区是 Asia/Shanghai。
MORE
