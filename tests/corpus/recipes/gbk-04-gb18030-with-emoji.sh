# iconv -t GB18030; an emoji takes four bytes there.
{ cat "$ZH"; printf '\n§\n庆祝上线时可以发 🎉，平时不要用表情。'; } | iconv -f UTF-8 -t GB18030 > MEMORY.md
