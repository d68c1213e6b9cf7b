"""Work that is over, as it is reported. English and Chinese."""

from __future__ import annotations

import re

from store.advice.signs.phrases import RECURRING, sentences, table, words
from store.advice.signs.verbs import ENDED, PAST, WORK_ZH

_DID = words(
    "fixed implemented merged deployed refactored completed finished migrated released shipped"
    " resolved closed reviewed rewrote upgraded installed created added removed renamed updated"
    " cleaned helped moved wrote drafted sent set configured replaced converted compressed"
    " corrected deleted ported tested debugged patched rebooted restarted restored published pushed"
    " committed opened landed reinstalled imported exported tracked traced split extracted ran"
    " booked ordered organised organized sorted translated scheduled tuned rotated renewed wired"
    " worked went found switched bumped reverted rolled solved prepared archived documented"
)
_FEELING = words(
    "used needed preferred liked owned learned lived loved wanted hated called named trained"
    " studied"
    " married raised based related allergic moved worked graduated retired need feed speed bored"
    " tired shared seed embed red bed shed limited allowed required expected supposed advanced"
)
_NOT_OBJECT = (
    r"(?!by\b|on\b|in\b|at\b|with\b|via\b|from\b|as\b|for\b|to\b|under\b|using\b|every\b|daily\b"
    r"|weekly\b|nightly\b|automatically\b|monthly\b|when\b|only\b|once\b|together\b|his phd|her phd"
    r"|and\b|or\b|is\b|are\b|means?\b|pizza|until\b|of\b|remotely)"
)
_THEN = (
    r"(?:today|yesterday|this (?:morning|afternoon|evening|session|week|weekend)|earlier|just now"
    r"|last (?:night|week|session|sprint|monday|tuesday|wednesday|thursday|friday|weekend)"
    r"|\d{4}-\d\d-\d\d"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_NO_SUBJECT = (
    r"(?!(?!the |an? |all )[^.,\n]{0,50} (?:is|are|has|have|gets?|stays?|goe?s?|must|should|always"
    r"|comes?|lives?|needs?"
    r"|only)\b)"
)
_TASK = (
    r"(?:migration|upgrade|refactor(?:ing)?|rollout|rewrite|clean-?up|deployment|backfill"
    r"|set-?up|move|conversion|import|release|install(?:ation)?|port|hotfix|switch(?:over)?)"
)
_BIOGRAPHY = (
    r"(?:join|attend|found(?:ed)? (?:the|a|her|his)|sent (?:his|her|their) (?:kids|sons?"
    r"|daughters?|children)|inherit|adopt|wrote (?:his|her|a) (?:dissertation|thesis|book|phd"
    r"|novel)|rais|bas|relat|marri|retir|graduat|allergi|train|studi|liv|us|nam|call|lov"
    r"|prefer|lik|own"
    r"|hat|need|want|learn|bor|shar|limit|allow|requir|expect|suppos|advanc|reserv|dedicat"
    r"|locat|employ"
    r"|divorc|engag|adopt|widow|diagnos|origin|design|mean|intend|known|self|provid|decid|chos|pick"
    r"|agre|manag|host|own|stor|kept|fix(?:ed)? (?:width|price|term|rate|point)"
    r"|clos(?:ed)? (?:source"
    r"|tickets|on)|color|colour|left-hand|right-hand|red|hundred|bleed|breed|feed)"
)
_DONE = table(
    ("a report of work", r"(?:^|\n)\s{0,4}(?:[-*•] ?)?(?:\[?\d{4}-\d\d-\d\d\]? ?[:–—-]? ?)?"
     r"(?:(?:done|log|session(?: log| summary| notes)?|summary|completed|update)[:–—-] ?)?"
     rf"(?:successfully |just |already |also )?(?:{_DID}) (?:up |out |down |through |over )?"
     rf"{_NOT_OBJECT}{_NO_SUBJECT}"),
    ("a day and what was done", r"^(?:-|•)? ?(?:[A-Z][a-z]{2,8}\.? \d{1,2},? 20\d\d"
     r"|\d{1,2} [A-Z][a-z]{2,8}"
     rf" 20\d\d) ?[:–—,-] ?(?:\w{{1,24}}ly )?(?!{_BIOGRAPHY}){PAST} "),
    ("a session's log", r"(?:^|\n)(?:session|log|summary|done"
     r"|worklog)[ :–—-]{1,3}\d{4}-\d\d-\d\d[ :–—-]{1,3}"
     rf"(?:\w{{1,24}} ){{0,3}}?(?:{_DID})\b"),
    ("it was done", r"\b(?:is|are|was|were) (?:now )?(?:fixed|merged|done|deployed"
     r"|resolved)\s?[(,;][^.\n]{0,20}"
     r"(?:\bcommit|\bPR\b|#\d|\bMR\b)"),
    ("we did it", r"\b(?:i|we|agent|assistant|hermes)(?:['’]ve| have)? (?:successfully |just "
     rf"|already |also |finally )?(?:{_DID}|walked|went|looked|paired|got|made|did) {_NOT_OBJECT}"),
    ("over and done", r"\b(?:is|are) (?:now|finally|all) (?:done|live|fixed|merged|deployed"
     r"|resolved"
     r"|green|finished|in production|up and running)\b"),
    ("a merge", r"\b(?:merged|closed|opened|landed|reviewed|filed|submitted) (?:the |as )?(?:pr|mr"
     r"|pull request|merge request|issue|ticket)\b|\b(?:pr|mr|pull request|issue"
     r"|ticket|bug|task) [#!]?\d{1,6}"
     r" (?:is |was |got |has been )?(?:merged|closed|landed|opened|shipped)\b"),
    ("a commit", r"\bcommit(?:ted)? (?:in |as )[0-9a-f]{7,40}\b"),
)  # fmt: skip
_DID_ZH = (
    "完成|修复|修|合并|部署|上线|发布|实现|重构|迁移|解决|提交|更新|升级|重装|安装|清理|整理|搭建"
    "|搭|配置|配"
    "|写|改|装|删除|删|换|加|调|排查|定位|导出|导入|备份|恢复|回滚|优化|处理|测试|测|编写|生成"
    "|转换|翻译|润色"
    "|准备|检查|审查|接入|打通|跑|归档|关闭|关|补|拆分|重写|新增|移除|替换|切换|订|买|预约|发|核对"
    "|制作|做"
)
_WHEN_ZH = (
    r"(?:今天|昨天|前天|昨晚|今早|今晚|上午|下午|刚才|刚刚|刚|本周|上周|这周|这一周|上次|本次|这次"
    r"|周[一二三四五六日]"
    r"|\d{1,2}\s?月\s?\d{1,2}\s?[日号]|\d{4}-\d\d-\d\d)"
)
_ENDED_ZH = rf"(?:{_DID_ZH})(?:好|完|成|掉|通|到|成功|完成|出来)?了"
_DONE_ZH = table(
    ("at a time", rf"{_WHEN_ZH}[^。；\n]{{0,40}}?(?:{_ENDED_ZH}|(?:{_DID_ZH})(?:完|好)(?![的后])"
     r"|已(?:经)?(?:完成|修复|合|上线|部署|发布|解决))"),
    ("it is done", r"(?:^|[，。；])完成[^，。：\n]{2,20}并"),
    ("it was put so", r"(?:成功|刚刚?|已(?:经)?[^，。；\n]{0,8}?)(?:把"
     r"|将)[^，。；\n]{1,24}?[到成至为好完]"),
    ("it was put so", r"(?:^|[，。；\n])给[^，。；\n]{1,12}?(?:加|装|换|写|做|配|改|修|买|订)(?:上"
     r"|好)?了"),
    ("it is done", r"(?:清|做|装|修|改|写|跑|弄|处理|算|整理)完[^，。\n]{0,3}了(?!就|再|才|会|的话"
     r"|以后|之后|吗)"),
    ("it is done", r"(?<!年)(?:修复|完成|合并|部署|实现|解决|提交|上线|发布|重构|迁移|升级|重装"
     r"|清理|整理"
     r"|搭建|优化)(?:好|完)?了"
     r"(?!就|再|才|会|的话|以后|之后|吗|没有)"),
    ("a merge", r"(?:合并|提交|关闭|提|合)了?\s?(?:PR|MR|Issue|工单)\s?[#!]?\d"
     r"|(?:PR|MR|工单|代码|分支|改动|补丁)\s?[#!]?\d{0,6}\s?(?:已|都)?(?:合了?到|合入|已合|合并了"
     r"|已关|已提)"),
)  # fmt: skip

_OUTCOME = (
    r"(?:all (?:\w{1,24} )?(?:tests? |checks? |services? |lights? )?(?:pass(?:ed|ing)?|green"
    r"|came back|well|good|fine|clear)"
    r"|no (?:errors?|complaints|issues|problems|losses|data lost|warnings|leaks?)"
    r"|without (?:errors?|problems|issues|a hitch"
    r"|incident|complaints)|none (?:\w{1,24}ed|missing)|(?:it |everything |which )?(?:works"
    r"|worked|runs) (?:again|now|fine|well)"
    r"|verified|confirmed|went (?:live|well|fine|through|smoothly)|as (?:asked|agreed"
    r"|requested|planned|ordered|promised)"
    r"|(?:is|are) (?:now )?(?:live|up|back|online|gone|resolved)|took (?:about )?\d{1,12} (?:min"
    r"|hours?|days?|h\b|seconds)"
    r"|accepted|approved|signed off|happy with)"
)
_FORMS = table(
    ("a report of work", r"(?:^|\n)\s{0,4}(?:[-*•] ?)?(?:\[?\d{4}-\d\d-\d\d\]? ?[:,–—-]? "
     r"?)?(?:successfully |just |already "
     rf"|also |finally )?(?!{_BIOGRAPHY}){PAST} (?:up |out |down |through |over |off |in "
     r"|back |away )?(?:the|a|an|all|both|every"
     r"|his|her|their|our|my|user['’]s|\d[\d,.]{0,24}|two|three|four|five|six|seven|eight|nine"
     r"|ten|several|new|old|[A-Z]\w{0,24}['’]s) "
     r"(?![^.,\n]{0,50} (?:is|are|has|have|gets?|stays?|goe?s?|must|should|always|comes?"
     r"|lives?|needs?|only)\b)(?![^.\n]{0,60} with (?:his|her|their"
     r"|two) )(?![^.\n]{0,80}\bin (?:\w{1,24} )?(?:19|20)\d\d\b)(?![^\n]{0,100}\b(?:lives"
     r"|teaches|himself|herself)\b)"),
    ("a report of work", rf"(?:^|\n)(?:[-*•] ?)?(?!{_BIOGRAPHY}){PAST}(?:,(?: \w{{1,24}})? "
     rf"(?!{_BIOGRAPHY}){PAST})? and (?:then )?(?!{_BIOGRAPHY}){PAST} "
     r"(?!by\b|in\b|at\b|on\b|with\b|from\b)"),
    ("of something, a report", rf"(?:^|\n)[^:\n.,]{{2,60}}: (?!{_BIOGRAPHY}|(?:shut|put|set"
     rf"|cut|run|read|hit|reset|split|spread|let)\b){PAST} (?:up "
     r"|out |off |down |in )?(?:the|a|an|all|both|\d[\d,.]{0,24}|two"
     r"|three|four|five|six|his|her|its|old|new)\b"),
    ("at its end", r"(?:^|\n)(?![^\n]{0,120}\b(?:is|are|be|being|gets?|must|should|can|may"
     r"|will|never|not|no|without|when|if|everything"
     rf"|anything)\b)[^.,:;\n]{{3,70}}? (?!{_BIOGRAPHY}){ENDED}(?:,"
     rf"| and)? (?:and )?(?!{_BIOGRAPHY}){ENDED}(?: (?:on|to|by"
     r"|at) [^.,\n]{2,30})?\.?(?:\n|$)"),
    ("at its end", r"(?:^|\n)(?![^\n]{0,120}\b(?:is|are|be|being|gets?|must|should|can|may"
     r"|will|never|not|no|without|when"
     rf"|if)\b)[^.,:;\n]{{3,60}}? (?!{_BIOGRAPHY}){ENDED}"
     rf", (?:[^.,;\n]{{2,40}} (?!{_BIOGRAPHY}){ENDED}|\d[\w, ]{{1,30}})\.?(?:\n|$)"),
    ("it went well", r"\bwent (?:fine|well|smoothly|through|without)(?=[ .,;]|$)|\b(?:is|are"
     r"|works?|runs?|fits) (?:\w{1,24} )?again(?=[.,;]|$)"),
    ("someone was helped", r"(?:^|\n)(?:taught|helped|showed|sent|gave|told|called|emailed"
     r"|paid|invited|briefed|coached) (?-i:[A-Z])[\w'-]{1,24} "),
    ("a mark", r"^(?:fixed|done|solved|finished|completed|sent|merged|resolved|closed): "),
    ("by its number", r"\b(?:issue|bug|ticket|pr|mr|task|order|invoice"
     r"|case) #?\w{0,6}-?\d{1,12} (?:\([^)\n]{1,40}\) "
     rf")?(?!{_BIOGRAPHY}){ENDED}\b"),
    ("without trouble", rf"\b{ENDED} (?:without (?:downtime|loss|losses|incident|errors?"
     r"|problems|trouble|complaints|a hitch)|successfully|on time|in time"
     r"|as planned)\b|\bwent live\b"),
    ("as files", r"(?:^"
     rf"|\n)[^.,;\n]{{3,50}} (?!{_BIOGRAPHY}){ENDED} [^.,;\n]{{2,30}}, [a-z]{{1,20}} "
     rf"(?!{_BIOGRAPHY}){ENDED} (?:as|to|in|by)\b"),
    ("it was done", r"\b(?:was|were|has been|have been|got) (?:all |now |finally "
     rf"|successfully |duly )?(?!{_BIOGRAPHY}){ENDED}\b"
     rf"[^.\n]{{0,60}}?\b(?:{_OUTCOME}|and {ENDED}|for (?:him|her|them|the user))\b"),
    ("some number was done", r"(?:^|\n)(?:all |the )?(?:last )?\d[\d,.]{0,24} [^.\n]{3,60}? "
     rf"(?:was|were|has been|have been) (?!{_BIOGRAPHY}){ENDED}\b"),
    ("over and done", r"(?:^|[\n,;:–—-] ?|\b(?:job|task|work|shoot|project|move|order|set"
     r"|run|test|transfer|session|order) )"
     r"(?:all )?(?:complete|completed|done|finished|wrapped up)(?: ?[:;,–—.]|$)"),
    ("over and done", r"\b(?:is|are) (?:now |finally |all |fully )?(?:complete|finished|done"
     r"|wrapped up|over and done|through)(?=[.,;:]|$| and\b| as\b)"),
    ("over and done", r"\b[\w-]{2,24}(?:tion|ment|ing|al|age|up|over|out) (?:is |was "
     r"|has been )?(?:complete|completed|finished|done|successful"
     r"|went (?:well|fine|through|smoothly))\b"),
    ("done, with its outcome", rf"(?:^|[\n.;] ?)(?:\w{{1,24}} ){{0,5}}?(?!{_BIOGRAPHY}){PAST} "
     r"[^\n]{3,120}?[,;:.–—-] ?(?:and )?(?:\w{1,24} "
     rf"){{0,3}}?{_OUTCOME}\b"),
    ("handed on", r"\b(?:has|have) (?:now |already |just |finally |since )?been (?:sent"
     r"|posted|mailed|delivered|submitted|handed in"
     r"|paid|booked|ordered|filed|uploaded|shipped|signed|returned|printed|archived"
     r"|published|deployed|merged|fixed|repaired|replaced"
     r"|installed|cancelled|moved|migrated|backed up|scanned|translated|cleaned)\b(?! (?:by"
     r"|when|every|only|before)\b)"),
)  # fmt: skip
_NOT_DONE_ZH = r"(?<![的很最爱友不更良较刚正还只要偏喜美你完以做更太多])"
_AFTER_ZH = r"(?![的后再才就时]|之后|以后|之前|以前|为止|没有|吗|的话)"
_OUTCOME_ZH = (
    r"(?:无误|无告警|无报错|没报错|没有报错|一切正常|运行正常|恢复正常|正常(?:运行|启动|打开"
    r"|使用)|已交班|全部通过|都?通过了?"
    r"|已验收|已归档|没问题了?|成功|平稳|顺利|对方(?:已|很)|已(?:确认|签收|收到)|收到回执"
    r"|很满意|全绿|可用了|好用了|跑通了?|不再报错)"
)
_FORMS_ZH = table(
    ("brought to its end", rf"[一-龥]{_NOT_DONE_ZH}(?:完|好|掉|妥|毕|成)了{_AFTER_ZH}"),
    ("at a time, to its end", rf"(?:{_WHEN_ZH}|\d{{4}}\s?[-年/.]\s?\d{{1,2}}\s?[-月/.]\s?\d"
     r"{1,2}\s?日?)[^。；\n]{0,40}?"
     rf"(?:[一-龥]{_NOT_DONE_ZH}(?:完(?!整)|好|掉|妥|毕){_AFTER_ZH}|[一-龥](?:了|结束"
     rf"|完毕){_AFTER_ZH}|已[一-龥])"),
    ("to its end, and more", rf"[一-龥]{_NOT_DONE_ZH}(?:完(?!整)|好|掉"
     rf"|妥){_AFTER_ZH}[^。；\n]{{0,12}}?(?:[，、并]|而且"
     r"|也)[^。；\n]{0,16}?"
     rf"(?:了|完|好|掉|{_OUTCOME_ZH})(?=[，。；\n]|$)"),
    ("with its outcome", r"(?:把|将|给|帮|替)[^，。；\n]{2,24}[一-龥](?:[进到入成给上出完好"
     rf"掉了])[^。；\n]{{0,24}}?[，。；][^。；\n]{{0,16}}?{_OUTCOME_ZH}"),
    ("with its outcome", r"[一-龥](?:了|完毕?|好|结束"
     rf"|掉)[^。；\n]{{0,24}}?[，；][^。；\n]{{0,20}}?{_OUTCOME_ZH}(?=[，"
     r"。；（\n]|$)"),
    ("for someone", r"(?:帮|替|给|为|陪)[^，。；\n]{1,10}?把[^，。；\n]{2,24}?(?:[一-龥](?:了"
     r"|完|好|掉|成|上|出|进))"),
    ("it is done", r"(?:^|[，。；、：])[^，。；\n]{0,14}?(?:都|均|全部|全|现)?已(?:经)?(?!经"
     r"|婚|知|有|是|久|废弃|退休|停用|满|成年|过期|离|读"
     r"|习惯|被|故|下线|停产|经?[一二三四五六七八九十\d]|无|不|经?不|在|绝版|经?在|经?是"
     r"|经?有|经?会|经?能|婚|育|关闭|取消)[一-龥]{1,6}?"
     r"(?:了|完|好|毕|给|到|至|掉)?[^，。；\n的在]{0,10}(?=[，。；！\n]|$)"),
    ("one thing and another", r"(?:^|[，。；：])[^，。；\n]{1,14}?(?<![好太极得为])了[，；][^"
     r"，。；\n]{0,16}?(?:了|好|完|掉)(?=[，。；\n]|$)"),
    ("on a day, to someone", r"于\s?\d{4}\s?[-年/.]\s?\d{1,2}\s?[-月/.]\s?\d{0,2}\s?日?[^，。"
     r"；\n]{0,10}?(?:发|寄|交|送|提交|转|汇|递)[给到至出]"),
    ("it is done", r"[一-龥](?<![未没待能要前])(?:完成|成功)(?=[，。；！\n]|$)|(?:导|传|移"
     r"|搬|迁|转|存|挪|发|交|寄|装)到[^，。；\n]{1,10}了(?=[，。；\n]|$)"),
    ("to its end, and more", r"[一-龥](?:完|好)[，、][^，。；\n]{1,6}了\s?(?:\d"
     r"|[一二两三四五六七八九十])"),
    ("over", r"[一-龥](?:结束|完毕|收工|完工|竣工|交付|交班|办结)(?:了)?(?=[，。；！（\n]|$)"),
    ("so many done", r"[一-龥](?:了|完|好|掉)\s?(?:\d{1,6}"
     r"|[一二两三四五六七八九十百千]{1,4})\s?[一-龥][^，。；\n]{0,14}[，；][^"
     r"。；\n]{0,24}?"
     r"(?:了|完|好|掉)(?=[，。；\n]|$)"),
    ("work, and it is done", r"(?:^|[，。；：])\s?(?:(?:已经?|刚刚?|又|也|顺便|顺手|另外|还"
     r"|并|今天|昨天|终于)|(?:帮|替|给|为|陪|和|跟|把|将|按"
     r"|照)[^，。；\n了]{1,20}?|[^，。；\n他她我了]{0,14}?)?"
     rf"(?<![说约讲谈量])(?:{WORK_ZH})(?:完|好|出来|掉|清|上|回|进|出|齐|到"
     r"|给[^，。；\n]{1,8})?了(?![解不得]"
     r"|\s?[\d一二两三四五六七八九十几多好]{1,4}\s?(?:年|个月|辈子|多年)|就|再|才|会|的话"
     r"|以后|之后|吗)"),
    ("to its end, and more", r"[一-龥](?:完|好)(?:并|后已|，并)[一-龥]{1,8}(?=[，。；]|$)"),
    ("put on file", r"(?:^|[，。；])(?![^，。；]{0,24}[都由按])[^，。；\n]{2,20}(?<![要才再由后"
     r"会])(?:归档|定稿|入库|存档|到位|搞定|竣工|贴上标签|解决)(?=[，。；]|$)"),
    ("for someone", r"已(?:经)?(?:替|帮|给|为|把|将|按)[^，。；\n]{2,24}|(?:帮"
     r"|替)[^，。；\n]{1,8}?把[^，。；\n]{2,20}?(?:到|给|至"
     r"|成)[^，。；\n]{1,12}，[^，。；\n]{0,8}(?:正常|成功|无误|好了|通过)"),
    ("with its outcome", rf"(?:{WORK_ZH})[^，。；\n]{{0,6}}，[^，。；\n]{{0,8}}(?:正常|全过"
     r"|无报警|无误|没问题|通过|能用)"),
    ("all of it", r"(?:全部|全都|悉数|统统)[^，。；\n]{0,8}?(?:了|完|好|掉|出)(?=[，。；\n]|$)"),
)  # fmt: skip
_LESSON = re.compile(
    r"(?i)\b(?:since then|ever since|lesson|never again|from then on|which is why"
    r"|that is why|therefore|hence|because|chose|decided"
    r"|so (?:never|always|now|do not|don['’]t|deletes?|from)|once (?!more)|used to"
    r"|until then|[;,] (?:it |they |he |she |now )?(?:must|knows|wants|lives|speaks)"
    r"|prefers?|always|never|whenever|every|each|if)\b"
    r"|领养|创办|结婚|出生|已经当了|从此|从那以后|吸取|教训|因为|所以|导致|当初|自从|以来"
    r"|原因是之前|一律|每次|每当|如果"
    r"|要是|只要|必须|务必|不要|别|不得|"
    r"之前必|否则|不然|前要|要在|才能|再也|习惯|喜欢|表示|意思|代表|专指|统一|之后都|改为每"
    r"|改成每|[日号月年]\s?起|起[，,]|规矩|规定|约定|吃过亏|^(?:孩子|女儿|儿子|父亲|母亲|爸"
    r"|妈|老婆|妻子|丈夫|合伙人|老板|同事|邻居|老师|奶奶|爷爷|他|她|用户)(?!的|那|家|把|让"
    r"|要|帮|和|与|一起|已)[^，。；]{0,12}了|抽空|有空|回头|改天|明天|下周|下次|记得|别忘"
)
_YEARS_AGO = re.compile(
    r"(?i)^(?:[a-z]{1,20}ed|built|wrote|sold|bought|made|left|went|moved"
    r"|opened) [^.\n]{3,60}? in (?:(?:early|late|spring|summer|autumn|winter"
    r"|[a-z]{3,9}) )?(?:19|20)\d\d\b(?!-)"
    r"|^wrote (?:his|her|a) (?:dissertation|thesis|book|phd|novel)|^(?:inherited|adopted) "
    r"|^(?:19|20)\d\d\s?年(?!\s?\d)[^，。\n]{0,6}?(?:把|卖|搬|从|在|离|换|关|开)"
    r"|(?:19|20)\d\d\s?年(?!\s?\d)[^，。\n]{0,4}?[换改搬迁卖]|默认[^，。\n]{1,8}改成了"
    r"|^fixed (?:salary|price|rate|costs?|income|fee)"
)
"""A year of one's life, not a day of work."""
_BARE_FORM = re.compile(
    r"(?i)(?:set|put|cut|read|shut|split|reset)\b(?![^\n]{0,200}\b(?:[a-z]{2,12}(?<!e)ed|wrote"
    r"|sent|went|made|took|got|found|ran|all green|works|today|yesterday)\b)"
)
"""A verb whose past looks like its bare form, alone: rather an order."""
_DEFINES = re.compile(
    r"(?i)\b(?:columns?|kanban|lanes?|labels?|field|(?:is|are) (?:only )?(?:done|complete"
    r"|finished|ready) (?:only )?when|stands for|means? (?:that|[\"'“]|it|the)"
    r"|enum)\b|字段|表示|是指|意思是|算完成|就是[^，。\n]{1,12}了|看板|列名|想听"
)
_AGREED = re.compile(r"[说约讲谈]好了?|商量好")
_STEP = re.compile(r"(?:^|[，；。])(?:先|再|然后|最后|接着)|(?:→|->).{1,80}(?:→|->)")


SHORT = 200
"""Characters: in more than that a definition may be by the way."""


def says_done(text: str) -> bool:
    """Whether it reports work that is over, no habit among it."""
    if len(text) < SHORT and (_DEFINES.search(text) or _YEARS_AGO.search(text)):
        return False
    if _BARE_FORM.match(text):
        return False
    told = [one for one in sentences(text) if _DONE.search(one) or _DONE_ZH.search(one)]
    if (_DONE.search(text) or _DONE_ZH.search(text)) and not (
        told and all(RECURRING.search(one) for one in told)
    ):
        return True
    return _by_form(text)


def _by_form(text: str) -> bool:
    if _LESSON.search(text) or _AGREED.search(text) or _STEP.search(text) or RECURRING.search(text):
        return False
    return bool(_FORMS.search(text) or _FORMS_ZH.search(text))


def reports(text: str) -> int:
    """How many sentences tell of things done."""
    return sum(bool(_DONE.search(one) or _DONE_ZH.search(one)) for one in sentences(text))
