"""The words by which a text is compared: stems, figures, one word for all that mean the same. Pure.

`_EN` and `_ZH` are classes of general words that stand for each other in a paraphrase. What is
common in either language weighs little, whatever the other texts hold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from schema.frozen import frozen

MOST = 400
"""Texts with more words are compared by their first."""

_EN: Final = (
    "server host machine box computer node|database db"
    "|password passphrase passwd passcode pw|wifi wi-fi wlan wireless"
    "|picture photo photograph image pic|movie film|trip holiday vacation journey travel"
    "|renew renewal extend prolong"
    "|erase delete wipe remove purge drop clear|answer reply response respond"
    "|short brief concise terse|list bullet point"
    "|uk british britain|us american america|german germany|french france|chinese china"
    "|english england|paragraph para"
    "|limit maximum most max cap ceiling|least minimum min|couple pair two"
    "|start begin commence|end finish conclude|done complete completed finished"
    "|buy purchase|phone telephone call ring|mail email e-mail|letter post"
    "|meeting meet call|doctor physician gp|clinic surgery practice"
    "|kid child children|mother mum mom|father dad|wife spouse husband partner"
    "|grandma grandmother gran|grandpa grandfather grandad|big large"
    "|small little tiny|fast quick rapid|slow sluggish|near close|avoid skip"
    "|forbid forbidden ban prohibit|allow permit|must required mandatory obligatory"
    "|fix repair correct|broken break faulty crash|bug defect|error fault failure"
    "|change modify alter|shut switch turn|store save keep kept hold held|live reside stay"
    "|folder directory dir|file document doc|backup copy|weekly week|daily day"
    "|monthly month|yearly annual year|twice two|once one"
    "|prod production live|staging stage preprod|test testing|deploy release rollout ship"
    "|branch trunk|main master|repo repository"
    "|car vehicle|flat apartment|house home|lessor landlord|job work|boss manager"
    "|colleague coworker|customer client|company firm employer|supplier vendor"
    "|allergic allergy allergies|eat food meal diet|shellfish prawn seafood"
    "|vegetarian veggie|coffee espresso|evening night|morning am|noon midday|afternoon pm"
    "|font type typeface|color colour|dark black|light bright|screen display monitor"
    "|sound audio|quiet silent mute|volume loudness"
    "|pay paid payment|price cost|invoice bill|money cash|tax vat|bank account"
    "|arrange organise organize set|handed hand submit submitted"
    "|pupil student learner|teacher tutor instructor|class lesson course|school college"
    "|exam examination test|thesis dissertation"
    "|write wrote written draft compose|read reading|speak say tell talk"
    "|explain explanation|want wish like prefer prefers preference|dislike hate"
    "|careless accident accidentally|explicit spell exact|path location|rule policy"
    "|reason because since|never not|always every|before ahead prior|after later"
    "|upload put uploaded|turn convert turned|machine device|wheelchair chair|lift elevator"
    "|ramp stepless|road street|bike bicycle cycle|train rail railway"
    "|public open|private closed|key secret token|login logon sign-in|user account"
    "|name call named|version release|old former previous legacy|new fresh"
    "|autumn fall|shop store|kitchen cook|garden yard|dog hound|cat kitten"
    "|medicine drug tablet pill|glasses spectacles|tired sleepy"
    "|chart graph plot diagram|table sheet spreadsheet|slide deck presentation|page screen"
    "|button key|comma punctuation|uppercase capital caps"
    "|metric si|clock time hour|iso date|port listen|reach access connect|through via over"
    "|rotate renew|workday weekday|weekend saturday sunday"
    "|choose chose pick picked select selected|because reason since as"
    "|mean means stand stands|part section piece|number count|whole entire all"
)
_ZH: Final = (
    "server 服务器 主机 机器 机子 那台|database 数据库 库|password 密码 口令"
    "|wifi 无线网络 无线网 无线|photo 照片 图片 相片 相册|trip 旅行 旅游 出行 出门"
    "|renew 续期 续签 续费 续约|"
    "delete 删除 删掉 清除 清掉|answer 回答 回复 答复 说话 回话"
    "|short 简短 短 简洁 精简 压短 简明|limit 最多 上限 至多 不超过 以内"
    "|least 至少 最少 不低于|start 开始 起|"
    "end 结束 完成 做完|buy 购买 买|phone 电话 打电话|mail 邮件 邮箱 电邮"
    "|meeting 会议 开会 例会|doctor 医生 大夫|clinic 诊所 门诊"
    "|closed 停诊 不看诊 休诊 放假 休息 停业 歇业 关门|"
    "urgent 急诊 急病 急症 紧急|kid 孩子 小孩 娃|mother 母亲 妈妈 老妈 妈"
    "|father 父亲 爸爸 老爸 爸|wife 妻子 老婆 爱人 太太|husband 丈夫 老公 先生"
    "|grandma 奶奶 祖母|grandpa 爷爷 祖父|"
    "big 大|avoid 避开 避免 别 不要 不用 免 不带 不选 不吃 不得 禁止 不许 勿 严禁 不能 不可 "
    "不准 切勿|must 必须 一定 务必 得 要 需要 需 须|fix 修复 修好 修理 改好 解决"
    "|fault 故障 出错 报错 错误|"
    "change 修改 改成 改为 改 更改 换成 换|store 存放 存 保存 放在 放 收在 存到"
    "|live 住在 居住 住|folder 文件夹 目录|file 文件 文档|backup 备份 备份机"
    "|weekly 每周 每星期 每个星期|daily 每天 每日|monthly 每月 每个月|"
    "prod 生产环境 生产 线上 正式环境 正式|test 测试环境 测试|deploy 部署 发布 上线 发版"
    "|branch 分支|repo 仓库 代码库|car 汽车 车子|job 工作 上班 任职|boss 老板 领导 上司"
    "|colleague 同事|customer 客户 顾客|"
    "company 公司 单位|allergic 过敏|evening 晚上 夜里 晚间 夜间|morning 早上 上午 早晨 早"
    "|noon 中午|afternoon 下午|font 字体 字号|color 颜色|screen 屏幕 显示器"
    "|pay 付款 支付 付 缴|price 价格 单价|"
    "invoice 发票|student 学生|teacher 老师 教师|class 课 课程 上课|school 学校|exam 考试"
    "|thesis 论文|write 写 撰写 编写|like 喜欢 爱 偏好 习惯 偏爱 倾向 惯用"
    "|dislike 讨厌 反感 厌恶 不喜欢 不爱|path 路径|rule 规则 规定 约定|"
    "because 因为 由于|always 一律 统一 总是 全部 都 全|before 之前 以前 前"
    "|after 之后 以后 后|wheelchair 轮椅|lift 电梯 直梯|ramp 坡道 无台阶 无障碍"
    "|route 路线 线路|taxi 打车 叫车 出租车|plan 规划 推荐 建议|"
    "conclusion 结论|courtesy 客套话 客套 寒暄 客气|emoji 表情符号 表情"
    "|first 先 首先 开门见山 开头|volume 册 本|sheet 张|about 大约 约 左右 上下 大概 差不多"
    "|name 代号 叫法 名叫 叫做 叫 名字 名为 称为 称|connect 连接 连 连上|"
    "fill 填 输入|office 办公室|photo 扫描 扫|old 旧 老|go 去 转 到|address 地址"
    "|shop 店铺 门店 店|parcel 快递 包裹|contract 合同|format 格式|chinese 中文 汉语"
    "|english 英文 英语|version 版本|port 端口|proxy 代理|"
    "use 使用 用 采用|located 位于 在|responsible 负责 管 归|review 审核 审批 评审"
    "|approve 同意 批准 通过|manual 手动 人工|auto 自动|reason 理由 原因|chart 图表 图"
    "|table 表格 表|commit 提交|explain 解释 讲解 说明|"
    "only 只 仅 只能 只有|never 从不 永不 绝不|weekday 工作日|weekend 周末"
    "|birthday 生日 出生 生|lunar 农历 阴历|spicy 辣 辣椒|eat 吃 饮食|drink 喝|tea 茶"
    "|coffee 咖啡|dog 狗|cat 猫|glasses 眼镜|medicine 药|"
    "restaurant 餐厅 餐馆 饭店 馆子|home 家 家里|cold 冷|hot 热|leave 请假 休假"
    "|visit 拜访 上门|key 密钥 秘钥|ask 问 询问 打听|tell 通知 告诉 告知"
    "|send 发送 发给 发 寄|print 打印 印|export 导出|import 导入|"
    "time 时间 时候|number 编号 号码|progress 进度 进展|half 一半 过半"
    "|remain 剩下 剩 还剩 余下|translate 翻译 译 英译 中译|meeting-room 会议室"
    "|month-end 月底 月末|year-end 年底 年末|day-off 假期 假日|national-day 国庆 十一"
)


def _list(text: str) -> list[str]:
    return text.split()


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMMON_EN: Final = _set(
    "time day week month year people person man woman thing way work use part place case "
    "group number fact new good first last long great little own other old"
    " right big high different small large next early young important few public bad same "
    "able make take know see come think look want give find tell ask seem feel"
    " try leave call keep let begin help show hear play run move live believe bring happen "
    "write sit stand lose pay meet include continue set learn change lead"
    " understand watch follow stop create speak read add spend grow open walk win teach "
    "offer remember consider appear buy serve die send build stay fall cut reach"
    " file name user data list page line text code note project system server version test "
    "date mail message document report folder table word form state kind"
    " type end start home house room school book order one two three four five six seven "
    "eight nine ten before after around through between under since without"
    " within during against because until although though even back well very much many "
    "more most some every each another such here there now then once never always"
    " often only also still yet however rather than over again away left free full short "
    "real best better less least main local general special second third half whole"
    " morning evening night today tomorrow monday tuesday wednesday thursday friday "
    "saturday sunday hour minute time times weekly daily"
    " using used uses keeps kept goes done made sent put get got"
)
_COMMON_ZH: Final = frozenset(
    "一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之"
    "年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主"
    "样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业"
    "外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特"
    "代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系"
    "气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山"
    "金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设"
    "式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
    "笔六七八九百千"
)
_STOP: Final = _set(
    "a an and any are as at be been but by can could do does did for from had has have he "
    "her his i if in into is it its may me might my no not of off on or our she should so"
    " that the their them they this those these to too was we were what when where which "
    "while who whom will with would you your yours also just all both about out up down "
    "like likes liked"
    " must need needs prefer prefers preferred user users only always http https via per "
    "than then there here etc how"
    " lives runs run running located named called written written s t re ve ll d m be being"
)
_LITTLE: Final = frozenset(
    "的了在是和与跟把被将让就也会着过吧吗呢啊呀这那我你他她它们很请为"
    "由从而或并但及所其地之于以就个里上下中时"
)
_DIGITS = {sign: at for at, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_TENS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_NUMERAL = re.compile(r"[零〇一二两三四五六七八九十百千万]{1,9}")
_TENTHS = re.compile(r"([一二三四五六七八九])成")
_NUMBERS_EN: Final = {
    name: str(at)
    for at, name in enumerate(
        _list(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen "
            "fourteen fifteen sixteen seventeen eighteen nineteen twenty"
        )
    )
} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "hundred": "100",
    "thousand": "1000",
    "dozen": "12",
}
_MONTHS: Final = {
    name: str(at)
    for at, names in enumerate(
        (
            "jan january",
            "feb february",
            "mar march",
            "apr april",
            "may",
            "jun june",
            "jul july",
            "aug august",
            "sep sept september",
            "oct october",
            "nov november",
            "dec december",
        ),
        1,
    )
    for name in names.split()
    if name not in ("may", "mar", "march")
}
_WORDS = re.compile(r"[a-z0-9_~/][a-z0-9_.+#/@~'’-]*|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
_PLAIN = re.compile(r"[a-z0-9_]+|[\u3400-\u9fff]")
_MEASURED = re.compile(r"(\d+)-?([a-z]{1,12})")
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}-\d{1,2}|\d+/\d+|\d+-\d+")


def _stem(word: str) -> str:
    """A word without the ending that says how often, when or who."""
    if not word.isalpha():
        return word
    for ending in ("ings", "ing", "ers", "ies", "ed", "er", "es", "ly", "al", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _classes(text: str) -> dict[str, str]:
    return {word: names.split()[0] for names in text.split("|") for word in reversed(names.split())}


_SAME_EN: Final = {_stem(word): _stem(first) for word, first in _classes(_EN).items()}
_SAME_ZH: Final = {word: first for word, first in _classes(_ZH).items() if not word.isascii()}
_SAME_ZH_FOUND = re.compile("|".join(sorted(_SAME_ZH, key=len, reverse=True)))
_WEAK_ZH: Final = _set(
    "must avoid always use located before after change store only name go first answer end "
    "start about like write send time add big like fill sheet volume ask tell fix because"
)


@frozen
class Wording:
    """What a text says, for comparison.

    Each word with what it weighs, the numbers among them, and its words as they stand.
    """

    weights: dict[str, float]
    numbers: frozenset[str]
    in_turn: tuple[str, ...]
    plain: tuple[str, ...]


def wording(text: str) -> Wording:
    """The words by which a text is compared."""
    weights: dict[str, float] = {}
    in_turn = []
    for word, weight in _weighed(text):
        in_turn.append(word)
        weights[word] = max(weight, weights.get(word, 0.0))
    numbers = frozenset(_told_numbers(text))
    plain = tuple(_PLAIN.findall(unicodedata.normalize("NFKC", text).lower())[: 4 * MOST])
    return Wording(weights, numbers, tuple(in_turn), plain)


def _told_numbers(text: str) -> Iterator[str]:
    """Numbers told in figures, or in characters if they count more than a few."""
    folded = unicodedata.normalize("NFKC", text)
    for found in re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3}\b)", "", folded)):
        yield found.lstrip("0") or "0"


def _weighed(text: str) -> Iterator[tuple[str, float]]:
    folded = _figures(unicodedata.normalize("NFKC", text).lower())
    for found in _WORDS.findall(folded)[:MOST]:
        if found[0].isascii():
            yield from _latin(found.strip("._/+-@#'’"))
        else:
            yield from _han(found)


def _figures(text: str) -> str:
    """`text` with numbers in figures."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = text.replace("国庆", " 国庆 ").replace("十一放假", "国庆放假")
    text = _TENTHS.sub(lambda m: f" {_DIGITS[m[1]]}0 ", text)
    return _NUMERAL.sub(_numeral, text)


def _numeral(found: re.Match[str]) -> str:
    """A number in characters as one in figures; one is no number but an article."""
    sign = found[0]
    if sign in ("一", "千", "万", "百"):
        return sign
    if not any(one in _TENS for one in sign):
        return " " + "".join(str(_DIGITS[one]) for one in sign) + " "
    total, part = 0, 0
    for one in sign:
        if one in _DIGITS:
            part = _DIGITS[one]
        elif one == "万":
            total, part = (total + part) * 10_000, 0
        else:
            total, part = total + (part or 1) * _TENS[one], 0
    return f" {total + part} "


def _latin(word: str) -> Iterator[tuple[str, float]]:
    word = word.removesuffix("'s").removesuffix("’s")
    if word in _NUMBERS_EN:
        word = _NUMBERS_EN[word]
    if word in _MONTHS:
        word = _MONTHS[word]
    if _DATE.fullmatch(word):
        yield from (
            (part.lstrip("0") or "0", _number_weight(part)) for part in re.findall(r"\d+", word)
        )
        return
    measured = _MEASURED.fullmatch(word)
    if measured:
        yield measured[1].lstrip("0") or "0", _number_weight(measured[1])
        word = measured[2]
    if word.isdigit():
        yield word.lstrip("0") or "0", _number_weight(word)
    elif len(word) > 1 and word not in _STOP:
        if "-" in word and word.replace("-", "").isalpha():
            for part in word.split("-"):
                yield from _latin(part)
            return
        yield _one(word)


def _one(word: str) -> tuple[str, float]:
    stem = _stem(word)
    same = _SAME_EN.get(stem, stem)
    if not word.isalpha():
        return stem, 1.5
    if same != stem or same in _SAME_EN:
        return same, 0.6 if word in _COMMON_EN else 0.8
    return same, 0.5 if word in _COMMON_EN else 1.0


def _number_weight(number: str) -> float:
    return 0.5 if len(number.lstrip("0")) < 2 else 0.9 if len(number) < 3 else 1.2


def _han(run: str) -> Iterator[tuple[str, float]]:
    """Pairs of characters and characters alone, and one word for those that mean the same."""
    at = 0
    for found in _SAME_ZH_FOUND.finditer(run):
        yield from _characters(run[at : found.start()])
        same = _SAME_ZH[found[0]]
        yield same, 0.25 if same in _WEAK_ZH else 0.7
        at = found.end()
    yield from _characters(run[at:])


def _characters(run: str) -> Iterator[tuple[str, float]]:
    for at, sign in enumerate(run):
        if sign in _LITTLE:
            continue
        yield sign, 0.2 if sign in _COMMON_ZH else 0.55
        after = run[at + 1 : at + 2]
        if after and after not in _LITTLE:
            yield sign + after, 0.25 if sign in _COMMON_ZH and after in _COMMON_ZH else 0.45
