# unison with -prefer newer -copyonconflict after both replicas had changed.
mkdir here there
cp "$ZH" here/MEMORY.md && cp here/MEMORY.md there/
unison "$PWD/here" "$PWD/there" -ui text -batch > unison.log 2>&1
printf '\n§\n林晓的猫叫年糕。' >> here/MEMORY.md && touch -d 2020-01-01 here/MEMORY.md
printf '\n§\n新笔记本叫 rowan，系统是 Fedora。' >> there/MEMORY.md
unison "$PWD/here" "$PWD/there" -ui text -batch -prefer newer -copyonconflict > unison.log 2>&1
mv here/* . && rm -rf here there unison.log .unison
