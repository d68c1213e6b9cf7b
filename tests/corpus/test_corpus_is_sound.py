"""The corpus says of each broken file what the agent says, and its expectations lose nothing."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from store.memory.drift import notices, signals
from store.memory.entries import DELIMITER, Undecodable, decode, delimiter_line, fold_line_ends
from tests.support.agent import Agent

CASES = Path(__file__).parent / "cases"
KINDS = {
    *("append", "spacing", "textline", "legal", "empty", "edge"),
    *("heading", "rule", "numbered", "list", "blank", "giant", "code"),
    *("crlf", "cr", "bom", "utf16", "stray", "gbk", "latin1", "cp1252", "nul"),
    *("duplicate", "neardup", "conflict", "siblings", "backup", "identity"),
    *("overbudget", "clean"),
}
CHANGES = {
    *("trimmed", "edge_delimiter", "delimiter_on_text_line", "from_ours", "from_theirs"),
    *("split_at_heading", "split_at_rule", "split_at_item", "unbulleted", "split_at_blank_line"),
    *("split_at_line", "split_at_sentence", "split_at_length", "near_duplicate"),
}
WHYS = {"rule", "duplicate", "conflict_marker", "conflict_base"}
NOT_WORDS = {"§", "-", "*", "+", "•"}  # delimiters and bullets are marks, they say nothing


@dataclass(frozen=True, slots=True)
class Case:
    """One broken file, what the agent makes of it, and what should be proposed."""

    name: str
    data: bytes
    expected: dict[str, Any]

    @property
    def proposal(self) -> dict[str, Any]:
        return dict(self.expected["proposal"])

    @property
    def texts(self) -> list[str]:
        return [entry["text"] for entry in self.proposal["entries"]]

    @property
    def lines(self) -> list[str]:
        """The file's lines, read in the encoding that is expected to be found."""
        return fold_line_ends(read_as(self.proposal["encoding"], self.data)).split("\n")


def read_as(encoding: str, data: bytes) -> str:
    """Decode as the corpus means it; of the mixed ones each line or byte is judged alone."""
    codecs.register_error("corpus_cp1252", _as_cp1252)
    if encoding == "utf-8+gb18030":
        return "\n".join(_utf8_or_gb18030(line) for line in data.split(b"\n"))
    if encoding == "utf-8+cp1252":
        return data.decode("utf-8", "corpus_cp1252")
    return data.decode(encoding).removeprefix("\ufeff")


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252"), error.end


def _utf8_or_gb18030(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("gb18030")


def load() -> list[Case]:
    cases = []
    for path in sorted(CASES.glob("*.json")):
        file = path.with_suffix("")  # `<name>.dir`, or `<name>` of `<name>.bin`
        data = file / "MEMORY.md" if file.suffix == ".dir" else path.with_suffix(".bin")
        expected = json.loads(path.read_text(encoding="utf-8"))
        cases.append(Case(file.name, data.read_bytes(), expected))
    return cases


ALL = load()
REPAIRED = {"duplicates", "edge_delimiter", "bom", "conflict_markers"}
NOTHING_TO_DO = [
    case
    for case in ALL
    if case.expected["state"] == "clean" and not REPAIRED & set(case.expected["notices"])
    if "judgement" not in case.expected
]
WITH_COPIES = [case for case in ALL if "siblings" in case.expected]
each_case = pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])


# --- The corpus as a whole --------------------------------------------------------------------


def test_there_are_enough_files_and_every_kind_is_among_them() -> None:
    assert len(ALL) >= 80
    assert {case.expected["kind"] for case in ALL} == KINDS


def test_a_third_of_the_files_was_really_made() -> None:
    made = [case for case in ALL if case.expected["really_made"]]
    assert len(made) * 3 >= len(ALL)
    recipes = {path.stem for path in (CASES.parent / "recipes").glob("*.sh")}
    assert {case.name for case in made} == recipes


def test_a_quarter_of_the_files_is_chinese() -> None:
    chinese = [case for case in ALL if re.search("[\u4e00-\u9fff]", "".join(case.texts))]
    assert len(chinese) * 4 >= len(ALL)


def test_every_file_of_the_folder_belongs_to_a_case() -> None:
    expected = {f"{case.name}.json" for case in ALL}
    files = {case.name if case.name.endswith(".dir") else f"{case.name}.bin" for case in ALL}
    assert {path.name for path in CASES.iterdir()} == expected | files


def test_no_two_cases_are_the_same_file() -> None:
    seen = {(case.data, case.expected["limit"]) for case in ALL if "siblings" not in case.expected}
    assert len(seen) == len([case for case in ALL if "siblings" not in case.expected])


# --- What is said about a file ----------------------------------------------------------------


@each_case
def test_state_signals_and_notices_are_those_that_the_desk_finds(case: Case) -> None:
    decoded = decode(case.data)
    unreadable = isinstance(decoded, Undecodable)
    found = () if unreadable else signals(decoded, case.expected["limit"])
    state = "unreadable" if unreadable else "drift" if found else "clean"
    assert case.expected["state"] == state
    assert case.expected["signals"] == list(found)
    assert case.expected["notices"] == list(notices(case.data, decoded))


def test_the_real_agent_refuses_for_drift_exactly_the_files_that_are_said_to_drift(
    empty_home: Path, hermes_python: Path
) -> None:
    memories = empty_home / "memories"
    memories.mkdir()
    said, seen = {}, {}
    with Agent(hermes_python, empty_home) as agent:
        for case in ALL:
            (memories / "MEMORY.md").write_bytes(case.data)
            agent.limits = [case.expected["limit"], 1375]
            answer = agent.replace("memory", "a text that is in no entry", "x")
            assert not answer["success"]
            refused = "drift" if "drift_backup" in answer else "clean"
            seen[case.name] = "unreadable" if "raised" in answer else refused
            said[case.name] = case.expected["state"]
            assert (memories / "MEMORY.md").read_bytes() == case.data
    assert seen == said


# --- What is proposed -------------------------------------------------------------------------


@each_case
def test_only_known_words_tell_what_was_changed_and_why_something_was_dropped(case: Case) -> None:
    assert {word for entry in case.proposal["entries"] for word in entry["changes"]} <= CHANGES
    assert {dropped["why"] for dropped in case.proposal["dropped"]} <= WHYS


@each_case
def test_every_word_of_the_file_is_in_an_entry_or_named_as_dropped(case: Case) -> None:
    kept = case.texts + [dropped["text"] for dropped in case.proposal["dropped"]]
    words = {word for text in kept for word in text.split()}
    unbroken = "".join("".join(text.split()) for text in kept)  # a hard split cuts words
    lost = [
        word
        for word in " ".join(case.lines).split()
        if word not in NOT_WORDS and word not in words and word.strip("§") not in unbroken
    ]
    assert lost == []


@each_case
def test_every_text_stands_in_the_lines_that_it_is_said_to_come_from(case: Case) -> None:
    for part in case.proposal["entries"] + case.proposal["dropped"]:
        first, last = part["lines"]
        assert 1 <= first <= last <= len(case.lines)
        source = "".join("\n".join(case.lines[first - 1 : last]).split())
        if "from_ours" in part.get("changes", ()) or "from_theirs" in part.get("changes", ()):
            # One side of a conflict: the other side's lines stand between its own.
            assert all("".join(line.split()) in source for line in part["text"].split("\n"))
        else:
            assert "".join(part["text"].split()) in source


@each_case
def test_what_is_proposed_is_a_clean_file_for_the_agent(case: Case) -> None:
    limit = case.expected["limit"]
    result = DELIMITER.join(case.texts)
    assert signals(result, limit) == ()
    assert set(notices(result.encode(), result)) <= {"identity_comments"} | (
        set(case.expected["notices"]) & {"conflict_markers"}  # the look-alikes stay
    )
    assert all(text == text.strip() and not delimiter_line(text) for text in case.texts)
    assert case.proposal["over_budget"] == (len(result) > limit)


@pytest.mark.parametrize("case", NOTHING_TO_DO, ids=[case.name for case in NOTHING_TO_DO])
def test_a_file_without_findings_is_proposed_as_the_agent_reads_it(case: Case) -> None:
    text = decode(case.data)
    assert isinstance(text, str)
    assert case.texts == [piece.strip() for piece in text.split(DELIMITER) if piece.strip()]
    assert not any(entry["changes"] for entry in case.proposal["entries"])
    assert case.proposal["dropped"] == []


@pytest.mark.parametrize("case", WITH_COPIES, ids=[case.name for case in WITH_COPIES])
def test_a_copy_beside_the_file_has_what_is_said_to_be_only_there(case: Case) -> None:
    folder = CASES / case.name
    for sibling in case.expected["siblings"]:
        data = (folder / sibling["file"]).read_bytes()
        encodings = ("utf-16",) if data[:2] == b"\xff\xfe" else ("utf-8", "gb18030")
        text = ""
        for encoding in encodings:
            try:
                text = data.decode(encoding)
                break
            except UnicodeDecodeError:
                continue
        for entry in sibling["entries"]:
            assert entry in fold_line_ends(text)
            assert entry not in case.texts
