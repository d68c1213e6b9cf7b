# A person pasted a numbered list through `tee -a`, which made the last entry longer than the budget.
cp "$ZH" MEMORY.md
tee -a MEMORY.md > /dev/null <<'MORE'

1. 周一上午九点半开站会，会议室是“松”，线上链接在日历里。
2. 周三评审，材料提前一天发到群里，没有材料就取消。
3. 发布窗口是周二和周四的十四点到十六点。
   出问题先回滚，再查原因。
4. 值班表在 wiki 的“值班”页，换班要两个人都确认。
MORE
