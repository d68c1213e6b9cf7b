# emacs indented the whole file by two columns.
cp "$EN" MEMORY.md
emacs -Q --batch MEMORY.md --eval '(progn (indent-rigidly (point-min) (point-max) 2) (save-buffer))' 2> /dev/null
