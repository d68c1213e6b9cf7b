"""Texts that say much the same are found, and those that only look alike are not."""

from __future__ import annotations

import pytest

from store.advice.similar import alike, likeness


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        (
            "The staging server is named larch and runs Debian 12",
            "Staging server named larch, running Debian 12",
            "near",
        ),
        (
            "数据库迁移工具用 alembic，测试前先跑 make db-reset",
            "测试前先跑 make db-reset；数据库迁移工具用 alembic",
            "near",
        ),
        (
            "Weekly report is due Friday",
            "Weekly report is due Friday 17:00 and goes to the whole data platform team by mail",
            "contained",
        ),
        ("same text", "same  text", "same"),
        ("Dog named Biscuit, walks at 7 and 19", "Walks the dog Biscuit at 7 and at 19", "near"),
        ("周报每周五下午发给陈经理", "每周五下午给陈经理发周报", "near"),
        (
            "Needs the VPN ember to reach the lab cluster",
            "Lab cluster is only reachable over the ember VPN",
            "near",
        ),
        ("爱喝手冲咖啡，不加糖", "喝手冲咖啡不要放糖", "near"),
        (
            "项目 kite 用 PostgreSQL，端口 5544",
            "kite 的数据库是 PostgreSQL，监听 5544 端口",
            "near",
        ),
    ],
)
def test_texts_that_say_the_same_are_found(one: str, other: str, how: str) -> None:
    (pair,) = alike([one, "something else entirely about the kitchen", other])
    assert (pair.how, {pair.one, pair.other}) == (how, {0, 2})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The API listens on port 8080 behind nginx", "The API listens on port 9090 behind nginx"),
        ("Prefers tea", "Prefers coffee"),
        ("喜欢用 ripgrep 而不是 grep", "喜欢用 fd 而不是 find"),
        ("Server finch runs the wiki", "Server finch runs the mail"),
        ("Sister Ada lives in Graz", "Brother Max lives in Graz"),
        ("The key of kite is in the blue vault", "The key of larch is in the blue vault"),
        ("女儿生日是 6 月 18 日", "儿子生日是 9 月 2 日"),
        ("数据库 kite 在测试环境", "数据库 kite 由小王维护"),
        (
            "The staging host is called pelham-stg and runs Debian 12.",
            "The build host is called arden-ci and runs Debian 12.",
        ),
        ("Printer heron takes A4 only.", "Printer egret takes A3 and A4."),
        (
            "Backups of vesper go to the NAS at 02:30.",
            "Backups of the wiki go to the Hetzner box at 02:30.",
        ),
        (
            "Invoices to Norway are written in English and billed in NOK.",
            "Invoices to Denmark are written in English and billed in DKK.",
        ),
        ("Ines teaches chemistry in Porto.", "Rui teaches chemistry in Braga."),
        ("Logs of kite are in /var/log/kite.", "Logs of larch are in /var/log/larch."),
        (
            "The choir rehearses on Thursday at 19:30.",
            "The orchestra rehearses on Tuesday at 19:30.",
        ),
        ("Commit messages in skerry are in English.", "Commit messages in tephra are in German."),
        ("Prefers short answers in chat.", "Prefers long answers in mail."),
        ("Marta answers mails within a day.", "Marta answers calls only in the afternoon."),
        ("The repo orchid-atlas uses SQLite.", "The repo seed-bank uses Postgres."),
        ("Daughter Mila is allergic to nuts.", "Son Emil is allergic to cats."),
        ("Tests of kite need Docker.", "Tests of kite need TZ=UTC."),
        ("The office in Graz has three meeting rooms.", "The office in Linz has a roof terrace."),
        ("Recipes use grams.", "Recipes list the ingredients first."),
        ("API dates are in UTC.", "API prices are in cents."),
        ("Client Ferrer pays within 14 days.", "Client Ferrer wants paper invoices."),
        ("Server larch has 8 GB of RAM.", "Server larch stands in room 204."),
        ("The shop closes at 18:00 on weekdays.", "The shop is closed in August."),
        (
            "Letters to the council are formal, one page.",
            "Letters to members are informal, two pages at most.",
        ),
        ("打印机 heron 只能打 A4。", "打印机 egret 能打 A3。"),
        ("vesper 的备份 02:30 传到 NAS。", "wiki 的备份 02:30 传到异地机房。"),
        ("王老师教初二数学。", "李老师教初三数学。"),
        ("kite 的日志在 /var/log/kite。", "larch 的日志在 /var/log/larch。"),
        ("skerry 的提交信息用英文。", "tephra 的提交信息用中文。"),
        ("女儿对坚果过敏。", "儿子对猫毛过敏。"),
        ("kite 的测试要装 Docker。", "kite 的测试要设 TZ=UTC。"),
        ("给客户的邮件用正式语气。", "给同事的邮件可以随意。"),
        ("接口的日期是 UTC。", "接口的价格单位是分。"),
        ("服务器 larch 有 8G 内存。", "服务器 larch 在 204 机房。"),
        ("店铺工作日六点关门。", "店铺八月歇业。"),
        ("给街道的信要正式，一页以内。", "给会员的信可以轻松些，两页以内。"),
        ("老赵的果园在延边。", "老赵的女儿在长春上学。"),
        ("周报周五发给陈经理。", "月报月底发给陈经理。"),
        ("测试库在 10.0.0.5。", "生产库在 10.0.0.9。"),
        ("仓库 orchid 用 SQLite。", "仓库 seed 用 Postgres。"),
        ("奶奶牙口不好，菜要软。", "奶奶听力不好，说话要慢。"),
        (
            "Kanban columns: Ideas, In progress, Review, Done.",
            "The column Status knows the values open, in progress and done.",
        ),
        (
            "Her team is currently second in the league.",
            "The team won 3 of 5 matches last season and is in the second league.",
        ),
        ("1, 2, 3", "1) open the panel 2) click export 3) save as CSV"),
        ("", ""),
        ("a", "a b"),
    ],
)
def test_texts_that_only_look_alike_are_left_alone(one: str, other: str) -> None:
    found = alike([one, other])
    assert all(pair.how == "same" for pair in found)


def test_the_nearest_of_many_is_named() -> None:
    others = ["uses zsh", "The printer atlas prints duplex by default", "drinks tea"]
    assert likeness("Printer atlas prints duplex by default on floor 2", others) == (1, "contained")
    assert likeness("nothing like it here at all", others) is None


def test_thousands_of_texts_take_no_square_number_of_looks() -> None:
    texts = [f"fact {at} about thing-{at} in place-{at}" for at in range(3_000)]
    assert alike(texts) == ()
