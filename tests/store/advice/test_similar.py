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
