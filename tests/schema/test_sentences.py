"""What reading says can be said in another language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from gui.i18n import tr, use_language
from schema.reading.sentences import SENTENCES, template_of

READING = Path(__file__).parents[2] / "schema" / "reading"
COMPOSED = {"x could not be readx: x", "x is a best guessx: x", ", and x more such places"}
"""Said with or without a part; each has a template of its own."""


def test_a_message_gives_its_template_and_its_values() -> None:
    assert template_of("the kind 'x{y}' is not known; shown as text") == (
        "the kind {kind} is not known; shown as text",
        {"kind": "'x{y}'"},
    )
    assert template_of("900 fields are declared; the first 500 are shown")[1] == {
        "count": "900",
        "most": "500",
    }
    assert template_of("the environment decides") == ("the environment decides", {})
    assert template_of("something new") == ("something new", {})
    assert template_of("default is a best guess (f(x)): it fails") == (
        "{what} is a best guess ({construct}): {why}",
        {"what": "default", "construct": "f(x)", "why": "it fails"},
    )
    assert template_of("read as it most likely is: a (b), and 3 more such places")[1] == {
        "construct": "a",
        "why": "b",
        "count": "3",
    }


SAYING = ("unknown", "Unknown", "Unread", "TooMuch", "note", "wrong", "Note", "Mistake")
NO_SENTENCE = ("import x",)
"""What such a call is given and is no sentence: the construct."""


def said_in(path: Path) -> Iterator[str]:
    """Every sentence that a module says, with x for each value."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        given: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = node.args if name in SAYING else []
        elif isinstance(node, ast.Assign | ast.Return) and node.value is not None:
            given = [node.value]
        for one in given:
            for part in (one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,):
                match part:
                    case ast.Constant(value=str() as text):
                        yield text
                    case ast.JoinedStr(values=parts):
                        yield "".join(
                            str(each.value) if isinstance(each, ast.Constant) else "x"
                            for each in parts
                        )


def test_everything_that_reading_says_has_a_template() -> None:
    sources = [one for one in READING.glob("*.py") if one.name not in ("ours.py", "sentences.py")]
    found = {text for one in sources for text in said_in(one) if text.count(" ") > 1}
    assert len(found) > 50
    told = {text for text in found if template_of(text)[0] in SENTENCES}
    assert found - told <= {*NO_SENTENCE, "read as it most likely is: x (x)x"} | COMPOSED


def test_a_chinese_reader_is_told_in_chinese() -> None:
    use_language("zh_CN")
    try:
        same = [sentence for sentence in SENTENCES if tr(sentence) == sentence]
    finally:
        use_language("en")
    assert not same
