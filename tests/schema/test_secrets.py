"""What makes a copied key doubtful."""

from __future__ import annotations

import pytest

from schema.secrets import blemishes


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("sk-proj-abcDEF0123456789", ()),
        ("", ()),
        ("${OPENAI_API_KEY}", ()),
        ("***", ("masked",)),
        ("sk-…", ("masked",)),
        ("sk-pro...9f2x", ("masked",)),  # as the agent shows a key in its logs
        ("postgresql://me:***@host/db", ("masked",)),
        ("sk-a***9f2", ("masked",)),
        ("••••••••", ("masked",)),
        ("sk-\u0430bc", ("look_alike",)),  # a Cyrillic а
        ("ｓk-abc", ("look_alike",)),
        ("sk-\u200babc", ("invisible",)),
        ('"sk-abc"', ("quoted",)),
        ("OPENAI_API_KEY=sk-abc", ("assignment",)),
        ("two words", ("blanks",)),
        ("密码", ()),
    ],
)
def test_a_doubtful_key_is_named_and_a_good_one_is_not(value: str, found: tuple[str, ...]) -> None:
    assert blemishes(value) == found
