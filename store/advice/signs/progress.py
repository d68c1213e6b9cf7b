"""How far some work is: what is under way at the time of writing. English and Chinese."""

from __future__ import annotations

import re

from store.advice.signs.phrases import sentences, table
from store.advice.signs.verbs import ENDED

_WORKING = (
    r"(?:half ?way|working (?:on|through)|debugging|investigating|migrating|refactoring|writing"
    r"|rewriting|testing|implementing|waiting|fixing|reviewing|porting|converting|translating"
    r"|building|preparing|importing|training|upgrading|cleaning|setting up|drafting|editing"
    r"|stuck|blocked|reading|rolling out|going through|blocked (?:on|by))"
)
_ENDED = (
    r"(?:done|complete|completed|finished|works|passes|green|merged|ready|written|ported|migrated)"
)
_OPEN = (
    r"(?:pending|to go|missing|red|failing|fails|not yet|remaining|remains?|outstanding|stubbed"
    r"|left"
    r"|untouched|in review|unfinished|to do|not started|still)"
)
_NUMBER = r"(?:\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten|a few|some)"
_PART = r"(?:step|phase|part|stage|chapter|milestone|lesson|module|section|level|batch|item|page)"
_PROGRESS = table(
    ("work at this moment", r"\b(?:currently|right now|at the moment|now|presently|busy|still"
     rf"|i am|i['’]m|we are|we['’]re|(?:user|he|she) is) (?:busy )?{_WORKING}\b(?! remote)"),
    ("work these days", r"\b(?:working|debugging) on\b[^.\n]{0,80}\b(?:today|this (?:session|week)"
     r"|now|currently)\b"),
    ("work at this moment", rf"(?:^|\n)(?:{_WORKING}) (?:the|an?|his|her|our|for|on|through|from"
     r"|all) "
     r"(?![^\n]{0,60}(?:\b(?:is|are)\b|:))"),
    ("a place in it", rf"\b{_PART} \d{{1,3}} (?:now|so far|has started|started|begun|is next"
     r"|pending|open)\b"
     rf"|\b(?:now|are|is|am) (?:on|at|in) {_PART} (?:\d|{_NUMBER}\b)"),
    ("half of it", r"\bhalf ?way (?:through|done|into)\b|\b(?:partly|partially|half|mostly|nearly"
     r"|almost) (?:done|finished|complete|written|migrated)\b|\bhalf of (?:it|the (?:work|pages"
     r"|files|tables|tests|data|chapters)) (?:is|are)\b"
     r"|\b(?:is|are) (?:still )?(?:unfinished|incomplete|half (?:done|written))\b"),
    ("where it stands", r"\b(?:stopped|paused|left off|stuck|got stuck) (?:at|on|in|after|before"
     r"|with|halfway)\b|\bgot (?:as far as|up to)\b"),
    ("marks", r"[⏳🚧🔄⌛]|✅[^\n]{0,80}[❌⬜☐]|\[x\][^\n]{0,80}\n?[^\n]{0,10}\[ \]"),
)  # fmt: skip
_DOING_ZH = (
    "做|写|改|修|调试|调|迁移?|重构|测试?|处理|排查|实现|等|开发|进行|升级|整理|翻译|搭建?"
    "|训练|跑|清洗|审"
    "|对接|导入|联调|部署"
)
_SOME = (
    r"(?:\d{1,5}|[一二两三四五六七八九十几百千万]{1,4})"
    r"\s?[项个条张章篇台份页步节课轮批天年处台家人组]"
)
_PROGRESS_ZH = table(
    ("said outright", r"进行中|仍在进行|还在进行|推进中|施工中|开发中|迁移中|测试中"),
    ("waiting", r"[，；]在?等[^，。；\n]{1,8}?(?:反馈|回复|确认|审批|审核|批复)"),
    ("where it stands", r"(?:做|写|改|跑|测|走|进展)到[^，。\n]{1,14}?这一?步"),
    ("how far", r"进度\s?(?:为|是|约|大概|：|:|到)?\s?(?:\d|[一二三四五六七八九过]|百分|大?半)"
     r"|进展到|进度[：:]"),
    ("a share of it", r"[^\s。，]了(?:一半|一?大半|过半|[一二三四五六七八九]成)|到一半"
     r"|(?:约|大概|差不多|已经?)\s?[三四五]分之|目前[^。，\n]{0,10}了\s?\d"),
    ("said outright", r"(?:翻译|写|改|读|测|做|迁移|开发|整理|校对)[^，。\n]{0,12}中[，,。]"),
    ("what is left", rf"(?:还剩|还差|剩下?|余下|(?<![时温相])差)(?:下|着|最后)?\s?{_SOME}|还剩着"
     r"|[剩差]\s?(?:\d"
     r"|[一两])[^。，\n]{0,12}"
     r"(?:没|未|待)"),
)  # fmt: skip

_STATE = (
    r"(?:living|working (?:as|at|for|from|in|remotely|nights|part)|studying|using|running|based"
    r"|learning|renting|staying|serving|teaching|employed|holding|sharing|wearing|driving|playing"
    r"|following|paying|owning|being|having|standing|looking after)"
)
_COUNT = (
    r"(?:\d{1,3}(?:[,.]\d{3})*k?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)"
)
_SHARE = (
    r"(?:half|(?:a|one|two|three)[ -](?:third|quarter|fifth)s?|most|the bulk|\d{1,3} ?(?:%|percent"
    r"|per cent))"
)
_NOWHERE = (
    r"(?!ports?|versions?|v|rooms?|floors?|python|node|line|building|team|ward|level|python"
    r"|php|java"
    r"|ubuntu|debian|age|channel|takes|costs|has|uses|needs|runs|shows|about|over|under"
    r"|around|with|slot|vlan|bus|tram|platform|gate|grade|year|class|form|table|desk)"
)
_BARE = rf"(?:{ENDED}|up|done|ready|complete|over|in place|finished|works|green|through)"
_REST = (
    r"(?:pending|missing|remaining|to go|not yet|still (?:\w{1,24}ing|to|needs?|missing|open|not"
    r"|has|have)|in review|awaits?"
    r"|awaiting|stuck|failing|unfinished|under ?way|not started|not (?:been |yet )?(?:\w{1,24}ed"
    r"|found|done|begun|written|built|made)|working on|now (?:at|on|in)|half[ -]?way"
    r"|in progress|hangs?"
    r"|undone|now on|blocked|ongoing)"
)
_REST_END = (
    r"(?:(?<!the )left|next|open|remains?|to come|to follow|untouched|outstanding|waiting"
    r"|fails|begun|running|ahead|started"
    r"|to do|red|is the rest|still)"
)
_FORMS = table(
    ("so many of so many", rf"\b{_COUNT} ?(?:of|/|out of) (?:the |all |his |her |our )?(?:about "
     rf"|some )?{_COUNT}\b[^.\n]{{0,50}}?\b(?:(?!run|put|set|cut|shut|hung){ENDED}|done|so far"
     r"|through|left|now|already)\b"
     rf"|\b(?:(?!run|put|set|cut|shut|hung){ENDED}|done|so far|at|through|now"
     rf"|already)\b[^.\n]{{0,30}}?\b{_COUNT}"
     rf" ?(?:of|/|out of) (?:the |all )?{_COUNT}\b"),
    ("a place in it", r"\b(?:now|currently|reached|up to|got to|get to|gotten to|stopped at|paused"
     r" at|as far as|arrived at|left off at) (?:on |at "
     rf"|in )?(?:the )?{_NOWHERE}[a-z]{{3,14}} \d{{1,4}}\b"),
    ("a share of it", r"\b(?:stands|is|are|sits|currently|now|reached|hit) (?:at |roughly "
     r"|about |now )"
     r"{1,2}\d{1,3} ?(?:%|percent|per cent)(?! (?:of|humidity|charge|or|when))"),
    ("a share of it", rf"\b(?:about |roughly |some )?{_SHARE} (?:of|through|into) [^.,;\n]{{2,40}}?"
     rf"\b(?:is|are|has been|have been|now|already) (?:now |already )?{ENDED}\b"),
    ("a share of it", r"\b(?:about |roughly |some )?(?:half(?:way)?|\d{1,3} ?(?:%"
     r"|percent))(?: of the way)?"
     r" (?:through|into|done|there)\b"),
    ("on its way", r"\bon (?:course|track|schedule) (?:to|for)\b|\b(?:is|are|still"
     r"|already) (?:well )?under ?way\b"
     r"|\b(?:down|up) from \d[\d,.]{0,24} to \d|\bgetting there\b|\b(?:first|second|third"
     r"|rough) draft"
     r" (?:is |now )?(?:done|ready|finished|written)\b"),
    ("a place in it", r"^[a-z]{3,14}ing [^,\n]{3,60}, (?:now|currently|still|already) (?:at"
     r"|on|in|with|up to)\b"),
    ("so far", rf"\bso far\b[^.\n]{{0,60}}\b{ENDED}\b|\b{ENDED}\b[^.\n]{{0,60}}\bso far\b"
     rf"|\b(?:until|up to|till) now\b[^.\n]{{0,40}}\b{ENDED}\b"),
    ("a place in it", r"\bat (?:row|page|step|chapter|stage|level|unit|lesson|verse|bar"
     r"|scene|frame|slide|item|entry|letter|box|section|round|module"
     r"|part) \d|\b(?:has|have) reached (?:\d|page|chapter|the (?:letter"
     r"|year|end of (?:chapter|part|volume)))|^(?:still )?waiting (?:on"
     r"|for)\b"),
    ("a share of it", r"\b(?<!set )(?<!kept )(?<!capped )(?<!limited )at \d{1,3} ?(?:%"
     r"|percent|per cent)(?=[,.;]|$)"),
    ("what is left", rf", (?:about |some |another |only )?{_COUNT} (?:\w{{1,24}} )?(?:to (?:go|do"
     r"|check|read|write|scan|sort|review|move|come|test|paint|print"
     r"|convert))(?=[.,;]|$)"),
    ("at this moment", r"^(?:now |currently )?(?:working|busy) (?:on|with) (?:the|his|her"
     r"|our)\b|\b(?:in|under) (?:review|translation|revision"
     r"|appeal) (?:at|since|until|with|by)\b"),
    ("being done", r"\b(?:is|are) (?:currently |now |still |just )?being (?!phased|used"
     rf"|kept){ENDED}\b"),
    ("at this moment", r"\b(?:currently|right now|at the moment|at present|presently"
     r"|these days|this week"
     rf"|as we speak)[, ](?:\w{{1,24}} ){{0,2}}?(?!{_STATE})[a-z]{{3,14}}ing\b"
     r"|(?:is|are|am|['’]m|['’]re) (?:still|busy|in the middle of"
     rf"|midway through) (?!{_STATE})[a-z]{{3,14}}ing\b"
     r"|\b(?:in the middle of|midway through|partway through|part-way through)\b"),
    ("some ended, some open", rf"\b{_BARE}(?: [\w-]{{1,24}}){{0,5}} ?[,;:–—-] (?:but |and "
     r"|while )?[^.\n]{0,60}?"
     rf"\b(?:{_REST}\b|{_REST_END}(?=[.,;)]|$))"),
    ("some open, some ended", rf"\b(?:{_REST}|{_REST_END}) ?[,;] (?:but |and "
     rf"|while )?[^.,;\n]{{2,40}} (?:is |are |was |were )?{_BARE}"
     r"(?=[.,;]|$)"),
    ("what is left", rf"\b(?:{_COUNT}|the rest|the remainder"
     r"|only \w{1,24})(?: \w{1,24}){0,4} (?:to go|left(?! (?:hand|side|of))"
     r"|remaining|remain|remains|outstanding|to come|still (?:missing|open|to \w{1,24}))(?=[ .,;)]"
     r"|$)"),
)  # fmt: skip
_N_ZH = r"(?:\d{1,6}(?:\.\d)?|[一二两三四五六七八九十百千万]{1,5})"
_FORMS_ZH = table(
    ("a place in it", rf"(?:[一-龥》”」]到了?|目前在|现在在|停在|卡在)\s?第\s?{_N_ZH}"
     r"|[做写读看学跑改听刷练背抄录扫校]到了?\s?[A-Za-z0-9“《「]"),
    ("a place in it", rf"第\s?{_N_ZH}\s?[一-龥]{{1,2}}[^。；\n]{{0,10}}?[，（(](?:一共|总共"
     r"|全书|全部|全套|共)"
     rf"[^，。\n]{{0,4}}{_N_ZH}"),
    ("so many of so many", rf"{_N_ZH}\s?[一-龥]{{0,3}}(?:里|中|当中|里面"
     r"|之中)[，]?[^，。；\n]{0,8}?(?:了|完|好)"
     rf"[^，。；\n]{{0,3}}{_N_ZH}"),
    ("so many of so many", rf"(?:一共|总共|共|全部|合计)[^，。；\n]{{0,8}}?{_N_ZH}[^，。；\n]"
     r"{0,6}[，,；][^。\n]{0,12}?"
     rf"(?:已|了|完|才|到)[^，。；\n]{{0,6}}{_N_ZH}"),
    ("so many of so many", r"(?:已|了|完|好|目前|进度)[^，。；\n]{0,8}?\d{1,5}\s?/\s?\d{1,5}"
     r"|(?<![\d/])\d{1,5}\s?/\s?\d{1,5}(?![\d/])[^，。；\n]{0,4}(?:已|完成|做完)"),
    ("a share of it", r"[^，。；\n]{2,14}?(?:约|大约|大概|差不多|近|快|到"
     rf"|了){_N_ZH}成(?=[，。；]|$)"),
    ("so many of so many", rf"{_N_ZH}\s?[一-龥]{{0,2}}[^，。；\n]{{0,4}}已[一-龥]{{1,3}}\s?{_N_ZH}"
     rf"|(?:完成?|好|到)\s?{_N_ZH}\s?[一-龥]{{0,2}}，(?:一共|总共|共)\s?{_N_ZH}|读到卷"
     rf"|了\s?{_N_ZH}\s?[一-龥]{{0,2}}(?:里|中|当中)的\s?{_N_ZH}"),
    ("a place in it", r"\b(?:number|no\.?|item) \d{1,4} of \d{1,5}\b"),
    ("so many of so many", r"(?:目前|至今|到现在|截至|眼下)[^。；\n]{0,24}?(?:了|完|好|有"
     rf"|到)[^，。；\n]{{0,4}}{_N_ZH}"),
    ("at this moment", r"(?:^|[，。；：])[^，。；\n]{1,8}?在(?:联调|测试|调试|修改?|改|写|做"
     r"|审|排版?|校对|翻译|装修|整理|开发|排查|等)(?=[，。；\n]|$)"),
    ("a share of it", r"(?:了|已经?|目前|现在|完成|进度|才|刚)[^，。；\n]{0,10}?(?:一半"
     rf"|[大小过]半|{_N_ZH}\s?成(?![了为本就都])"
     r"|\d{1,3}\s?%|百分之|[二三四五]分之)"),
    ("what is left", r"[，。；：]\s?(?:还|只|就|仅|目前|最后|现在)?[剩差]下?(?:了|着"
     r"|的是)?(?![余菜饭]|[别异距一点][，。的]|下?的(?!是)|余价值|不多)"
     r"[^，。；\n]{1,24}"),
    ("at this moment", r"(?:^|[，。；：])\s?(?:目前|现在|眼下|这两天|最近)?(?:还)?(?:正在|正"
     r"|在)(?:把|给|帮|对|跟|和|陪|逐|重新)"
     r"|(?:^|[，。；：])\s?(?:目前|现在|眼下)?正在(?!使用|营业|服役|上学|就读|读研|读博|用的|准备"
     r"|备考|怀孕|休|减|戒|学(?!到)|还[房车贷]|服|治|养|找工作|长|换牙|住|上班|工作)"
     r"[^，。；\n]{2,}"),
    ("under way", r"[一-龥](?:进行|推进|进展|开展|排查|处理|审核|审批|施工|联调|收尾|装修"
     r"|翻译|整理|开发|迁移|编写|测试|等待|制作|校对)中"
     r"(?=[，。；、（(\n]|$)|(?:推进|进行|进展|推动)(?:到|至|得)"),
    ("some ended, some open", r"(?:已|都|完(?!成的)|好|通过?"
     r"|过了)(?!的)[^，。；\n]{0,8}[，,；;、](?!未完成的)[^。\n]{0,3"
     r"0}?(?:卡在|卡住|还没|还在"
     r"|尚未|未|没做|没写|没动|待|正在|进行中|等着|还差|还剩|没轮到)"),
    ("so many of so many", r"(?:^"
     rf"|[，。；：])\s?(?!一共){_N_ZH}\s?[一-龥]{{1,8}}?[一-龥]了\s?{_N_ZH}"),
    ("so many of so many", rf"了\s?{_N_ZH}\s?[一-龥]{{0,3}}[，,](?:一共|总共|共|全部|还有"
     r"|还差|还剩|总计)"),
    ("a place in it", r"(?:做|写|读|看|学|练|改|录|抄|背|排|绣|织|画|译|讲"
     r"|刷)到了?[^，。；\n]{1,10}[，；][^。\n]{0,10}?(?:还|没|剩|差|下一|未)"),
    ("begun", r"(?:刚开始|刚动工|刚动手|才开始|刚起步|刚起头|刚进场|刚上手)|才(?:起头|开头"
     r"|动笔|动手)|完[^，。；\n]{0,6}，[^。；\n]{0,8}?(?:排在|安排在|定在|等着?)"
     r"|了[^，。；\n]{2,10}，约?占|还在(?:继续|进行|做|跑|写|改|等|查|修|画|排)"),
    ("so many, and more to come", rf"了\s?(?:{_N_ZH}|约)[^。；\n]{{0,8}}?[，；][^。；\n]"
     rf"{{0,8}}?(?:还有|还要|还差|还在|剩|目标|等)|目标\s?{_N_ZH}"),
    ("a place in it", r"(?:核对|对|录|整理|写|记|排|扫|查|审|批|归档|翻|校"
     rf"|编)到了?\s?(?:{_N_ZH}|[上中下]旬|[上下]册|[A-Z])"
     r"|写到[^，。；\n]{2,8}，"),
    ("stuck", r"(?<![行用员显饭房车题])(?:卡在|卡住了?|停在(?!\s?v?\d)|搁置在|暂停在)(?!下)"),
    ("on its way", r"(?:预计|估计|大概|有望)[^，。；\n]{0,10}?(?:能|可以|可)?(?:完成|收尾"
     r"|结束|做完|写完|弄完)"
     r"|(?:进入|到了)[^，。；\n]{0,6}(?:阶段|收尾|尾声)"),
)  # fmt: skip
_STANDING = re.compile(
    r"(?i)\b(?:every|each|always|never|whenever|if|unless|must|should|at least|at most|usually|any"
    r"|means?|when it|if it|alerts?|needs? at least|prefers?|likes?|wants?|favou?rite)\b"
    r"|每(?!册|本|个|页|张|人|章)|一律|总是|如果|只要|凡|超过|低于|平时|通常|一般|必须|习惯"
    r"|喜欢|表示|代表|意思是|想听|想看|最爱|不要|(?:^|[，。；])别(?!人|墅|的|家)"
)
"""A rule, a wish or a meaning: what stands so for good."""
_LASTING = re.compile(
    r"(?i)\b(?:columns?|labels?|status(?:es)? (?!of)|tags?|fields?|folders?|boards?"
    r"|lanes?|quotas?|seasons?|(?:the|in) state|years? (?:\d|left until)|semesters?|grade \d"
    r"|humidity"
    r"|league|scores?|pension|(?:progress|status) (?:bars?|reports?|updates?|meetings?)"
    r"|reading (?:law|medicine|history|english|maths) at|definition of done|(?:is|are) done when"
    r"|works? only|free for|reserved|for guests)\b"
    r"|看板|列名|标签|状态名|字段|(?:目录|文件夹|抽屉|盒子|保险箱)(?:里|中|下)?(?:$|[，。])"
    r"|(?:都|均)?(?:放|存|收)在|配额|第\s?\S{1,3}\s?季|赛季|年级|学期|车牌|停车|退休|养老"
    r"|留给|[两三四]栏|剩[^，。]{1,8}时|读到[高初大]|读到[小博硕]|进度(?:条|表|会|报告|款)"
    r"|[报汇]报?进度|(?:的|单|款)不[发给收开]|卡在哪"
    r"|现在做(?!到|完|了|好|的)|(?:完|好|成)的(?:活|稿|放|归|移)|[两三四五]只[猫狗]|一条狗"
)
"""A state that lasts, a name of one, or a measure that is no share of some work."""
LONG = 300
"""Characters: in more than that a single phrase is by the way."""


def says_progress(text: str) -> bool:
    """Whether it says how far some work is: a text at length says so more than once."""
    parts = sentences(text, semicolons=False)
    told = sum(_tells(one) for one in parts)
    if not told and len(parts) > 1 and not _STANDING.search(text) and not _LASTING.search(text):
        told = bool(_PROGRESS.search(text) or _PROGRESS_ZH.search(text))
    return told > (1 if len(text) > LONG else 0)


def _tells(sentence: str) -> bool:
    if _STANDING.search(sentence) or _LASTING.search(sentence):
        return False
    return any(one.search(sentence) for one in (_PROGRESS, _PROGRESS_ZH, _FORMS, _FORMS_ZH))
