"""Words of what everyone can look up: science, geography, history, grammar, units, techniques."""

from __future__ import annotations

from typing import Final

from store.advice.signs.phrases import table

TOPICS: Final = table(
    ("the earth", r"\b(?:capital (?:city )?of|continents?|equator|hemisphere|longitude|latitude|population of|border(?:s|ed)?"
     r" (?:with|on|by)|(?:highest|longest|largest|deepest|smallest|tallest|oldest|hottest|coldest|fastest) [\w -]{2,30}"
     r" (?:in|on|of) (?:the )?(?:world|earth|europe|africa|asia|america|universe|solar|country|continent|planet|human|[A-Z]\w+)"
     r"|mount everest|(?:the )?(?:nile|amazon|danube|rhine|thames|sahara|alps|himalayas?|pacific|atlantic|mediterranean)"
     r"|time ?zones?|summer time|daylight saving)\b"
     r"|首都|省会|海拔|赤道|经度|纬度|接壤|边界|流经|发源|注入|简称|最[高长大深小远快](?:的|峰)|世界(?:上)?最|珠穆朗玛|长江|黄河|太平洋|大西洋"
     r"|东八区|格林尼治"),
    ("nature", r"\b(?:boil(?:s|ing)|freez(?:es|ing) (?:point|at)|melt(?:s|ing) (?:point|at)|atom(?:s|ic)?|molecul\w+|isotopes?|chemical"
     r"|element|hydrogen|oxygen|nitrogen|carbon dioxide|helium|sodium|calcium|potassium|photosynthesis|gravity|gravitational|acceleration"
     r"|planets?|jupiter|saturn|mars|venus|mercury|neptune|uranus|solar system|galaxy|light[- ]years?|the (?:moon|sun|earth)|dna|rna|cells?"
     r"|chromosomes?|mitochondri\w+|vitamin|insulin|enzyme|protein|bacteria|virus(?:es)?|mammals?|insects?|spiders?|octopus\w*|absolute zero"
     r"|speed of (?:light|sound)|newtons?|ohms?|ohm['’]s|kelvin|celsius|fahrenheit|pascal|joules?|hertz|ph (?:value|of)|species|honey ?bees?|reacts? with|hydroxide|acid|bones)\b"
     r"|^(?:water|ice|light|sound|iron|gold|silver|copper|salt|sugar|air|steel|glass|wood|blood|honey|milk) (?:is|are|has|boils|freezes|takes|travels|melts|consists|expands|contains)\b"
     r"|原子|分子|化学式|化学符号|反应生成|氢氧化|元素|沸点|熔点|冰点|凝固点|密度|氧气|氢|二氧化碳|绝对零度|光速|音速|声速|重力加速度|万有引力|牛顿|欧姆|摄氏|华氏|光年|行星|恒星|太阳系"
     r"|地球|月球|月亮|太阳|木星|火星|染色体|基因|细胞|光合作用|维生素|胰岛素|酶|哺乳|昆虫|脊椎|骨头|节气|冬至|夏至|春分|潮汐|声音在"),
    ("numbers", r"\b(?:triangle|hypotenuse|pythagor\w+|theorem|prime numbers?|square root|circumference|radius|diameter|derivative|integral"
     r"|factorial|fibonacci|standard deviation|median|logarithm|polygon|hexagon|octagon|binary|hexadecimal|golden ratio|even number|odd number"
     r"|degrees in|sum of (?:the )?(?:angles|squares))\b|π|\bpi is\b"
     r"|四边形|对角线?|平行线|三角形|直角边|勾股|圆周率|质数|素数|平方根|立方根|定理|导数|积分|黄金分割|中位数|标准差|平方和|圆的(?:面积|周长)|内角和|对数|阶乘|二进制|十六进制|补码"),
    ("measures", r"\b(?:(?:one|an?|1) (?:mile|kilomet(?:er|re)|inch|foot|feet|yard|pound|ounce|kilo(?:gram)?|gallon|lit(?:er|re)|pint|acre|hectare"
     r"|nautical mile|knot|tablespoon|teaspoon|cup|byte|nibble|kilobyte|kibibyte|kib|mib|gib|megabyte|stone|fathom|furlong|light[- ]year|century|decade"
     r"|fortnight|leap year|dozen|octave|semitone|carat|barrel|horsepower|calorie|kilowatt|degree|day|week|year|marathon)"
     r" (?:is|equals|has|contains|holds|corresponds|weighs|=|lasts)|(?:miles|feet|inches|pounds|ounces|gallons|acres|bytes|bits|litres|liters) (?:in|to|make|per) (?:a|an|one|the)"
     r"|leap years?|a4 (?:paper|sheet)|metric system)\b"
     r"|(?:一|1)\s?(?:公里|英里|海里|英寸|英尺|英镑|磅|盎司|公顷|亩|市斤|斤|克拉|加仑|升|字节|汉字|光年|刻钟|小时|平方公里|千瓦时|度电|马力|打|世纪|甲子|两|钱|尺|丈|米|吨)"
     r"\s?(?:等于|约|是|为|有|合|=|≈|即|包含)|闰年|平年|A4\s?纸"),
    ("history", r"\b(?:world war|cold war|civil war|treaty of|(?:french|russian|industrial|american|october) revolution|dynasty|roman empire|ottoman|emperor"
     r"|magna carta|berlin wall|renaissance|middle ages|\d{1,2}th century|united nations|european union|nobel prize|declaration of|constitution|was (?:born in|assassinated|introduced in)|lunar calendar|gregorian|ramadan|easter"
     r"|landed on|shakespeare|beethoven|mozart|bach|einstein|napoleon|columbus|in 1[0-8]\d\d|in 19[01]\d|gutenberg|moon landing)\b"
     r"|(?:秦|汉|唐|宋|元|明|清|隋|晋|周|商)(?:朝|代|末|初)|皇帝|年号|爆发于|战争|条约|起义|变法|建都|定都|即位|登基|世纪|诗人|词人|朝代|联合国|辛亥|甲午|五四|鸦片|世界(?:文化|自然)遗产|始建于|行政区|省份"
     r"|新中国|中华人民共和国|作者是|所作|出自《|四大名著|红楼梦|曹雪芹|秦始皇|统一六国|贝多芬|交响曲|李白|杜甫|鲁迅|孔子|公元|成立于|签订|诺贝尔|爱因斯坦|奥运会"),
    ("language", r"\b(?:nouns?|verbs?|adjectives?|adverbs?|pronouns?|prepositions?|past tense|participle|plural (?:of|form)|singular|subjunctive|genitive|dative"
     r"|accusative|conjugat\w+|gerund|vowels?|consonants?|syllables?|alphabet|(?:german|french|spanish|latin|japanese|chinese|english|italian|russian|greek) (?:has|word|for|noun|verb|grammar)"
     r"|apostrophe|antonym|synonym|is spel(?:led|t)|(?:word|term|phrase) [^.]{2,40} (?:means|comes from|derives)|comes from (?:the )?(?:latin|greek|french|old))\b"
     r"|形容词|副词|名词|动词|代词|介词|量词|助词|过去式|过去分词|复数|单数|第三人称|主语|谓语|宾语|被动语态|虚拟语气|从句|声母|韵母|声调|平声|仄|押韵|成语|偏旁|部首|笔画|繁体|近义词|反义词|敬语|五言|七律|绝句"),
    ("the web", r"\bhttps? ?(?:status|response|error)? ?(?:code )?[1-5]\d\d\b|\bstatus code\b|\b[1-5]\d\d (?:means|is|stands|indicates|signals|redirect|error)\b"
     r"|\b(?:tcp|udp|icmp|arp|dhcp|dns|smtp|imap|pop3|ftp|sftp|ntp|snmp|ldap|tls|ssl|ipv[46]|ip|mac|http[s2/3]{0,2}|rfc ?\d+|osi|cidr|nat|mqtt|websockets?)\b"
     r" ?(?:address(?:es)?|records?|ports?|handshake|protocol|uses?|is|are|has|have|listens|stands|runs|model|headers?|packets?|默认|端口|协议|是|使用|用|基于|建立|分为|地址|记录)"
     r"|\bport \d{2,5} (?:is|belongs|stands|by)|\bdefault port|\b(?:cname|mx|aaaa|txt|ns|ptr) records?\b"
     r"|三次握手|四次挥手|七层|状态码|默认端口|回环地址|子网掩码|私有地址"),
    ("computing", r"\bO\((?:1|n|log n|n log n|n\^?2|n²)\)|\b(?:quicksort|merge sort|bubble sort|binary search|hash (?:table|map)|linked list|lifo|fifo|big[- ]endian|little[- ]endian"
     r"|two['’]s complement|primary key|foreign key|(?:inner|left|right|outer|cross) join|acid|idempotent|vlookup|xlookup|sumifs?|countifs?|pivot table|regular expression"
     r"|unix (?:time|epoch|timestamp)|exit (?:code|status) \d+|signal \d+|sig(?:term|kill|int|hup)|ascii|utf-8|utf-16|unicode|base64|sha-?(?:1|256)|md5|aes(?:-\d+)?|rsa"
     r"|uuid|iso 8601|ieee 754|posix|crontab?|null|nan|boolean|ctrl|cmd|alt|shift|dpi|rgb|cmyk|hex (?:code|colou?r)|jpe?g|png|gif|svg|webp|mp3|flac|wav)\b"
     r" ?(?:[+-] ?\w|is|are|means?|sorts?|files?|stores?|keeps?|has|have|cannot|can|uses?|stands?|supports?|returns?|runs?|takes?|gives?|compress|排序|查找|是|表示|用|支持|不|的|为|会|函数)"
     r"|^an? (?:stack|queue|heap|deque|binary tree|hash|closure|mutex|semaphore|deadlock|race condition|pointer|cookie|symlink|hard link|inode|daemon|shebang|byte|nibble|foreign key|primary key)\b"
     r"|\b(?:is|are)(?: not)? idempotent\b|\b(?:excel|wps|sheets)\b[^.。]{0,8}(?-i:[A-Z]{3,})|\bcrontab fields|\butf-8 encodes|二分查找|快速排序|冒泡排序|归并排序|时间复杂度|先进先出|先进后出|主键|外键|左连接|内连接|右连接|栈是|队列是|字符编码|快捷键|转义字符|数组下标|通配符|大小写敏感|浮点数|有损压缩|无损"),
    ("arts and play", r"\b(?:in chess|bishops?|en passant|castling|checkmate|treble clef|bass clef|octave|semitones|quarter note|crotchet|a string quartet|standard tuning|concert pitch|440 hz"
     r"|f-number|f/\d|aperture|shutter speed|offside|marathon|soccer team|football team|chess board|primary colou?rs|complementary colou?rs)\b"
     r"|三原色|八度|半音|五线谱|高音谱号|光圈|快门|马拉松|象棋(?:里|中)|围棋(?:棋盘|盘)|国际象棋|足球(?:队|比赛)|标准音|十二平均律"),
)  # fmt: skip
"""Subjects of general knowledge; what is said of them is found again by anyone."""

STATES: Final = table(
    ("states", r"\b(?:is|are|was|were|means?|stands?|refers|consists?|contains?|equals?|has|have|does|do|can|cannot|had|ended|began|"
     r"(?!this|its|his|as|us|is|was|has|yes|always|plus|thus|users|hers)[a-z]{2,14}s|took place|fell|wrote|discovered|invented|painted|composed|landed)\b"
     r"|是|为|等于|约|即|叫|位于|表示|指|属于|分为|由|需要|出自|成立|发生|签订|建|含|有|按|默认|用|不|会|可以|[占达算]|在\s?\d|要加|沸腾|于|相等|从\s?\d|生成|一般|=|≈|读作|写作|流|注入|绕"),
)  # fmt: skip
