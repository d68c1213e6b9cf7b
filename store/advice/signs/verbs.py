"""Verbs of doing something once, in the forms in which a task, a step and a report show them."""

from __future__ import annotations

from typing import Final

from store.advice.signs.phrases import words

ACTS: Final = words(
    "add adjust align announce answer apply arrange ask assemble assign attach back bake balance"
    " boil book boot bring brush build bump burn buy calculate calibrate call cancel carry cash"
    " change charge chase check choose chop clean clear click clip clone close collect combine"
    " commit compare compile complete compress configure confirm connect contact convert cook cool"
    " copy count cover create cut debug decide delete deliver deploy describe detach dig "
    "dip disable"
    " disconnect dispatch document download draft drain draw drive drop dry dump edit email empty"
    " enable enter erase estimate exchange execute exit expand explain export extend extract fasten"
    " feed fetch figure file fill filter finalise finalize find finish fit fix flash flip "
    "flush fold"
    " follow format forward freeze frost generate get give glue go grease grind group hand "
    "hang heat"
    " hire hold import increase inflate inform initialise initialize inject insert inspect install"
    " invite invoice investigate invoke iron join keep knead label launch lay leave let lift link"
    " list load lock look log login loosen lower mail make map mark match measure melt "
    "merge migrate mix"
    " mount move name navigate note notify obtain open order organise organize pack paint paste"
    " patch pause pay peel phone pick pin ping place plan plant plug polish pop port post "
    "pour power"
    " prepare preheat press print proofread publish pull pump push put quit raise rake read rebase"
    " reboot rebuild recharge reconnect record redo refactor refill refresh refund register release"
    " reload remind remove rename render renew rent reopen repair repeat replace reply report"
    " request reschedule research reset resize resolve restart restore resume return reverse revert"
    " review revoke rewrite rinse roll rotate run sand save scan schedule scale scrape screw scrub"
    " seal search select sell send separate serve set settle shake ship show shut shuffle sign sift"
    " simmer sketch skim slice smoke soak solder sort split spray spread sprinkle squash stage"
    " stamp start stick stir stop store strain strip submit subscribe sum swap sweep switch sync"
    " tag take talk tap tape tell test text thank thaw tidy tie tighten tilt top toggle trace"
    " transfer transcribe translate trigger trim try tune turn type unfold unlock unmount unpack"
    " unplug unscrew unzip update upgrade upload use vacuum validate verify visit wait walk warm"
    " warn wash watch water weigh wipe wire wrap write zip"
)
"""Bare forms: what an order, a step and an infinitive begin with."""

_IRREGULAR = words(
    "done gone come made sent built written rewritten taken put set reset cut paid bought "
    "brought sold found"
    " held kept left lost met caught taught drawn driven given shown hung laid dealt led split shut"
    " spent run read redone torn undone rebuilt resent reread remade rehung swept wound "
    "ground wrapped shot"
)
ENDED: Final = rf"(?:(?!need|speed|indeed|embed|seed|shed)[a-z]{{2,14}}ed|{_IRREGULAR})"
"""Participles of the past, as far as their ending tells."""

_PAST_IRREGULAR = words(
    "made sent built wrote rewrote took put set reset cut paid bought brought sold found held met"
    " caught taught drew drove gave got hung laid dealt led split shut spent ran went did "
    "redid rebuilt resent reread remade proofread told wrote"
    " swept wound ground tore chose"
)
PAST: Final = rf"(?:(?!need|speed|indeed|embed|seed|shed)[a-z]{{2,14}}ed|{_PAST_IRREGULAR})"
"""Forms of the simple past, as far as their ending tells."""

ACTS_ZH: Final = (
    "交|提交|还|缴|付|寄|办|续|补|买|订|定|发|写|做|改|修|测|查|问|联系|确认|跟进|处理|完成|更新"
    "|整理|换|装|拆|删|加|调|搬|挪|送|取|拿|领|接|约|预约|报|报名|打|打印|签|盖|贴|录|导|传|备份"
    "|迁|部署|上线|发布|合并|回|回复|通知|告诉|催|找|选|挑|排|安排|准备|收拾|打扫|清|洗|充|退|汇|转"
    "|核对|核实|校对|审|批|评|翻译|抽|抄|画|剪|拍|扫|扫描|检查|体检|登记|申请|注册|注销|关|开|停|配"
    "|建|搭|升级|升|降|抽取|重构|重写|重做|撤|拉|推|归档|汇总|统计|结算|对账|报销|续费|续签|续约"
    "|种|浇|喂|煮|炖|炒|腌|晒|晾|缝|磨|刷|擦|抹|涂|烤|蒸|切"
)
"""Verbs of doing in Chinese, one or two characters; they have one form."""

WORK_ZH: Final = (
    "重写|改写|写|做|画|发|寄|交|递|送|提交|修好?|补|查清?|整理|清理|清|核对|核|校对?|审"
    "|翻译|译|录|导|上传|下载|备份|搭|装|配|部署|排查|定位"
    "|测|跑|生成|打印|复印|印|扫描?|拍|剪辑?|制作|起草|拟|润色|汇总|统计|归档|分类|登记"
    "|申请|报名|订|买|预约|续|缴|付|退|取|领|捐|比|对比|比较|筛选?|选|挑"
    "|联系|通知|教会?|讲解|讲|解释|演示|优化|重构|合并|修复|解决|处理|替换|删|新增|添|贴|挂"
    "|运|拆|擦|铺|缝|回复?|答复|办理?|注销|注册|开通|迁移?|转|升级|更新"
    "|重启|恢复|调试|收|数|算|安排|布置|准备|组织|排|定|录入|抄|粘|标|拼|裁|订正|修订|修改"
    "|更正|压缩|转换|导出|导入|接入|打通|抽取|拆分"
)
"""Verbs of work done for someone, as reports of it use them."""
