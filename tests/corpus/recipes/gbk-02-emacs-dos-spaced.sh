# emacs saved it as gbk-dos after a blank line had been set before each §.
cp "$ZH" MEMORY.md
emacs -Q --batch MEMORY.md --eval '(progn (goto-char (point-min)) (while (re-search-forward "^§$" nil t) (replace-match "\n§")) (setq buffer-file-coding-system (quote gbk-dos)) (save-buffer))' 2> /dev/null
