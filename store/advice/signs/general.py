"""What anyone learns at school or from a manual, told in the form of a definition or a fact.

A text counts as such if words of general education and forms in which such facts are told come
together in it: a word alone may be a name of the person's own.
"""

from __future__ import annotations

import re
from typing import Final

from store.advice.signs.phrases import table, words

_TERMS: Final = words(
    "mammal mammals reptile reptiles amphibian vertebrate vertebrates invertebrate insect insects"
    " whale whales penguin penguins dolphin dolphins octopus spider spiders fungus fungi algae"
    " bacteria"
    " bamboo fern conifer larva pollen chlorophyll chloroplast chloroplasts photosynthesis"
    " mitochondrion mitochondria cell cells nucleus chromosome chromosomes gene genes dna rna"
    " enzyme"
    " enzymes protein proteins hormone hormones insulin vitamin vitamins heart lungs liver kidney"
    " kidneys spleen pancreas skeleton skull spine femur retina cornea blood plasma artery arteries"
    " vein veins neuron neurons teeth muscle muscles human humans adult adults paracetamol"
    " ibuprofen"
    " aspirin acetaminophen penicillin antibiotic antibiotics vaccine drug drugs"
    " hydrogen helium carbon"
    " nitrogen oxygen sodium potassium calcium iron copper zinc silver gold mercury lead tin"
    " uranium"
    " chlorine neon iodine aluminium aluminum diamond graphite quartz granite marble basalt emerald"
    " ruby sapphire bronze brass steel alloy mineral atom atoms molecule molecules electron"
    " electrons"
    " proton protons neutron neutrons photon photons acid acids alkali ph isotope isotopes water"
    " ice"
    " steam salt sugar starch gluten yeast lactose caffeine alcohol ethanol baking soda powder"
    " flour"
    " egg eggs whites caramelisation caramelization maillard sourdough fermentation temperature"
    " celsius"
    " fahrenheit kelvin newton joule joules watt volt ohm hertz pascal gravity friction inertia"
    " momentum velocity acceleration energy entropy voltage current resistance frequency wavelength"
    " sound light planet planets sun moon star stars comet asteroid galaxy orbit orbits eclipse"
    " solar"
    " lunar earth venus mars jupiter saturn uranus neptune pluto equator tropic hemisphere latitude"
    " longitude continent continents ocean oceans sea river lake desert volcano glacier peninsula"
    " island mountain mountains population currency capital border borders official languages"
    " country"
    " countries triangle triangles square circle rectangle polygon hexagon octagon pentagon cube"
    " sphere angle angles radius diameter circumference hypotenuse prime divisor divisors factorial"
    " derivative integral matrix vector median mean variance logarithm pi root theorem fraction"
    " numerator denominator integer century empire emperor dynasty revolution treaty war battle"
    " monarchy republic parliament constitution renaissance reformation enlightenment pharaoh"
    " noun nouns"
    " verb verbs adjective adjectives adverb adverbs pronoun pronouns plural singular tense"
    " participle"
    " clause syllable syllables vowel vowels consonant consonants haiku sonnet limerick stanza"
    " rhyme"
    " metaphor simile tragedy comedy novel poem epic symphony opera concerto fugue octave semitone"
    " semitones clef minim crotchet quaver violin cello flute fresco impressionism baroque gothic"
    " aperture shutter iso exposure contract copyright patent trademark tort liability plaintiff"
    " defendant inheritance usufruct gdpr attorney offence felony inflation deflation interest"
    " compound gdp recession monopoly dividend bond bonds mile miles metre metres meter meters"
    " kilometre"
    " kilometres inch inches foot feet pound pounds ounce ounces gallon litre litres liter liters"
    " pint tablespoon teaspoon teaspoons acre hectare byte bytes bit bits kibibyte kilobyte degree"
    " degrees calories leap year chess knight bishop rook pawn castling football match marathon"
    " tennis"
    " basketball badminton goalkeeper offside lossless lossy compression checksum hash quicksort"
    " mergesort stack queue algorithm recursion pointer pointers boolean exception closure iterator"
    " generator mutex semaphore deadlock bytecode compiler interpreter endpoint idempotent"
    " transaction"
    " index tcp udp dns http https ip ipv4 ipv6 smtp imap tls port handshake packet packets router"
    " subnet png jpeg jpg gif svg webp mp3 flac wav pdf csv xml json yaml html css markdown latex"
    " utf-8 ascii unicode base64 tag tags sql null regex honey bee bees koala"
    " koalas domain vinegar acetic accused mandarin tide tides rainbow moisture chloride sodium"
    " tomato"
    " tomatoes botanical sigint sigterm"
)
_LANDS: Final = words(
    "africa asia europe america antarctica oceania australia austria belgium brazil canada chile"
    " china colombia croatia cuba czechia denmark egypt estonia ethiopia finland france germany"
    " greece hungary iceland india indonesia iran iraq ireland israel italy japan kenya korea"
    " latvia"
    " lithuania luxembourg malaysia mexico mongolia morocco nepal netherlands nigeria norway"
    " pakistan"
    " peru philippines poland portugal romania russia scotland serbia singapore slovakia slovenia"
    " spain sweden switzerland tanzania thailand tunisia turkey uganda ukraine vietnam wales"
    " kilimanjaro everest matterhorn baikal danube rhine nile amazon volga thames seine himalayas"
    " andes alps pyrenees sahara gobi pacific atlantic mediterranean baltic louvre"
)
_FAMOUS: Final = (
    r"(?:shakespeare|melville|austen|dickens|tolstoy|dostoe?vsky|cervantes|goethe|schiller|kafka"
    r"|homer|dante|orwell|hemingway|tolkien|joyce|proust|chekhov|bront[eë]|twain|wilde|ibsen"
    r"|picasso|rembrandt|vermeer|monet|van gogh|da vinci|leonardo|michelangelo|raphael|klimt"
    r"|dal[ií]|munch|botticelli|vivaldi|bach|mozart|beethoven|haydn|schubert|chopin|verdi|wagner"
    r"|puccini|tchaikovsky|debussy|handel|newton|einstein|darwin|galileo|kepler|copernicus|curie"
    r"|fleming|pasteur|mendel|faraday|maxwell|planck|bohr|heisenberg|turing|euclid|pythagoras"
    r"|archimedes|gauss|euler|edison|gutenberg|columbus|magellan|napoleon|caesar|cleopatra|plato"
    r"|aristotle|socrates|kant|nietzsche|descartes|zamenhof|torvalds|van rossum|berners-lee)"
)
_CLASS = (
    r"(?:mammals?|reptiles?|birds?|fish|insects?|grass(?:es)?|fruits?|plants?|fung(?:us|i)|metals?"
    r"|gas(?:es)?|elements?|alloys?|minerals?|proteins?|hormones?|enzymes?|drugs?|acids?|bases?"
    r"|tragedy|comedy|novel|sonnet|poem|opera|symphony|play|planets?|stars?|lakes?|rivers?"
    r"|mountains?|islands?|countr(?:y|ies)|continents?|desert|units?|numbers?|(?:image|audio|file"
    r"|data|text|video) formats?|protocols?|integers?|functions?|algorithms?|data structures?"
    r"|languages?|bones?|organs?|glands?|vitamins?|species|genus|family|particles?|theorem"
    r"|constant|dynasty|empire|war|treaty|tax|crime|right|word|tense|case|clause|synonyms?)"
)
_FORMS_EN: Final = table(
    ("one of a class", r"^(?:an? |the )?[\w' -]{2,40}? (?:is|are) (?:\w{1,24}ally |not )?(?:an?|the"
     rf"|both) (?:[\w-]{{1,20}} ){{0,4}}{_CLASS}\b"),
    ("a kind of", r"\b(?:is|are) (?:an? )?(?:[\w-]{1,16} ){0,2}(?:kind|type|variety|form|species"
     r"|alloy|breed|measure|branch|mixture|compound|unit) of\b|\bfound in\b"),
    ("called", r"\b(?:is|are) (?:also|otherwise|commonly) (?:called|known as)\b"
     r"|\b(?:two )?names for the same\b|\b(?:is|are) not the same(?: thing)?\b"),
    ("made of", r"\b(?:is|are) (?:made (?:up )?of|composed of|formed by|leavened by|measured in"
     r"|divided into)\b|\bconsists? of\b"),
    ("any one of them", r"^(?:an?|all|most|every) [a-z][a-z -]{2,30}? (?:has|have|is|are|ends?"
     r"|lasts?|contains?|can|cannot|maps?|measures?|boils?|melts?) "),
    ("a fact of the kind", r"^(?:[A-Z][a-z]{2,14}|[A-Z]{2,5}s?"
     r"|the human \w{1,24})(?: [a-z]{3,12}){0,2}"
     r" (?:has|have|lies|flows|lowers|turns?|expands?|freezes|boils?|melts?|begins?|travels?"
     r"|needs|contains?|means|live|lays?|uses|listens?|makes?) "),
    ("superlative", r"\bthe (?:largest|smallest|highest|deepest|longest|hardest|fastest|oldest"
     r"|hottest|coldest|nearest|lightest|heaviest|tallest|biggest|most \w{1,24}) [\w -]{3,40}?"
     r"(?:(?: in| of| on) (?:the )?(?-i:[A-Z])\w{1,24}| in the (?:world|body|solar system)"
     r"| on earth|$|\.$)"),
    ("a measure", r"\b\d[\d.,]{0,24} ?(?:°|degrees|km\b|metres|million|billion|bits\b|bytes"
     r"|percent)"),
    ("a year", r"\bin 1[0-9]\d\d\b|\b\d{1,2}th century\b"),
    ("a relation", r"\b(?:currency|capital|population|symbol|plural|past tense|boiling point"
     r"|square root|author|inventor|official languages?) of\b"),
    ("against another", r"\b(?:faster|slower|larger|smaller|heavier|lighter|harder|denser|hotter)"
     r"[\w ]{0,16} than\b|\b(?:is|are) (?:[\w-]{1,24} )?(?:capitalised|capitalized|case-sensitive"
     r"|lossless|lossy|immutable|mutable|reversible|compatible with)\b"),
    ("in a field", r"^in (?:music|chess|law|physics|chemistry|biology|grammar|maths|mathematics"
     r"|football|tennis|statistics|photography|cooking|baking|astronomy|(?:german|english"
     r"|french|spanish|latin|italian|japanese|chinese)), "),
    ("plainly", r"\b(?:stands|lasts?|came into force|ended the|began in|takes place in|makes text"
    r"|defines the|digits?|is derived|evolved from|orbits?|rises in the (?:east|west)|equals"
     r"|to the power of|speeds up|slows down|describes how|fell in \d{4}|carr(?:y|ies) oxygen"
     r"|never spoils|is diluted|presumed innocent)\b|\btimes [a-z]{1,20}\.?$"),
)  # fmt: skip
_WORKS: Final = table(
    ("a work and who made it", r"\b(?:written|composed|painted|discovered|invented|created"
     rf"|formulated|proved|designed|sculpted) by (?:[A-Z][\w.]{{0,24}} ){{0,3}}{_FAMOUS}\b"
     rf"|^(?:[A-Z][\w.]{{0,24}} ){{0,2}}{_FAMOUS} (?:wrote|composed|painted|discovered|invented"
     r"|formulated|proved|was (?:born|an?|the))\b|\bby (?:william )?shakespeare\b"
     r"|^the mona lisa\b|^(?:the )?iliad\b"),
    ("a law by name", rf"\b{_FAMOUS}['’]s (?:law|laws|theorem|principle|comet|constant|theory)\b"
     r"|\b(?:ohm|hooke|boyle|moore|murphy|halley|avogadro|parkinson)['’]s (?:law|comet"
     r"|number|constant)\b"),
)  # fmt: skip

_TERMS_ZH: Final = (
    r"(?:哺乳动物|爬行|两栖|脊椎|鸟类|鱼类|昆虫|蜘蛛|鲸鱼?|企鹅|海豚|章鱼|真菌|细菌|病毒|藻类"
    r"|竹子|番茄|禾本科|豆科|蔷薇科|果实|光合|叶绿|线粒体|细胞|染色体|基因|酶|蛋白质?|激素"
    r"|胰岛素|维生素|心脏|肺|肝|肾|脾|胰|骨骼|骨头|颅骨|视网膜|血液|血糖|血压|动脉|静脉|神经元"
    r"|牙齿?|肌肉|人体|体温|成年?人|对乙酰氨基酚|扑热息痛|布洛芬|阿司匹林|青霉素|抗生素|疫苗|氢|氦"
    r"|碳"
    r"|氮|氧|钠|钾|钙|铁|铜|锌|银|金|汞|铅|锡|铀|氯|铝|钻石|石墨|花岗岩|大理石|青铜|黄铜|合金"
    r"|矿物|原子|分子|电子|质子|中子|光子|酸碱|[酸碱盐](?=[与和，])|水(?=结|在|是|的|由)|冰|蒸汽"
    r"|小苏打|泡打粉|酵母|面筋|淀粉|乳糖|咖啡因|酒精|蛋清|蛋黄|白砂糖|焦糖|美拉德|发酵|温度|摄氏"
    r"|华氏|重力|摩擦|惯性|动量|速度|能量|电压|电流|电阻|频率|波长|声音|光年|光速|行星|恒星|彗星"
    r"|太阳|月球|地球|金星|火星|木星|土星|天王星|海王星|星系|日食|月食|赤道|回归线|北半球|南半球"
    r"|经度|纬度|大洲|大洋|太平洋|大西洋|印度洋|黑海|地中海|多瑙河|尼罗河|亚马[逊孙]|莱茵|长江"
    r"|黄河|贝加尔|青海湖|乞力马扎罗|珠穆朗玛|喜马拉雅|阿尔卑斯|撒哈拉|火山|冰川|半岛|首都|省会"
    r"|货币|官方语言|国土|面积|人口|日本|韩国|法国|德国|英国|美国|俄罗斯|瑞士|瑞典|挪威|芬兰"
    r"|意大利|西班牙|葡萄牙|希腊|埃及|印度|泰国|越南|巴西|加拿大|澳大利亚|墨西哥|阿根廷|土耳其"
    r"|冰岛|荷兰|三角形|正方形|圆形?|矩形|多边形|[五六八]边形|立方体|角度|半径|直径|周长|质数"
    r"|素数|约数|倍数|阶乘|导数|积分|矩阵|向量|中位数|平均数|方差|对数|圆周率|平方根|定理|定律"
    r"|分数|分母|整数|世纪|帝国|皇帝|王朝|[秦汉唐宋元明清]朝|革命|条约|战争|之战|之乱|变法"
    r"|共和国|议会|宪法|文艺复兴|法老|唐玄宗|秦始皇|康熙|孔子|儒家|道家|故宫|长城|卢浮宫|名词"
    r"|动词|形容词|副词|代词|助词|复数|单数|过去式|分词|从句|音节|元音|辅音|声调|平假名|片假名"
    r"|补语|绝句|律诗|七律|五律|宋词|首字母|比喻|拟人|悲剧|喜剧|小说|史诗|交响曲|歌剧|协奏曲"
    r"|音程|半音|五线谱|小提琴|大提琴|二胡|古琴|光圈|快门|曝光|感光度|合同|著作权|专利|商标|侵权"
    r"|原告|被告|继承|民法典|诉讼时效|定金|订金|刑法|自然人|法人|通货膨胀|通货紧缩|复利|国内生产"
    r"|货币政策|垄断|股息|债券|英里|海里|公里|英寸|英尺|盎司|加仑|汤匙|茶匙|公顷|平方米|字节"
    r"|比特|闰年|端午|春节|中秋|清明|重阳|冬至|夏至|节气|农历|生肖|天干|地支|国际象棋|中国象棋"
    r"|围棋|足球|篮球|排球|羽毛球|乒乓球|马拉松|无损|有损|哈希|校验和|排序|二分|队列|算法|递归"
    r"|指针|布尔|闭包|迭代器|互斥锁|死锁|字节码|编译器|状态码|响应|握手|端口|数据包|子网|身份证号"
    r"|食盐|氯化|醋酸?|面粉|蜂蜜|蜜蜂|考拉|红细胞|白细胞|氧气|质量|加速度|次方|人民币|公历|立春"
    r"|阴阳|敬辞"
    r"|谦辞|刑法|罪刑法定|劳动合同|试用期|索引|外键|主键|柏林墙|都城|彩虹|潮汐|唐诗|初唐|四杰|星号"
    r"|正则|加粗|(?<![A-Za-z])(?i:tcp|udp|dns|https?|ipv[46]|smtp|imap|tls|png|jpe?g|gif|svg"
    r"|mp3|flac|pdf|csv|xml|json|yaml|html|css|markdown|utf-8|ascii|unicode|base64|sql|vim|gdp"
    r"|dna|rna|python|javascript|java)(?![A-Za-z]))"
)
_FORMS_ZH: Final = table(
    ("of a class", r"^[^，。：的]{1,12}?(?:都|也)?(?:属于|是)[^，。]{0,16}?(?:的一种|哺乳动物|果实"
     r"|植物|动物|合金|元素|单位|语言|格式|协议|行星|恒星|国家|岛屿?|沙漠|湖|山峰|河流?|工厂"
     r"|小说|诗人|物质|气体|金属|创始人|科|目|纲|属)(?=[，。]|$)"),
    ("called", r"(?:又|也|亦|俗|统|简)(?:叫|称|名)(?:作|为)?|是同一种|不是一回事|是[^，。]{1,12}的"
     r"(?:缩写|简称|全称|俗称|别称|近义词|反义词)|(?<![”\"])(?:是指|指的是)|就是利滚利"),
    ("made of", r"由[^，。]{1,16}(?:组成|构成|合成|产生|合金)|构成的|生成[^，。]{1,10}|分为"),
    ("a fact of the kind", r"^[^，。：]{1,12}?(?:会|能|可以|可|把|遇|在)[^，。]{0,16}?(?:降低|升高"
     r"|变成|映射|凝固|融化|沸腾|生锈|膨胀|收缩|氧化|溶解|分解|发光|导电|进行|焦糖化)"),
    ("so many of it", r"(?:一共|共|一般|各|每句)?有?(?:\s?\d[\d.,]{0,24}"
     r"|[一二两三四五六七八九十百]{1,4})"
     r"\s?(?:条|颗|根|句|个(?:腔|字|约数|元音)|种(?!吃|做|写)|块骨|对染|度|位(?![客同老])|分钟"
     r"|小时|万|亿|公里|米|年(?![前后级])|国|字节)"),
    ("a relation", r"的(?:首都|省会|货币|人口|面积|化学式|化学符号|平方根|沸点|熔点|过去式|复数"
     r"|作者|保护期|全称|尺寸|距离|官方语言|反义词|近义词|创始人)(?:约?是|为|约|等于|一般)?"),
    ("equal", r"\d\s?摄氏度|(?<![不])(?:约)?等于|约为?\s?\d|(?:约|大约)[^，。]{0,4}\s?\d"),
    ("where", r"(?:注入|流经|发源于|位于|生活在|分布在|藏于|坐落于|东起|西起|接壤|毗邻)"),
    ("when", r"始于|建于|爆发于|诞生于|发生[在于]|公元前?|[起自]施行|农历(?:正"
     r"|[一二三四五六七八九十]{1,2})月"),
    ("against another", r"比[^，。]{1,12}(?:快|慢|大|小|重|轻|硬|多|少|高|低)(?=[，。]|$)|最[大小高"
     r"深长硬短快近远轻重]的?|昼最短|昼最长"),
    ("by rule", r"变性|变质|升起|落下|运输|统一六国|倒塌|罪刑法定|主要成分|敬辞|谦辞|双倍返还"
     r"|不超过六个月|加快|拖慢"
     r"|含量|原子序数|大写|小写|后接|同音|押韵|兼容|区分|不区分|无损|有损|不允许|没有正文|保持"
     r"|以最短"
     r"|表示|退化|返回|写在[^，。]{1,10}[前后]面"),
)  # fmt: skip
_WORKS_ZH: Final = table(
    ("a work and who made it", r"《[^》]{1,16}》(?:的作者)?是[^，。我他她]{1,10}?(?:写的|画的|作的"
     r"|的"
     r"作品|所[作著写绘]|谱写的|创作的|(?=[，。]|$))|《[^》]{1,16}》(?:由|为)[^，。]{1,8}(?:所作"
     r"|所著"
     r"|创作|谱写|撰)|《[^》]{1,16}》(?:收?藏于|出自)|^[^，。]{1,12}是[^，。]{2,8}(?:发现|发明|提出"
     r"|创立|首创)的"),
)  # fmt: skip
_OWN_SENSE = re.compile(
    r"(?i)\b(?:on the map|desk|fridge|kiln|firm|projects?|aquarium|meetings?|per loaf|debug"
    r"|extra fields"
    r"|medication|stoneware|bracket|kitchen|wall|breakfast|lunch|dinner|notebooks?|config|parser"
    r"|manual|club"
    r"|group|cot|fountain|phone|certificate[s]?|headings?|handouts?|worksheets?|training|off"
    r" limits|runs the|name of the|calendar|barn|hives|bed|guests?|orders?|posters?|list items"
    r"|meets?|stand(?:s)? (?:in|behind|on|at)|in the (?:config|drawer|garden|hall|shed|cellar"
    r"|attic|garage)|prod|branch|plugin|tariff|a no\b|first in|set in|comes with|per person)\b"
    r"|(?<![\w.])[A-Z][a-z]{2,12}['’]s (?!law|comet|theorem|number|constant|principle)"
    r"|(?<![\w.])(?-i:(?!The|An?|In)[A-Z][a-z]{2,12}['’]s) (?:mac|laptop|pc|desk|account)"
)
_OWN_SENSE_ZH = re.compile(
    r"(?<!可)用[^，。]{1,8}不用|不用|写中文|开头|抬头|署名|栋|小区|门店|店|社团|送|收藏|清洗|早饭"
    r"|挂件|播种|箱蜜|医生说|忌|服用|解析器|配置|插件|停在|命名|标题|正文用|缩进|分支|提交信息|报表"
    r"|看不惯|目标是|祖父|家的?狗|的名字|名叫|关机|集合|开门|讲课|只讲|奖励|专用|号房|报价|样地"
    r"|笔记|每周"
    r"|上课|训练(?!集)|放在|存放|值班|客房|货(?!币)|库存|价(?!值|格)|打印机|会议|邮件服务器|进度"
    r"|整夜|地图上|技术栈|商城|会议|等级分|里最长的会|没有[^，。]{0,6}分区|对调|这个|这台|那台"
    r"|仓库|的证书|习题|作业|课代表|学员|学生|玩|养了"
)


def terms_in(text: str) -> set[str]:
    """The words of general education in `text`."""
    return {found[0].lower() for one in (_KNOWN, _KNOWN_ZH) for found in one.finditer(text)}


def is_own_sense(text: str) -> bool:
    """Whether a word of general education is used for something of the person's own."""
    return bool(_OWN_SENSE.search(text) or _OWN_SENSE_ZH.search(text))


def is_lesson(sentence: str) -> bool:
    """Whether one short text tells a fact that stands in any schoolbook or manual."""
    if is_own_sense(sentence):
        return False
    if _WORKS.search(sentence) or _WORKS_ZH.search(sentence):
        return True
    terms = {found[0].lower() for found in _KNOWN.finditer(sentence)}
    forms = len({found[0] for found in _FORMS_EN.finditer(sentence)})
    if not _HAN.search(sentence):
        return _counts(terms, forms, _PLAIN_EN.search(sentence))
    terms = {found[0].lower() for found in _KNOWN_ZH.finditer(sentence)}
    forms = len({found[0] for found in _FORMS_ZH.finditer(sentence)})
    return _counts(terms, forms, _PLAIN_ZH.search(sentence))


def _counts(terms: set[str], forms: int, plain: object) -> bool:
    """Whether subjects and forms come together, or a subject's name opens a plain statement."""
    return bool(terms) and (plain is not None or (forms > 0 and len(terms) + forms > 2))


_PLAIN_EN = re.compile(
    rf"^(?i:(?:an? )?(?:{_TERMS})(?: and (?:{_TERMS}))?|(?:mount|lake) \w{{1,24}}|the (?:{_TERMS}))"
    r"(?: [a-z]{3,10}(?<!s)){0,1} (?:has (?:no|two|three|four|five|six|seven|eight|nine|ten"
    r"|twelve|fourteen|\d|an average)|have \d|can(?:not)? [a-z]{1,20} |contains |consists |means a"
    rf"|is (?:an?|the) (?:[\w-]{{1,24}} ){{0,3}}(?:{_CLASS}|[a-z]{{3,9}}est|variety|kind|form)\b"
    rf"|are \w{{1,24}}ly"
    r"|makes text|is (?:in|on) (?:the )?[A-Z][a-z]{1,20}|keeps insertion|ends with the|is formed by"
    r"|came into|measures \d|maps|lasts? (?:for )?\d{1,12} (?:minutes|years after)|comes before"
    r"|produces|is interest)"
)
_PLAIN_ZH = re.compile(
    r"^[一-龥]{1,4}[山湖河江岛峰](?:全长|海拔|位于|注入|流经|发源于)"
    rf"|^(?:世界上|自然界|人的?|一个)?(?:{_TERMS_ZH})(?:山|水|石)?(?:是|的[^，。]{{2,6}}是|有"
    r"|一般|全场|一共|长|可以|会|能|把|就是|是指|属于|不|里(?:的)?[^，。]{1,10}|自[^，。]{2,10}|在"
    r"[^，。]{1,10}|东起)[^，。我]{0,20}?(?:的一种|的物质|\s?\d{1,12} (?:分钟|位|年|公里|颗|度)"
    r"|[一二两"
    r"三四五六七八九十]个腔|[一二三四五六七八九十]种|[一二三四五六七八九十]条边|成立|施行|凝固"
    r"|生锈|膨胀"
    r"|字节|大写|前面|映射|固定长度|资源|正文|科|上涨|利滚利|假名|降低|血糖|亚|非|洲|湾|岛|关)"
)


_HAN = re.compile(r"[\u3400-\u9fff]")
_KNOWN = re.compile(
    rf"(?i)\b(?:{_TERMS}|{_LANDS}|{_FAMOUS})\b(?!['’]s [a-z]{{1,20}} (?:folder"
    r"|desk))"
)
_KNOWN_ZH = re.compile(_TERMS_ZH)
