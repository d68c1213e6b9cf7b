"""Signs of work: what is still to do, what is under way, and what is done. English and Chinese."""

from __future__ import annotations

import re

from store.advice.signs.phrases import RECURRING, sentences, table, unquoted, words

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon|\d|next |this |end of"
    r"|the end"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b|the (?:demo|meeting|launch)"
)
_ERRANDS = words(
    "renew buy book call ring send pay finish fix write update migrate check order cancel return"
    " submit file sign reply answer ask email mail contact schedule review test add remove rename"
    " replace upgrade install prepare collect confirm investigate look follow draft move back clean"
)
_TODO = table(
    ("a mark", r"(?:^|[\n.;:–—-])\s{0,4}(?:[-*]\s?)?(?:todo|to-do"
     r"|fixme)(?: list)?\s{0,2}(?:[:：(–—-]|\n)"),
    ("a mark and an errand", rf"(?:^|\n)\s{{0,4}}(?:todo|to-do|fixme) (?:{_ERRANDS})\b"),
    ("an open box", r"(?:^|\n)\s{0,4}[-*]?\s?\[ \]\s"),
    ("a heading", r"\b(?:to do|to be done|remaining(?: (?:tasks?|work|steps?|items?|points?"
     r"|issues?|bugs?|todos?))?|outstanding|still open|open (?:tasks?|points?"
     r"|issues?|items?|questions?)|action items?|next steps?|left to do|unfinished|loose ends)"
     r"\s?(?::|\bare\b|\bis\b)"),
    ("not yet", r"\bstill (?:needs?|have to|has to|must|missing|owes?|to be)\b|\byet to be\b"
     r"|\bleft to do\b"),
    ("do not forget", r"\b(?:remember|(?:do not|don['’]t) forget) to\b"),
    ("needs an errand", rf"(?:^|\b(?:user|he|she|we|i|they) )needs? to (?:{_ERRANDS})\b"),
    ("needs it done", r"\bneeds? to be (?:done|fixed|written|added|updated|reviewed|tested|renewed"
     r"|finished|sent|paid|replaced|checked|migrated|moved|booked|filed|signed|merged)\b"),
    ("owed by a day", rf"\b(?:must|has to|have to|needs? to|should|due|wants?)\b[^.\n]{{0,80}}?"
     rf"\b(?:by|before) (?:the )?(?:{_DAY})"),
    ("an errand by a day", rf"(?:^|\n)\s{{0,4}}(?:{_ERRANDS}) [^.\n]{{3,80}}?\b(?:by|before"
     rf"|on) (?:the )?(?:{_DAY})"),
    ("what awaits", r"(?:^|\n)\s{0,4}(?:pending|todo|outstanding|waiting for)\s?:"),
    ("a mark", r"(?:^|\n)\s{0,4}TODO\s(?=[\u3400-\u9fff])"),
    ("an errand for later", rf"(?:^|\n)(?:{_ERRANDS}) [^.\n]{{3,80}}?\bonce\b"),
    ("owed by a day", rf"\b(?:by|before) (?:the next |(?:the )?(?:{_DAY}))[^.\n]{{0,60}}?\b(?:must"
     rf"|has to|have to"
     r"|needs? to)\b"),
    ("an errand meant", rf"(?:^|\n)(?:should|must|have to|got to) (?:{_ERRANDS})\b"
     rf"|\bpromised to (?:\w+ )?(?:{_ERRANDS})\b"
     r"|\bwaiting to hear\b|\b(?:two|three|four|\d) (?:things|points|tasks|items"
     r"|questions) (?:open|left|to do)\b"),
    ("an errand by a day", rf"(?:^|\n)(?:{_ERRANDS}) on (?:{_DAY})"),
    ("a later time", r"(?:^|[\n.;] ?)(?:(?:in the )?next session|next time we (?:talk|meet)"
     r"|tomorrow"
     r"|later today|next week|this weekend|on monday|next up|up next|(?:pick up "
     r"|continue )?next time(?=:))\s?[:,–—-]"),
    ("an errand asked for", r"\b(?:asked|wants|told) (?:me|us|the agent|the assistant) to (?:look"
     r" into|book|order|find out|follow up|send|call|check back|draft|prepare)\b"),
    ("to take up again", r"\b(?:follow|following) up (?:with|on)\b|\bpick (?:this|it) up again\b"),
)  # fmt: skip
_REMIND = table(
    ("a heading", r"(?:^|\n)\s{0,4}reminder\b[^.\n]{0,20}:"),
    ("asked for", r"\bremind (?:me|him|her|them|us|the user|user) (?:to|about|of|that|on|in|before)"
     r"|\b(?:asked|wants?) (?:to be reminded|a reminder)|要我提醒|(?:明天|后天|下周.?|今晚"
     r"|周[一二三四五六日])[^，。\n]{0,6}提醒|[让请叫][我你]?提醒|记得提醒"
     r"|(?:到时候?|届时|之后|提前)提醒|^提醒|[，,]提醒(?:我|他|她|用户)"),
)  # fmt: skip
_NOT_BEGUN = table(
    ("not begun", r"\bnot (?:yet )?(?:started|begun|done|implemented|written|fixed|tested|merged"
     r"|sent|booked|paid|signed|filed)(?: yet)?\b|\b(?:has|have|is|are)n['’]t\b[^.\n]{0,30}\byet\b"
     r"|\b(?:has|have|is|are|was) not (?:been )?\w{3,12} yet\b"),
    ("not begun", r"还有[^。；\n]{1,12}(?:没|未|待)"),
    ("not begun", r"(?:尚未|还没有?|还未|仍未|未)(?:去|来得及)?(?:做|写|改|完成?|修|测|处理|合并?"
     r"|实现|开始"
     r"|提交|交|确认|回复?|买|订|付|寄|办|扫描|填|发|装|配|签|续|联系|预约|上线|启动|动工|补|通知"
     r"|弄|上传|整理|定|换|约|讲|翻)"),
)  # fmt: skip
_HABIT = re.compile(
    r"(?i)\b(?:every|each|always|whenever|when|if|weekly|daily|monthly|usually)\b"
    r"|每|一律|总是|如果|只要|超过|平时|都要|的时候|时[，,提]"
)
_VERB_ZH = (
    "交|提交|还|缴|付|寄|办|续|补|买|订|发|写|做|改|修|测|查|问|联系|确认|跟进|处理|完成|更新|整理"
)
_TODO_ZH = table(
    ("a heading", r"(?:^|[\n，。；])\s?(?:待办|代办|剩余|剩下的?|未完成的?|遗留|尚待|待处理|待跟进)"
     r"(?:事项|任务|工作|问题|步骤|列表|的事)?\s?(?:[:：\n]|有|\d|[①一]|$)"),
    ("a heading", r"(?:剩余|剩下的?|未完成的?|遗留的?)(?:事项|任务|工作|步骤)"),
    ("a mark", r"(?:TODO|FIXME)\s?[:：]"),
    ("what awaits", r"待(?:处理|完成|修复|跟进|确认|补充|提交|办理|续费|回复|解决|安排|优化)"
     r"(?!的?(?:状态|列表|表示|就是|队列))"),
    ("what is to be done", rf"(?:要|需要?|得|没)(?:{_VERB_ZH})的[^：:。\n]{{0,16}}[：:]"),
    ("not yet", rf"还(?:需要?|要|得|差|欠)[^。；\n]{{0,8}}?(?:{_VERB_ZH}|加)"),
    ("do not forget", r"别忘了?|不要忘|(?:^|[，。；])(?:记得|记着)(?:要|去|给|把|问|联系|买|续|还"
     r"|交|做|写|改"
     r"|发|提交|检查|更新|回)"),
    ("later", rf"(?:后面|后续|之后|接下来|下一步|下次|下回|下周|下个?月|明天|后天|回头|周末|有空"
     rf"|改天|稍后|过几天)"
     rf"(?:会话|对话|见面|聊)?[：:，,]?(?:再|还|先|要|需要?|得|记得|应该?|继续|把|去|帮){{1,2}}"
     rf"[^。；\n]{{0,16}}?(?:{_VERB_ZH}|看|加|调|跑|试)"),
    ("later", r"(?:回头|改天|有空|过几天|明天|后天|下周)(?:还|再)?(?:要|得|去|把|给|需要?)"),
    ("do not forget", r"(?:记得|记着)(?:下次|明天|下周|到时候?)"),
    ("someone's errand", r"(?:^|[，。；])(?:还|得|需)?要(?:帮|替)(?:用户|他|她)"),
    ("a next session", r"(?:下一步|下次(?:会话|对话|继续)?|接下来)\s?[：:]"),
    ("owed by a day", rf"(?:\d\s?[日号月]|[）)底末]|周[一二三四五六日天末]|明天|后天|下周"
     rf"|月底)(?:之前|以前|前)"
     rf"[^。；\n]{{0,12}}?(?:要|得|必须|需要?|务必)[^。；\n]{{0,12}}?(?:{_VERB_ZH})"),
    ("someone's errand", r"(?:用户|他|她|我)(?:还)?(?:得|需要|打算|准备)(?:去"
     r"|在)?[^。；\n]{0,8}?"
     r"(?:交|缴|续|买|订|寄|补办|办理|预约|联系)"),
)  # fmt: skip

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
    ("said outright", r"\bin progress\b|\bwip\b|\bunder ?way\b|\bongoing\b"),
    ("work at this moment", rf"\b(?:currently|right now|at the moment|now|presently|busy|still"
     rf"|i am|i['’]m|we are|we['’]re|(?:user|he|she) is) (?:busy )?{_WORKING}\b(?! remote)"),
    ("work these days", r"\b(?:working|debugging) on\b[^.\n]{0,80}\b(?:today|this (?:session|week)"
     r"|now|currently)\b"),
    ("work at this moment", rf"(?:^|\n)(?:{_WORKING}) (?:the|an?|his|her|our|for|on|through|from"
     rf"|all) "
     r"(?![^\n]{0,60}(?:\b(?:is|are)\b|:))"),
    ("a place in it", rf"\b{_PART} \d{{1,3}} (?:now|so far|has started|started|begun|is next"
     rf"|pending|open)\b"
     rf"|\b(?:now|are|is|am) (?:on|at|in) {_PART} (?:\d|{_NUMBER}\b)"),
    ("half of it", r"\bhalf ?way (?:through|done|into)\b|\b(?:partly|partially|half|mostly|nearly"
     r"|almost) (?:done|finished|complete|written|migrated)\b|\bhalf of (?:it|the (?:work|pages"
     r"|files|tables|tests|data|chapters)) (?:is|are)\b"
     r"|\b(?:is|are) (?:still )?(?:unfinished|incomplete|half (?:done|written))\b"),
    ("so far", rf"\bso far\b[^.\n]{{0,40}}\b{_ENDED}\b|\b{_ENDED}\b[^.\n]{{0,40}}\bso far\b"),
    ("a share of it", r"\b\d{1,3} ?(?:%|percent) (?:is |are )?(?:done|complete|completed|finished"
     r"|migrated|through|there|translated|converted|ported|written)\b"
     r"|(?:\bprogress(?: is)?(?: at|:)?|\b(?:is|are|now) at) (?:about "
     r"|roughly )?\d{1,3} ?%(?! of)"),
    ("a place in it", rf"\b{_PART} \d{{1,3}} ?(?:of|/) ?\d{{1,3}}\b|\b(?:i['’]m|we['’]re|he['’]s"
     rf"|she['’]s"
     rf"|(?:we|they) are|(?:he|she|user) is|am|now|currently) (?:on|at|in) {_PART} \d"),
    ("so many of so many", r"\b\d{1,6}k? ?(?:of|/"
     r"|out of) ?(?:the )?\d{1,6}k?\b(?: [a-z]+){0,3} (?:done|moved|sent|loaded|imported|words"
     r"|copied|checked"
     r"|pass|passing|passed|migrated|left|remain|finished|converted|complete|completed|ported"
     r"|reviewed|translated|written|are|have)\b"),
    ("what is left", rf"\b{_NUMBER} (?:\w+ ){{0,3}}(?:to go|remaining|remain|still open|are left"
     rf"|left to \w+|still to \w+|left(?=[.,;]|$))"),
    ("where it stands", r"\b(?:stopped|paused|left off|stuck|got stuck) (?:at|on|in|after|before"
     r"|with|halfway)\b|\bgot (?:as far as|up to)\b"),
    ("some ended, some open", rf"\b{_ENDED}\b ?[,;–—-] ?(?:but |and |while )?[^.\n]{{0,60}}?"
     rf"\b{_OPEN}\b"),
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
    ("at this moment", rf"正在?把|(?:正在|目前(?:正?在)?|现在(?:正?在)?|眼下(?:在)?|还在)"
     rf"(?:{_DOING_ZH})(?!公司|银行)"),
    ("at this moment", rf"正在(?:和|跟|帮|陪)[^，。\n]{{1,8}}?(?:{_DOING_ZH})"),
    ("waiting", r"[，；]在?等[^，。；\n]{1,8}?(?:反馈|回复|确认|审批|审核|批复)"),
    ("where it stands", r"(?:做|写|改|跑|测|走|进展)到[^，。\n]{1,14}?这一?步"),
    ("at this moment", r"目前(?:进行|做|写|跑|完成|进展|卡|停)(?:到|了|在)?"),
    ("how far", r"进度\s?(?:为|是|约|大概|：|:|到)?\s?(?:\d|[一二三四五六七八九过]|百分|大?半)"
     r"|进展到|进度[：:]"),
    ("a share of it", r"(?:做|完成|写|跑|改|弄|搞|测|迁移?|读|看|学|走|翻译|整理|处理|清洗"
     r"|搭)(?:好|完)?了?(?:大?约"
     r"|大概|差不多)?(?:一半|一?大半|一?小半|过半|[一二三四五六七八九]成|\s?\d{1,3}\s?%|百分之"
     r"|[三四五]分之)"),
    ("a share of it", r"[^\s。，]了(?:一半|一?大半|过半|[一二三四五六七八九]成)|到一半"
     r"|(?:约|大概|差不多|已经?)\s?[三四五]分之|目前[^。，\n]{0,10}了\s?\d"),
    ("said outright", r"(?:翻译|写|改|读|测|做|迁移|开发|整理|校对)[^，。\n]{0,12}中[，,。]"),
    ("so many", rf"(?:完成|做完|跑完|写完|改完|迁完|通过|搞定"
     rf"|处理)了?\s?{_SOME}[^。\n]{{0,16}}(?:剩|还|差|待|未|没)"),
    ("so many of so many", r"(?:完成|进度|已|通过|做了|迁了"
     r"|写了)[^\d。\n]{0,4}\d{1,5}\s?/\s?\d{1,5}"),
    ("what is left", rf"(?:还剩|还差|剩下?|余下|(?<![时温相])差)(?:下|着|最后)?\s?{_SOME}|还剩着"
     rf"|[剩差]\s?(?:\d"
     rf"|[一两])[^。，\n]{{0,12}}"
     rf"(?:没|未|待)"),
    ("where it stands", r"(?:做|写|读|看|改|跑|学|讲|迁|翻译|复习)到(?:了)?\s?(?:第|一半)"
     r"|(?<![行用员显饭房车])(?:卡|停|暂停|搁)在|上次(?:停|做|写|讲|聊|看|读|学)(?:在|到)"),
    ("a place in it", r"第\s?[\d一二三四五六七八九十]{1,3}\s?(?:步|章|阶段|轮|批|期"
     r"|部分)[^。\n]{0,12}?(?:正在|刚|才|还没"
     r"|一半|，共|/|中的)"),
    ("some ended, some open", r"(?:已|都|刚|全部)(?:经)?(?:完成|跑完|做完|写完|改完|迁完|通过|上线"
     r"|好了|搞定)[^。\n]{0,20}"
     r"[，,；;、][^。\n]{0,20}?(?:剩|还没|还在|未|待|没|正在|等)"),
    ("some ended, some open", r"(?:完了?|好了|完成|通过|OK)[，,；;][^。\n]{0,20}(?:还没|还在|尚未"
     r"|还差|还剩|暂时|暂未)"),
)  # fmt: skip

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
_DONE = table(
    ("a report of work", rf"(?:^|\n)\s{{0,4}}(?:[-*•] ?)?(?:\[?\d{{4}}-\d\d-\d\d\]? ?[:–—-]? ?)?"
     rf"(?:(?:done|log|session(?: log| summary| notes)?|summary|completed|update)[:–—-] ?)?"
     rf"(?:successfully |just |already |also )?(?:{_DID}) (?:up |out |down |through |over )?"
     rf"{_NOT_OBJECT}{_NO_SUBJECT}"),
    ("a report of work", rf"(?:^|\n)\s{{0,4}}(?:[-*•] ?)?(?!(?:{_FEELING})\b)[a-z]{{3,14}}ed "
     rf"(?:the|all|both|three|two|\d{{1,5}}|user['’]s|our) "),
    ("a report of work", rf"(?:^|[\n.] ?)(?:finally|just) (?:got|made|did|{_DID}) (?:the|an?|it"
     rf"|all|his|her|our)\b"),
    ("a report of work", rf"(?:^|\n)(?:{_DID}) and (?:{_DID}) "),
    ("a session's log", rf"(?:^|\n)(?:session|log|summary|done"
     rf"|worklog)[ :–—-]{{1,3}}\d{{4}}-\d\d-\d\d[ :–—-]{{1,3}}"
     rf"(?:\w+ ){{0,3}}?(?:{_DID})\b"),
    ("it was done", r"\b(?:is|are|was|were) (?:now )?(?:fixed|merged|done|deployed"
     r"|resolved)\s?[(,;][^.\n]{0,20}"
     r"(?:\bcommit|\bPR\b|#\d|\bMR\b)"),
    ("we did it", rf"\b(?:i|we|agent|assistant|hermes)(?:['’]ve| have)? (?:successfully |just "
     rf"|already |also |finally )?(?:{_DID}|walked|went|looked|paired|got|made|did) {_NOT_OBJECT}"),
    ("at a time", rf"(?:^|[\n.;] ?)(?:{_THEN})\b[:,]?[^.\n]{{0,50}}?\b(?:{_DID})\b"),
    ("at a time", rf"\b(?:{_DID})\b[^.\n]{{0,80}} {_THEN}\b"),
    ("it was done", rf"\b(?:was|were|has been|have been|got|is now|are now) (?:successfully "
     rf"|finally )?"
     rf"(?:{_DID})\b[^.\n]{{0,80}}(?:\b{_THEN}\b|\bPR\b|#\d|\bcommit\b|\bMR\b)"),
    ("over and done", r"\b(?:is|are) (?:now|finally|all) (?:done|live|fixed|merged|deployed"
     r"|resolved"
     r"|green|finished|in production|up and running)\b"),
    ("over and done", rf"\b{_TASK} (?:is |was |has been )?(?:done|completed?|finished|successful"
     rf"|went (?:well|fine|through|smoothly))\b"),
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
    ("at a time", rf"{_WHEN_ZH}[^。；\n]{{0,40}}?[迁搬换改升加推传装存导降合挪](?:移"
     rf"|级)?[到成上出进至]了"),
    ("it is done", rf"已(?:经)?(?:将|把)[^。；\n]{{1,30}}?(?:{_DID_ZH})(?!的)"),
    ("it was put so", rf"把[^，。；\n]{{1,20}}?(?:{_DID_ZH}|投|交|寄|传|搬|迁|放|挪"
     rf"|合)[给到成好完掉上出进在]了"),
    ("it was put so", rf"把[^，。；\n]{{1,20}}?(?:{_DID_ZH}|投|交|寄|传|搬|迁|合)(?:好|完|掉"
     rf"|成)了"),
    ("it is done", r"(?:^|[，。；])完成[^，。：\n]{2,20}并"),
    ("it is done", r"(?:本次|这次|今天|今日|本周)[^，。\n]{0,6}完成\s?[:：]"),
    ("it is done", r"已(?:发给|寄出|寄给|交给|付清|回复|通知了?|取消|订好|买好|约好|投递)"),
    ("it was put so", r"(?:成功|刚刚?|已(?:经)?[^，。；\n]{0,8}?)(?:把"
     r"|将)[^，。；\n]{1,24}?[到成至为好完]"),
    ("it was put so", r"(?:^|[，。；\n])给[^，。；\n]{1,12}?(?:加|装|换|写|做|配|改|修|买|订)(?:上"
     r"|好)?了"),
    ("it is done", r"(?:清|做|装|修|改|写|跑|弄|处理|算|整理)完[^，。\n]{0,3}了(?!就|再|才|会|的话"
     r"|以后|之后|吗)"),
    ("it is done", r"已(?:整理|汇总|上传|打包|导出|生成|备份)(?![的在])"),
    ("someone was helped", r"(?:帮|替|给|陪|为)(?:用户|他|她|老板|客户)[^。；\n]{0,30}?(?:了(?!解)"
     r"|完了?|好了?)(?!的)"),
    ("together", rf"(?:和|跟|与)用户(?:一起)?[^。；\n]{{0,24}}?(?:{_ENDED_ZH})"),
    ("it is done", r"已(?:经)?(?:全部|成功|顺利)?(?:完成|修复|修好|合并|合入|合到|部署|上线|发布"
     r"|实现|重构|迁移完?|迁到|解决"
     r"|提交|升级|写完|改好|改完|装好|配好|搭好|清理|删除|交付|验收|归档|回滚|切换到|更新到"
     r"|处理完)(?![的后时]|一?[年两三]|多年)"),
    ("it is done", r"(?<!年)(?:修复|完成|合并|部署|实现|解决|提交|上线|发布|重构|迁移|升级|重装"
     r"|清理|整理"
     r"|搭建|优化)(?:好|完)?了"
     r"(?!就|再|才|会|的话|以后|之后|吗|没有)"),
    ("it is done", r"(?:修|改|装|配|搭|写|跑|迁|弄|搞|换|做|办|订|发|删|清)(?:好|完|通|掉"
     r"|齐)了(?!就|再|才|会|的话|以后"
     r"|之后|吗|没有|要)"),
    ("a merge", r"(?:合并|提交|关闭|提|合)了?\s?(?:PR|MR|Issue|工单)\s?[#!]?\d"
     r"|(?:PR|MR|工单|代码|分支|改动|补丁)\s?[#!]?\d{0,6}\s?(?:已|都)?(?:合了?到|合入|已合|合并了"
     r"|已关|已提)"),
    ("changed and tried", r"(?:加|改|换|删|补|调|修|装|配|升|迁|清|写|建)(?:好|完|掉"
     r"|成)?了[^。\n]{1,60}(?:压测|自测|验证|测试"
     r"|重启|重跑|回归|实测)[^。\n]{0,16}(?:通过|正常|平稳|成功|没问题|无误|无报错)"),
)  # fmt: skip


def is_todo(text: str) -> bool:
    """Whether it is a thing to do once; what is under way and what recurs are not."""
    bare = unquoted(text)
    if _TODO.search(bare) or _TODO_ZH.search(bare):
        return not (_recurs(bare) and not _heads(bare))
    if any(_REMIND.search(one) and not _HABIT.search(one) for one in sentences(bare)):
        return True
    return _NOT_BEGUN.search(bare) is not None and not _is_under_way(bare)


def is_progress(text: str) -> bool:
    """Whether it says how far some work is."""
    return _is_under_way(unquoted(text)) and not _is_report(text)


def is_done(text: str) -> bool:
    """Whether it reports work that is over; what names a rest is under way instead."""
    bare = unquoted(text)
    told = [one for one in sentences(bare) if _DONE.search(one) or _DONE_ZH.search(one)]
    done = _DONE.search(bare) or _DONE_ZH.search(bare)
    if done is None or (told and all(RECURRING.search(one) for one in told)):
        return False
    return _is_report(text) or not _is_under_way(bare)


def heads_todos(text: str) -> bool:
    """Whether a list of things to do begins here, so that its numbers are no steps."""
    return is_todo(text) and _heads(unquoted(text))


_HEADING = re.compile(
    r"(?i)(?:^|\n)[^:：\n]{0,20}(?:todo|to do|remaining|outstanding|open|next steps?|action items"
    r"|待办|剩余|剩下|未完成|遗留|待)[^:：\n\d]{0,12}(?:[:：\n]|\d)"
)


def _heads(text: str) -> bool:
    return _HEADING.search(text[:80]) is not None


def _recurs(text: str) -> bool:
    """Whether every sentence that speaks of something to do speaks of a habit."""
    named = [one for one in sentences(text) if _TODO.search(one) or _TODO_ZH.search(one)]
    return bool(named) and all(_HABIT.search(one) for one in named)


def _is_under_way(text: str) -> bool:
    return bool(_PROGRESS.search(text) or _PROGRESS_ZH.search(text))


def _is_report(text: str) -> bool:
    """Whether at least three sentences tell of things done: a log, whatever else it mentions."""
    told = sum(bool(_DONE.search(one) or _DONE_ZH.search(one)) for one in sentences(unquoted(text)))
    return told >= 3
