# emacs saved it as utf-8-mac after blank lines had been set around one §.
cp "$EN" MEMORY.md
emacs -Q --batch MEMORY.md --eval '(progn (goto-char (point-min)) (re-search-forward "^§$") (replace-match "\n§\n") (setq buffer-file-coding-system (quote utf-8-mac)) (save-buffer))' 2> /dev/null
