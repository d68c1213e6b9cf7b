"""Every text of the desk passes through tr(), and exists in Chinese."""

from __future__ import annotations

import ast
import importlib.util
import re
import string
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from gui import i18n

ROOT = Path(__file__).resolve().parents[2]
GUI = ROOT / "gui"


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    i18n.use_language(i18n.ENGLISH)


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translate", ROOT / "tools" / "translate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def test_every_text_has_a_chinese_translation(tool: ModuleType) -> None:
    assert [message.id for message in tool.untranslated(tool.merged())] == []


def test_the_catalogue_that_ships_is_the_one_that_the_code_asks_for(tool: ModuleType) -> None:
    catalogue = tool.merged()
    assert tool.PO.read_bytes() == tool.as_po(catalogue), "run python tools/translate.py"
    assert tool.PO.with_suffix(".mo").read_bytes() == tool.as_mo(catalogue)


def test_a_translation_fills_in_the_same_values(tool: ModuleType) -> None:
    for message in tool.merged():
        ids = message.id if message.pluralizable else [message.id]
        texts = message.string if message.pluralizable else [message.string]
        for text in filter(None, texts):  # what lacks one is told by the test above
            # A plural form may leave the number out ("one entry"), but may not invent a value.
            assert placeholders(text) | {"n"} == placeholders(ids[-1]) | {"n"}, message.id


def test_values_are_filled_in_and_a_brace_in_them_is_only_a_brace() -> None:
    assert i18n.tr("{file} in use", file="{x}") == "{x} in use"
    assert i18n.tr("a {brace} that nobody fills") == "a {brace} that nobody fills"
    assert i18n.trn("{n} entry", "{n} entries", 1) == "1 entry"
    assert i18n.trn("{n} entry", "{n} entries", 3) == "3 entries"


def test_the_language_can_be_switched() -> None:
    english = i18n.tr("Memory")
    i18n.use_language("zh_CN")
    assert i18n.language() == "zh_CN"
    assert re.search("[一-鿿]", i18n.tr("Memory"))
    i18n.use_language(i18n.ENGLISH)
    assert i18n.tr("Memory") == english == "Memory"


@pytest.mark.parametrize(
    ("preference", "env", "chosen"),
    [
        ("zh_CN", {"LANG": "en_US.UTF-8"}, "zh_CN"),
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
        ("system", {"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        (None, {"LANG": "zh_SG.UTF-8@x"}, "zh_CN"),
        (None, {"LANG": "zh_TW.UTF-8"}, "en"),
        (None, {"LANG": "zh_Hant_HK"}, "en"),
        (None, {"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_CN:en"}, "zh_CN"),
        (None, {"LANG": "de_DE.UTF-8", "LANGUAGE": "en:zh_CN"}, "en"),
        (None, {"LC_ALL": "C.UTF-8", "LANGUAGE": "zh_CN"}, "en"),
        (None, {"LC_MESSAGES": "zh_CN.GB18030", "LANG": "en_US"}, "zh_CN"),
        (None, {}, "en"),
        ("klingon", {"LANG": "zh_CN"}, "zh_CN"),
    ],
)
def test_the_language_is_the_persons_choice_or_else_the_systems(
    preference: str | None, env: dict[str, str], chosen: str
) -> None:
    assert i18n.choose_language(preference, env) == chosen


# --- Nothing bypasses tr() ------------------------------------------------------------------

SHOWS_ITS_TEXT = re.compile(
    r"""set(Text|PlainText|ToolTip|StatusTip|WhatsThis|WindowTitle|PlaceholderText|Title|Label|
        AccessibleName|AccessibleDescription|InformativeText|DetailedText|Message|Suffix|Prefix)
      | add(Action|Item|Items|Row|Tab|Menu|Button)
      | Q?(Label|PushButton|ToolButton|CheckBox|RadioButton|GroupBox|Action|Menu|MessageBox)
      | PlainLabel|Button|Banner|Toast|EmptyPage|say|show_message|print|add_argument""",
    re.VERBOSE,
)
NOT_SHOWN = {
    *("objectName", "object_name", "name", "dest", "action", "metavar", "choices", "default"),
    *("role", "kind", "tone"),  # looks of desk.qss
}
WORDS = re.compile(r"[A-Za-z一-鿿]{2,}")


def shown_literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Literals with words in them that are handed straight to something that shows its text."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if not SHOWS_ITS_TEXT.fullmatch(name):
            continue
        values = [*call.args, *(k.value for k in call.keywords if k.arg not in NOT_SHOWN)]
        for value in values:
            for text in literals_of(value):
                if WORDS.search(text) and not text.startswith("-"):
                    yield call.lineno, text


def literals_of(value: ast.expr) -> Iterator[str]:
    """The text pieces of an expression, not looking into calls: tr("…") is one."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.JoinedStr):
        for piece in value.values:
            if isinstance(piece, ast.Constant):
                yield str(piece.value)
    elif isinstance(value, ast.BinOp):
        yield from literals_of(value.left)
        yield from literals_of(value.right)
    elif isinstance(value, ast.IfExp):
        yield from literals_of(value.body)
        yield from literals_of(value.orelse)


def test_the_search_for_literals_finds_one() -> None:
    code = 'x.setText("Hello")\nQLabel(f"{n} entries")\nx.setText(tr("Hello"))\nx.setText("·")'
    assert [text for _, text in shown_literals(ast.parse(code))] == ["Hello", " entries"]


@pytest.mark.parametrize("path", sorted(GUI.rglob("*.py")), ids=lambda path: path.name)
def test_no_text_bypasses_tr(path: Path) -> None:
    found = list(shown_literals(ast.parse(path.read_text(encoding="utf-8"))))
    assert found == [], f"{path.relative_to(ROOT)}: wrap in tr()"
