"""Signs that a text is general knowledge, easily found again: nothing of the person's own in it.

What everyone can look up speaks of a public thing (a language, a tool, a standard) and says what it
is, means, does or has by default. A fact about the person speaks of their paths, hosts, names,
habits and rules; one word of these and the text is theirs.
"""

from __future__ import annotations

import re

from store.advice.signs.general import is_lesson, is_own_sense, terms_in
from store.advice.signs.phrases import RECURRING, table, words
from store.advice.signs.topics import STATES, TOPICS

_COMMANDS = words(
    "git docker kubectl npm npx pnpm yarn pip ls grep cd curl tar find awk sed ssh scp rsync chmod"
    " chown ps kill killall cat head tail less sort uniq wc cut xargs systemctl journalctl crontab"
    " apt apt-get brew make cargo go rustc gcc helm terraform vim nano tmux screen df du mount top"
    " htop lsof netstat ss dig ping traceroute wget unzip zip ffmpeg convert jq psql mysql sqlite3"
    " redis-cli conda poetry uv pytest ruff mvn gradle node nohup which man echo export alias diff"
    " touch mkdir rm mv cp ln sudo su ip ifconfig iptables nc openssl gpg base64 watch tee"
)
_LANGUAGES = words(
    "python javascript typescript java kotlin swift rust golang go ruby php perl lua scala haskell"
    " sql html css bash zsh shell c c++ c# r matlab julia dart elixir erlang clojure latex markdown"
    " yaml json toml xml regex unicode utf-8 ascii posix"
)
_PRODUCTS = words(
    "postgresql postgres mysql mariadb sqlite redis mongodb elasticsearch kafka rabbitmq nginx"
    " apache"
    " linux ubuntu debian fedora windows macos android ios kubernetes k8s docker git github gitlab"
    " vim emacs vscode pandas numpy scipy matplotlib pytorch tensorflow django flask fastapi spring"
    " react vue angular svelte node.js nodejs npm webpack vite http https tcp udp ip ipv4 ipv6 dns"
    " dhcp tls ssl ssh ftp smtp imap pop3 rest grpc graphql oauth jwt cron systemd jvm gc ram cpu"
    " gpu"
    " usb wifi bluetooth excel word powerpoint photoshop sha-256 md5 base64 uuid iso rfc mac utc"
    " gmt"
    " ollama prometheus grafana jenkins ansible terraform selenium jupyter opencv maven gradle"
)
_PUBLIC = rf"(?:{_COMMANDS}|{_LANGUAGES}|{_PRODUCTS})"
_START = r"(?:^|[\n.。;；,，、] ?)(?:in |the |a |an |on |with |在 ?)?"
_SUBJECT = rf"{_START}`?{_PUBLIC}(?![\w-])`?"
_TELLS = words(
    "lists shows prints displays creates removes changes applies undoes reverts discards restores"
    " deletes moves copies extracts compresses counts sorts searches follows switches fetches"
    " downloads renames replaces returns converts rewrites resets keeps stages saves prunes outputs"
    " checks gives lets kills matches ignores unpacks sends means records combines rebases prints"
    " installs preserves stores assigns toggles closes quits exits reopens yanks pastes executes"
    " clones waits measures"
    " adds reads writes filters joins splits sets stands refers allows makes"
)
_KIND = words(
    "language system framework database runtime manager engine editor library distribution tool"
    " protocol format platform container standard algorithm compiler interpreter shell server"
    " function command method keyword operator type structure port header abbreviation acronym"
    " planet element currency city country river mountain continent broker store language."
)
_NATURE = (
    r"(?:im)?mutable|un?ordered|ordered|(?:statically|dynamically|strongly|weakly) typed|hashable"
    r"|nullable"
    r"|(?:zero|0|one|1)-(?:indexed|based)|case[- ](?:in)?sensitive|garbage[- ]collected|compiled"
    r"|interpreted|single-threaded|multi-threaded|thread-safe|lazy|lazily|eager|inclusive|exclusive"
    r"|truthy|falsy|idempotent|stateless|asynchronous|synchronous|block-scoped|hoisted|iterable"
    r"|passed by|evaluated|deprecated|optional|reserved|whitespace-sensitive|short for"
    r"|equivalent to"
    r"|the same as|faster than|slower than|used (?:to|for)|O\("
)
_ABBREVIATED = (
    r"(?<![\w-])(?:[A-Z]{0,3}ML|CSS|JSON|PHP|SQL|API|REST|HTTPS?|S?FTP|SSH|SSL|TLS|TCP|UDP|IP|DNS"
    r"|DHCP|SMTP|IMAP|POP3?|URL|URI|CPU|GPU|RAM|ROM|SSD|HDD|BIOS|UEFI|USB|LAN|WAN|VPN|NAT|CORS|CSRF"
    r"|XSS|JWT|ORM|CRUD|ACID|CAP|SOLID|DRY|KISS|YAGNI|MVC|MVVM|OOP|IDE|SDK|CLI|GUI|CI|CD|CDN|CSV"
    r"|PDF|PNG|GIF|JPE?G|SVG|RGB|CMYK|DPI|GNU|POSIX|ASCII|UTF|ISO|IEEE|RFC|DNA|RNA|ATP|GDP|GNP|CPI"
    r"|VAT|IMF|WHO|UN|EU|NATO|NASA|UNESCO|OPEC|WTO|FIFA|NBA|AIDS|HIV|MRI|CT|ECG|BMI|LED|LCD|OLED"
    r"|GPS|UTC|GMT|AM|PM|CEO|CFO|CTO|HR|ROI|KPI|SWOT|SMART|FAQ|RSVP|PS|ETA|ASAP|DIY|RAID|NAS|SaaS"
    r"|PaaS|IaaS|LLM|NLP|GAN|CNN|RNN|SVM|LIFO|FIFO|GIL|JVM|JDK|npm|cron|GPL|MIT|MAC|PID|TTL|MQTT)"
)
_STANDARD = words(
    "len zip map filter range enumerate sort sorted append extend split join strip print input open"
    " int str list dict set push pop shift unshift slice splice reduce foreach parseint floor ceil"
    " round abs min max sum any all reversed isinstance type json.parse strcmp malloc free printf"
    " scanf substring indexof includes concat replace"
)
_GENERAL = table(
    ("a function of a library", rf"^`?(?:[a-z]{{3,8}}\.)?(?:{_STANDARD})\(\)`? ?(?:[a-z]{{3,12}}s"
     r"|is|原地|返回|会|用)"),
    ("what a command does", r"^`?(?-i:git|docker|kubectl|npm|pip|tar|rsync|chmod|sed|awk|grep|find)"
     r"(?: [a-z-][!-_a-~]{0,24}){1,4}`? (?!triggers|starts|runs|deploys|fails|needs|takes|asks"
     r"|works"
     r"|always|is|goes|uses|was|has)(?-i:[a-z]{3,12}s) (?:the|all|an?|every|only|files|each|commits"
     r"|local|uncommitted)\b"),
    ("a function of a library", r"^`?(?:os|sys|json|re|math|random|itertools|functools"
     r"|collections|array"
     r"|object|math|string|json|promise|console|document|np|pd)\.(?:[a-z_]{2,14}\.)?[a-z_]{2,20}"
     r"(?:\(\))?`? ?(?:[a-z]{3,12}s\b|返回|会|用)"),
    ("in the background", rf"^`?(?:{_COMMANDS})(?: [a-z-][!-_a-~]{{0,24}}){{1,4}}`? (?:starts"
     rf"|runs) [a-z ]{{3,30}}"
     r"in the background"),
    ("what a command does", rf"^`?(?:{_COMMANDS})(?: [a-z\d-][!-_a-~]{{0,24}}){{1,4}}`? ?(?:在后台"
     r"|每行|发送"
     r"|丢弃|强制|静默|递归)"),
    ("of a language", rf"^in (?:{_LANGUAGES}),? (?:every|each|all|an?|the) "),
    ("by its standard", rf"^(?:{_LANGUAGES})\s?(?:标准|规范|语法|\d[\d.]{{0,24}} ?(?:起|开始|之后))"
     rf"|^(?:{_LANGUAGES}|{_PRODUCTS})\s?(?:地址长|编码后|兼容)"
     rf"|^(?:{_LANGUAGES}|vim|git|excel)\s?(?:里|中)\s?(?:[:$.=`]|[A-Z]{{4,}})"
     rf"|^(?:{_LANGUAGES}|{_PRODUCTS})['’]s (?:[A-Z]{{2,}} ?){{1,3}}[a-z ]{{0,10}}(?:is|comes"
     r"|returns)\b"
     r"|\b(?:python )?dict(?:ionarie)?s? (?:keeps?|preserves?|maintains?) insertion"),
    ("what it is", rf"{_SUBJECT}[^.\n]{{0,20}} (?:is|are) (?:an?"
     rf"|the) (?:[\w-]{{1,20}} ){{0,5}}(?:{_KIND})s?\b"),
    ("what it is", r"\b(?:is|are) (?:an?|the) (?:[\w-]{1,20} ){0,4}(?:programming language"
     r"|version control"
     r" system|web framework|database(?: management)? system|operating system|package manager"
     r"|search"
     r" engine|text editor|linux distribution|sorting algorithm)\b"),
    ("geography", r"\bthe capital(?: city)? of (?-i:[A-Z])|\bboils? at\b|\b(?:largest|highest"
     r"|longest"
     r"|smallest) "
     r"(?:city|country|mountain|river|planet|ocean|lake|island)\b|\bspeed of (?:light|sound)\b"
     r"|的首都|海拔\s?\d|沸点|光速"),
    ("what letters mean", rf"\b{_ABBREVIATED}(?: in \w{{1,24}})? (?:stands|is short) for\b"
     rf"|{_ABBREVIATED}\s?的?(?:全称是|是[^，。]{{2,40}}的"
     r"(?:简称|缩写))|^[一-龥]是[^，。]{2,6}的简称|^[一-龥]{2,4}省?的?简称(?:是|为)?[一-龥“]"
     r"|是[^，。]{2,40}的缩写"),
    ("what a code means", r"\b(?:http|status|exit"
     r"|error) ?(?:status )?(?:code )?[1-5]?\d{1,3}\b(?: \([^)]{1,40}\))?"
     r" ?(?:means|is|indicates|signals|表示|是|代表|指)|\bSIG[A-Z]{3,5}\b[^.\n]{0,20}(?: is| means"
     r"| cannot| can| 会|表示|是|不能|可以)"),
    ("who made it", rf"{_SUBJECT} (?:was|were) (?:first )?(?:created|invented|developed|designed"
     r"|written) by\b"),
    ("when it came", r"\b(?:was|were) (?:founded|released|created|invented|introduced"
     r"|published) in \d{4}\b"
     r"|(?:成立|发布|创建|诞生|发明)于\s?\d{4}"),
    ("a default", rf"{_SUBJECT}[^.。\n]{{0,40}}?(?:\bdefaults? (?:port|value|shell|encoding"
     r"|separator|is|to)\b"
     r"|\bdefault \w{1,24} (?:is|are)\b|\bby default\b|默认[^，。\n]{0,10}(?:是|为|会|不|监听|使用"
     r"|端口))"),
    ("a default", r"\bdefault (?:port|value|encoding|shell|separator)s? (?:of|for|in"
     rf"|used by) {_PUBLIC}\b"
     rf"|(?:^|[，。；])(?:默认)?端口[^，。]{{0,6}}{_PUBLIC}|\bports? \d{{2,5}} (?:is|are) (?:for"
     r"|used (?:by|for)"
     r"|the (?:default|standard))"),
    ("what a command does", rf"(?:^|[\n.;；,，。] ?)`?(?:{_COMMANDS})(?: [\w./<>=:~^*{{}}'\""
     r"|+-]{1,30}){0,6}`?"
     rf" (?:{_TELLS})\b"),
    ("what a command does", rf"(?:^|[\n；;，,。] ?)`?(?:{_COMMANDS})(?: [a-zA-Z./<>=:~^*"
     r"|+-][\w./<>=:~^*|+-]{0,30}){0,6}`?\s?"
     r"(?:命令)?(?:可以?|能|会(?![用一])|用于|用来|是|表示|解压|打包|列出|显示|查看|删除|创建|切换"
     r"|合并|撤销"
     r"|查找|压缩|统计|回退|恢复"
     r"|拉取|强制|递归|修改|暂存|放弃|查询|输出|跟踪|后台|终止|杀)"),
    ("what a command does", r"(?:^|[\n.;] ?)(?:the )?(?:linux|unix|vim|bash|shell|sql|git"
     r"|regex)(?: command)?:? "
     rf"[^\s.,]{{1,16}} (?:{_TELLS})\b"),
    ("how a command is used", r"\b(?:use|run|type"
     rf"|with) `?(?:{_COMMANDS}) [^.\n]{{2,60}}? to (?:list|show|print|see|make (?:a"
     r"|the) \w{1,24} executable"
     r"|display|undo|revert|delete|remove|create|find|search|exit|quit|count|view|check|extract"
     r"|stash)\b"
     rf"|用\s?`?(?:{_COMMANDS}) [^，。\n]{{2,40}}?(?:可以|来|即可)?(?:查看|列出|显示|撤销|删除"
     r"|查找|解压|统计|退出|切换)"),
    ("a key", r"(?:^|[\n.,;，。；] ?)(?:在)?(?:in )?(?:(?:a |the )?(?:terminal|browser"
     r"|most \w{1,24}"
     r"|windows|macos|linux|excel|word|vim|vs ?code|终端|浏览器"
     r"|命令行)[ ,，里中上下]{1,3}(?:按)?\s?)?"
     r"`?(?:(?:ctrl|cmd|command|win)\s?[+-]\s?(?:shift\s?[+-]\s?[nptvz]|space|[acdfhlnprstvwxyz])"
     r"|alt\s?[+-]\s?(?:tab|f4)|win"
     r"\s?[+-]\s?[delr])(?![\w{1,24}-])`?(?: in (?:a |the )?\w{1,24})?\s?"
     rf"(?:(?:is|opens|closes|quits|pastes|cuts|exits|{_TELLS})\b|复制|粘贴|是|可以|用于|撤销|搜索"
     r"|会|关闭|打开|保存)"
     r"|\b(?:ctrl|cmd|alt|shift)\s?[+-]\s?\w{1,6}(?:\s?[+-]\s?\w{1,6})?`?[^.。\n]{0,60}"
     r"\b(?:macos|windows|excel|word|terminal|photoshop|vs ?code|browser)\b"
     r"|(?:macos|windows|excel|word|photoshop|vs ?code|浏览器)\s?[^，。\n]{0,6}?(?:ctrl|cmd|alt"
     r"|shift|win)"
     r"\s?[+-]"),
    ("how a language is", rf"{_SUBJECT}[^.\n]{{0,60}} (?:is|are|evaluates?|gets?)(?: \w{{1,24}}ly"
     r"| not"
     rf"| always)? (?:{_NATURE})"),
    ("what a thing of it is", rf"{_SUBJECT}(?: \w{{1,24}})? (?:is|are) (?:not )?(?!(?:available"
     r"|internal"
     r"|local|external|manual"
     r"|different|current|essential|critical|important)\b)[\w-]{2,20}(?:able|ible|less|oriented"
     r"|ary|ent|ous|ive)\b"),
    ("what a code means", r"\ban? [1-5]\d\d(?: redirect| error| status| response)? (?:is|means"
     r"|has no"
     r"|indicates)\b"),
    ("what a thing of it does", rf"(?:^|[\n.;] ?)(?:{_LANGUAGES})['’]s `?[\w.()]{{2,20}}`? (?:[a-z"
     r"]{3,12}s|is|are) "),
    ("what it does", rf"^(?:在|用)?\s?(?:{_COMMANDS}|{_LANGUAGES}"
     rf"|{_PRODUCTS})(?![\w-])[^。\n]{{0,40}}?(?:表示|会(?![议员话用一])|指向|使得|删除|持续|重启"
     r"|返回|分别(?:是|为)|占\s?\d|只(?:会)?执行|匹配|忽略|递归|保留|不可变|可变|区分|不支持"
     r"|支持(?!到)|等于|相当于"
     r"|是[^，。\n]{1,12}的(?:$|[，。；])|默认(?!分支|用户|走|用|叫|[^，。]{0,6}端口改))"),
    ("how a language is", rf"^in (?:{_LANGUAGES}|git|vim|linux), [^.\n]{{3,80}}? (?:is|are|means"
     r"|returns|has|have)\b"),
    ("how a language is", rf"^(?:{_LANGUAGES}|{_PRODUCTS}) (?:has|have) no \w{{1,24}}"
     rf"|^(?:{_PRODUCTS}) (?:stores|supports|uses) an? "),
    ("what it does", r"^(?:在)?正则(?:表达式)?(?:里|中)?[^，。\n]{0,20}(?:匹配|表示)"),
    ("what a language does", rf"{_SUBJECT}['’,]?s? [^.\n]{{0,50}}?\b(?:returns|raises|throws"
     r"|coerces|compares"
     r"|converts|(?:does not|doesn['’]t|do not|don['’]t|cannot|can['’]t) (?:support|have|allow"
     r"|return|"
     r"guarantee|change|copy|mutate)|supports|guarantees|allows|concatenates|rounds|truncates"
     r"|evaluates to)\b"),
    ("what a language does", rf"(?:^|[。；，\n])\s?在?\s?(?:{_LANGUAGES}|{_PRODUCTS})\s?(?:里面?"
     r"|中|当中)的?[^。\n]{0,40}?"
     r"(?:会|不会|是|可以|不能|表示|用来|用于|返回|区分|支持|没有|等于|相当于|属于|分为|不可变"
     r"|可变)"),
    ("what it has", rf"(?:^|[。；，\n])\s?(?:{_LANGUAGES}"
     rf"|{_PRODUCTS})\s?的[^，。\n]{{1,24}}?(?:默认|是不可变|是可变|返回的?"
     r"|表示|用于|用来|不支持|支持|不区分|区分|等价于|相当于)"),
    ("what it is", r"是一[种个款门](?:[^，。]{0,14})(?:语言|版本控制|数据库|操作系统|框架|包管理器"
     r"|搜索引擎|编辑器|发行版|容器"
     r"|工具|协议|算法|格式|标准|系统)"),
    ("a measure", r"\b(?:1|one|an?) (?:inch|foot|mile|pound|ounce|gallon|kilometre|kilometer"
     r"|nautical mile"
     r"|byte|kib|mib|light[- ]year|acre|hectare)\b ?(?:is|equals|=|has|contains)|(?:一"
     r"|1)\s?(?:英里|英寸|英尺|磅|盎司"
     r"|海里|光年|字节|公顷|亩)\s?(?:等于|是|约|=)"),
)  # fmt: skip
_CLEAR = words(
    "git docker kubectl npm npx pnpm pip curl tar awk sed ssh scp rsync chmod chown ps "
    "systemctl journalctl apt apt-get brew grep lsof"
    " netstat ffmpeg psql sqlite3 openssl gpg du df ln mkdir rm mv cp unzip crontab useradd "
    "usermod sudo"
)
"""Commands that are no words beside."""
_FORMS = table(
    ("what a command does", rf"^`?(?:{_COMMANDS})(?: [!-_a-~]{{1,30}}){{1,6}}`?[,:： ]? "
     r"?(?:的(?:意思|作用|含义|功能|用途)|意思|即|就是|等价于|等于"
     r"|相当于|代表|指|把|将|让|使|给|只|可|会|能|是|用|以"
     r"|列|显|查|删|创|切|合|撤|压|统|回|恢|拉|强|递|改|暂|放|输|跟|后台|终止|杀|打印|执行"
     r"|同步|监听|下载|排序|追加|覆盖|忽略"
     r"|means? )"
     rf"|^`(?:{_COMMANDS})(?: [!-_a-~]{{1,30}}){{0,6}}` (?:is|are|means?|will|would|can|lets?"
     r"|[a-z]{3,12}s )"
     rf"|^(?:{_COMMANDS})(?: [a-z]{{2,14}})?(?: -[!-_a-~]{{1,30}}){{1,4}} (?:is|are|means?"
     r"|will|would|can|lets?|[a-z]{3,12}s )"),
    ("how it is done with it", r"^(?:how to |to )?[^:\n]{3,60}? (?:in|with|on|under"
     rf"|using) (?:{_LANGUAGES}|{_PRODUCTS}"
     rf"|{_COMMANDS})\b[^:\n]{{0,20}}: "),
    ("how it is done with it", rf"^[^:\n]{{3,70}}: `?(?:{_CLEAR}) [a-z-][^\n]{{2,}}"),
    ("how it is done with it", rf"^(?:{_LANGUAGES}|{_PRODUCTS})\s?(?:上|里|中"
     r"|下)?[一-龥][^：\n]{1,30}[：，][^\n]{0,60}?(?:点|选|按"
     r"|执行|右键|输入|菜单|套用|公式|命令)"),
    ("how it is", rf"^(?:{_LANGUAGES}|{_PRODUCTS})(?: [a-z-]{{2,14}}){{0,2}} (?:(?:is"
     r"|are) (?:two|three|one|multi|single|zero|non|un|in)-?\w{1,24}(?:al|ed|able"
     r"|ible|ive|ous)\b|can be [a-z]{1,20} or |(?:expands|treats|parses|compiles"
     r"|encrypts|hashes|inherits) )"),
    ("what a command does", rf"^`?(?:{_COMMANDS})`?\s?(?:命令|指令)"),
    ("of a protocol", rf"^(?:{_LANGUAGES}|{_PRODUCTS})\s?在\s?(?:{_LANGUAGES}|{_PRODUCTS})"),
    ("said to be of it", rf"[（(](?:{_LANGUAGES}|{_PRODUCTS})(?: ?\d[\d.]{{0,24}})?(?: ?(?:语法"
     r"|语言"
     r"|syntax|里|中))?[)）]"),
    ("of a language", rf"^(?:in|with|under|on) (?:plain |standard |modern )?(?:{_LANGUAGES}"
     rf"|{_PRODUCTS})(?: \d[\d.]{{0,24}})?, "),
    ("of a language", rf"^(?:在\s?)?(?:{_LANGUAGES}|{_PRODUCTS}|正则|命令行|终端)\s?(?:里面?"
     r"|中|当中|下|的)\s?[，,]?[^。\n]{1,40}?"
     r"(?:是|为|会|可以?|不|等于|相当|表示|返回|支持|区分|匹配|默认|分|指|只|需要|代表|即)"),
)  # fmt: skip
_THEIRS = table(
    ("relatives and people", r"\b(?:mother|father|mum|mom|dad|wife|husband|son|daughter"
     r"|kids?|children|sister|brother|grand\w{1,24}|partner|cat|dog|mr"
     r"|mrs|ms|dr|prof|professor|sister|teacher|student"
     r"|pupils?|boss|doctor|neighbou?r|landlord|vendor|supplier|clerk|supervisor|manager"
     r"|owner|family|parents|staff|volunteers?|patients?)\b"
     r"|^(?:moved|works|worked|has|lives|lived|speaks|reads|writes|plays|drives|owns|teaches"
     r"|studies|studied|grew|retired|allergic|vegetarian|born)\b"
     r"|女儿|儿子|老婆|妻子|丈夫|老公|母亲|父亲|妈|爸|奶奶|爷爷|外婆|外公|孩子|导师|老师"
     r"|医生|护士|医嘱|老[一-龥]{1}(?=负责|说|要|管|在)|小[王李张陈刘赵周吴孙马]"
     r"|[一-龥](?:总|姐|哥|叔|婶|阿姨|师傅|主任|经理)"),
    ("times and rooms", r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
     r"|\bat \d{1,2}(?::\d\d|[ap]m)|\broom\b|\bfloor\b|\bward\b"
     r"|\b20[12]\d\b|20[12]\d\s?年|周[一二三四五六日末]|星期|点(?:半|钟"
     r"|整|前|后)|[二三四五]楼|教室|科室|病区"),
    ("one's own things", r"\b(?:shop|studio|lab|clinic|practice|garden|farm|school|app|apps"
     r"|api|endpoint|gateway|backend|plug-?in|script|driver|printer"
     r"|router|nas|build|branch|tickets?|dataset|spreadsheet"
     r"|folder|drawer|vault|bitwarden|keepass\w{0,24}|1password|machine|box|fixtures?|thesis"
     r"|chapter|draft|newsletter|here|these|those|thinkpad|macbook|raspberry|on purpose"
     r"|pinned|stays|locked|aliased|"
     r"instead|rather than|otherwise|so that|harmless|workaround|breaks|broken|fails)\b"
     r"|系统|导出|小区|收货|工作室|住址|红字|写成|标成|填|保留|门店|店铺|店里|诊所|学校|课堂"
     r"|论文|报告|文档|同步到|备份|路由|打印机|脚本|项目|分支|表里|节点|字段|抽屉|文件夹"
     r"|有意|特意|故意|不然|否则|封顶|因为|改成|锁[在定]|别|不要|勿|用的是|走的是|存在|放在"
     r"|归|由[一-龥]{1,4}负责"),
)  # fmt: skip
_ANYONE = re.compile(
    r"(?i)\bthe (?:client|server|user)\b(?! (?:wants|likes|prefers|asks))"
    r"|\binternal server error\b|(?:其[余他它]|所有|普通|别的|同组|新建"
    r"|新增|添加|删除|切换)用户|用户[名组]"
)
"""Parties of a protocol, and not persons."""
_ANY = re.compile(r"(?i)\b(?:an?|any|the (?:current|last|latest|whole)) [a-z-]{2,20}")
"""Any one of a kind, and not one's own."""
_OURS = re.compile(
    r"(?<![\w.-])(?!Python|Java|Rust|Go|Bash|Git|Linux|Excel|Unix|Moore|Ohm)[A-Z][a-z]{2,12}['’]s"
    r" [A-Za-z]|插件|停在|(?i:\bplug-?in\b|\balias for\b)|的别名|(?<![A-Za-z])[a-z]{1,20}\.sh\b"
    r"|没开|没装|是关的|禁用的|手工|会丢(?!弃)|防火墙|是旧|旧版|(?<!的)网关(?!错误|超时|协议)"
    r"|rootless|不能用|唯一来源|拉取默认|(?:关键字|表名|键名"
    r"|类名|变量名|字段名?)[^，。]{0,4}(?:大写|小写|驼峰)|金额|价格|(?i:\bon restart\b|\bstage\b"
    r"|\bgateway\b|\bdebug port\b|\binterns?\b"
    r"|\bin (?:dutch|german|french|english)$|\bin (?:dutch|german|french|english)\.$"
    r"|\bthe layout [a-z]{1,20}\.?$|\brecorder\b"
    r"|\bcompiled with (?:lua|xe|pdf)|\btriggers\b)"
)
"""Somebody's own thing by a name, or what an own installation is bound to."""
LONGEST = 320
"""Characters: what is told at length is somebody's own."""
MANY = 4
"""Subjects of general knowledge in a long text, if it is a lesson on them."""
_ELSEWHERE = table(
    ("the fields of cron", r"\bcron (?:expressions? |表达式\s?)[\d*/, -]{9,20}(?:means|runs"
     r"|表示"
     r"|即) ?(?:every|at|on|每|周)"),
    ("told elsewhere", r"\b(?:as )?(?:documented|described|explained|listed) in (?:the )?(?:readme"
     r"|official"
     r" docs?|official documentation|man page|manual|wikipedia)\b"
     r"|\bsee (?:the )?(?:readme|man page|official doc(?:s|umentation)|wikipedia)\b"
     r"|\bofficial (?:documentation|docs) (?:is|are|can be found|live) (?:at|on|under|here)\b"
     r"|(?:详见|参见|参考|见)\s?(?:README|官方文档|官网|维基百科|man)|官方文档(?:在|见|地址)"),
)  # fmt: skip
_OWN = table(
    ("persons", r"(?<![\w-])(?:i|we|us|me|my|our|ours|user|users['’]|user['’]s|he|she|his|her|him"
     r"|they|their|team"
     r"|company|colleagues?|boss|office|customer|client)\b|用户|我|(?<!其)[他她]|咱|公司"
     r"|团队|同事|老板"
     r"|客户|项目"),
    ("wishes and rules", r"\b(?:prefers?|preferred|likes?|hates?|wants?|should|must|please|never"
     r"|avoid|favou?rite"
     r"|habit|policy|insists?|agreed|convention|only|mainly|mostly)\b|\bdon['’]t (?:use|write"
     r"|suggest)|不要|别用|不然|否则|封顶|一律|必须|尽量|统一|喜欢|习惯|偏好"
     r"|要求|约定|规定|禁止|只用|千万"),
    ("places", r"~/|(?<![\w<])/(?:home|srv|opt|mnt|data|var|etc|users|work|app|root|tmp)/"
     r"|\b\d{1,3}(?:\.\d{1,3}){3}\b"
     r"|\b[\w-]{1,24}\.(?:internal|local|lan|intra|corp|example|home)\b"
     r"|[\w.-]{1,40}@[\w-]{1,24}\.\w"
     r"|https?://(?!docs\.)"),
    ("here and now", r"\b(?:here|this (?:machine|repo|host|laptop|server)|laptop|prod|production"
     r"|staging|repo"
     r"|server (?:is|runs)|today|currently|yesterday|host(?:name|ed)?\b|deploys?|jobs?|(?:our|the"
     r"|this) service"
     r"|slot|pipeline|cluster|bucket|api returns|version (?!control)\w{1,24}|in-house"
     r"|internal)\b"
     r"|这台|本机|线上|测试环境|生产环境|集群|机房|目前|现在|今天|部署|版本(?!控制)|服务器|密码"
     r"|接口|仓库"
     r"|内网|家里|这里|这边"),
)  # fmt: skip


def is_found(text: str) -> bool:
    """Whether anyone could look it up."""
    if _ELSEWHERE.search(text):
        return True
    if len(text) > LONGEST:
        return _is_lesson(text)
    if _OWN.search(_ANYONE.sub(" ", text)) or RECURRING.search(text):
        return False
    if _OURS.search(text):
        return False
    if _GENERAL.search(text):
        return True
    if _THEIRS.search(_ANY.sub(" ", text)):
        return False
    if _FORMS.search(text) or is_lesson(text):
        return True
    if is_own_sense(text) or not STATES.search(text):
        return False
    topics = {found[0].lower() for found in TOPICS.finditer(text)}
    first = TOPICS.search(text)
    if first is not None and first.start() <= (6 if first[0] > "\u3400" else 20):
        return True
    return bool(topics) and len(topics | terms_in(text)) > 1


def _is_lesson(text: str) -> bool:
    """Whether a long text dwells on subjects of general knowledge, hardly on anyone's own."""
    text = _ANYONE.sub(" ", text)
    topics = sum(1 for _ in TOPICS.finditer(text)) + len(terms_in(text)) // 2
    own = sum(1 for pattern in (_OWN, _THEIRS) for _ in pattern.finditer(text))
    return topics >= MANY and own * 2 <= topics
