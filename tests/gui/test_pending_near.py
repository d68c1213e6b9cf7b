"""What counts as near, without a window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.models.pending_near import SHARE, _Alike, share, words_of

WORDS = st.frozensets(st.sampled_from("abcdefghijkl"), min_size=1)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("The build runs on larch at night", "The build runs on birch at night", True),
        ("The build runs on larch", "Likes tea with milk", False),
        ("Same words, other order", "other order: same WORDS!", True),
        ("测试前先跑 make db-reset 再看日志", "测试前先跑 make db-reset 再看日志文件", True),
        ("测试前先跑", "周五下午不发布", False),
        ("", "", False),
    ],
)
def test_two_texts_are_near_when_they_share_most_words(one: str, other: str, near: bool) -> None:
    assert (share(words_of(one), words_of(other)) >= SHARE) == near


@given(st.lists(WORDS, min_size=1, max_size=12), WORDS)
def test_looking_by_rare_words_finds_what_looking_at_all_finds(
    texts: list[frozenset[str]], wanted: frozenset[str]
) -> None:
    often: dict[str, int] = {}
    for text in [*texts, wanted]:
        for word in text:
            often[word] = often.get(word, 0) + 1
    alike = _Alike(often)
    for number, text in enumerate(texts):
        alike.add(str(number), text)
    found = alike.find(wanted)
    near = {str(number) for number, text in enumerate(texts) if share(text, wanted) >= SHARE}
    assert (found in near) if near else found is None
