"""What two readers find in a `.env`, what is odd in it, and changes of one line."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.dotenv import Dotenv, parse_dotenv, read_dotenv
from store.dotenv_edit import name_refusal, value_refusal, with_value, without, written
from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import Invalid, Unreadable, Unsupported

NAME = "HONCHO_API_KEY"
HARD = [
    *("abc#xyz", "/a b/c", 'a"b\\c', " leading", "trailing ", "a'b", "$HOME", "a`b`", "!x", "~"),
    *("a=b", "a\tb", "(x)", "*", "a;b&c|d", "#x", "a\\\\b", "", "-n", "[a]", "{a,b}", "x=#y"),
]


def parsed(text: str | bytes) -> Dotenv:
    data = text if isinstance(text, bytes) else text.encode()
    found = parse_dotenv(Content(Path(".env"), data))
    assert isinstance(found, Dotenv)
    return found


def kinds(text: str | bytes) -> set[tuple[str, int]]:
    return {(one.kind, one.line) for one in parsed(text).problems}


def put(text: str, name: str, value: str) -> str:
    done = with_value(parsed(text), name, value, newline="\n")
    assert isinstance(done, bytes), done
    return done.decode()


# -- reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "loaded", "own"),
    [
        ("A=b", "b", "b"),
        ("export A=b", "b", "b"),
        ("  A = b ", "b", "b"),
        ("A=b # c", "b", "b # c"),
        ("A='b # c'", "b # c", "b # c"),
        ('A="a\\"b\\\\c"', 'a"b\\c', 'a"b\\c'),
        ('A="a\\nb"', "a\nb", "a\\nb"),
        ("A='a\\\\b'", "a\\b", "a\\\\b"),
        ("A=${B}", "${B}", "${B}"),
        ("A=", "", ""),
        ("A=b=c", "b=c", "b=c"),
    ],
)
def test_both_readers_are_followed(line: str, loaded: str, own: str) -> None:
    file = parsed(line + "\n")
    assert (file.value("A"), file.own_value("A")) == (loaded, own)
    assert ("differs" in {one.kind for one in file.problems}) == (loaded != own)


def test_the_last_definition_counts_and_is_told() -> None:
    file = parsed("A=1\nB=2\nA=3\n")
    assert (file.value("A"), file.line("A"), file.names) == ("3", 3, ("A", "B"))
    assert ("duplicate", 3) in kinds("A=1\nB=2\nA=3\n")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("A_API_KEY=xB_URL=y", ("A_API_KEY", "B_URL")),
        ("PASS=hunter2 OPENAI_API_KEY=note", ("PASS", "OPENAI_API_KEY")),
    ],
)
def test_two_names_on_a_line_are_told_and_never_taken_apart(
    line: str, names: tuple[str, ...]
) -> None:
    file = parsed(line + "\n")
    glued = [one for one in file.problems if one.kind == "glued"]
    assert [one.names for one in glued] == [names]
    assert set(file.names) == {names[0]}


@pytest.mark.parametrize("line", ["BASE_URL=https://p/v1?TAVILY_API_KEY=s", "GLM_API_KEY=", "A=b"])
def test_what_only_looks_glued_is_left_in_peace(line: str) -> None:
    assert kinds(line + "\n") == set()


def test_what_a_person_should_look_at_is_named_with_its_line() -> None:
    text = "A_TOKEN=***\nB_API_KEY=sk-\u0430bc\nno line at all\n1x=2\nC_API_KEY=a\uff22\u200bc\n"
    assert kinds(text) == {
        *[("stars", 1), ("look_alike", 2), ("no_line", 3), ("bad_name", 4), ("look_alike", 5)]
    }
    points = [one.code_points for one in parsed(text).problems if one.code_points]
    assert points == [(0x430,), (0xFF22, 0x200B)]


def test_bytes_that_are_no_utf8_are_told_and_kept() -> None:
    text = b"A=caf\xe9\nB=1\n"
    assert ("not_utf8", 1) in kinds(text)
    done = with_value(parsed(text), "B", "2", newline="\n")
    assert done == b"A=caf\xe9\nB=2\n"


def test_utf16_is_unreadable_and_never_empty() -> None:
    found = parse_dotenv(Content(Path(".env"), "A=1\n".encode("utf-16")))
    assert isinstance(found, Unreadable)
    assert found.utf16


def test_a_value_is_in_no_repr() -> None:
    assert "canary" not in repr(parsed("A_API_KEY=canary\nB=canary C_API_KEY=canary\n"))


def test_a_name_alone_takes_back_what_was_said_of_it() -> None:
    assert parsed("A=1\nA\n").value("A") is None
    assert parsed("A\nA=1\n").value("A") == "1"


def test_a_missing_file_is_empty_and_a_folder_is_unreadable(tmp_path: Path) -> None:
    home = HermesHome(tmp_path, tmp_path, "default")
    found = read_dotenv(home, disk=Disk())
    assert isinstance(found, Dotenv)
    assert found.names == ()
    (tmp_path / ".env").mkdir()
    assert isinstance(read_dotenv(home, disk=Disk()), Unreadable)


# -- writing ---------------------------------------------------------------------------------


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12))
def test_what_is_written_reads_back_for_both_readers(value: str) -> None:
    done = with_value(parsed("B=1\n"), NAME, value, newline="\n")
    if isinstance(done, bytes):
        file = parsed(done)
        assert file.value(NAME) == file.own_value(NAME) == value
        assert file.value("B") == "1"
    else:
        assert done == Unsupported("dotenv_value", NAME)


@pytest.mark.parametrize("value", HARD)
def test_a_shell_reads_the_same(value: str, tmp_path: Path) -> None:
    sh = shutil.which("sh")
    assert sh is not None
    path = tmp_path / "env"
    path.write_text(put("", NAME, value), "utf-8")
    script = f"set -a; . '{path}'; printf %s \"${NAME}\""
    done = subprocess.run([sh, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == value


@pytest.mark.parametrize("value", ["${HOME}", "a'b$c", "xB_URL=y", "\\"])
def test_what_no_way_of_writing_can_say_is_refused(value: str) -> None:
    assert written(value) is None
    done = with_value(parsed("A=1\n"), NAME, value, newline="\n")
    assert done == Unsupported("dotenv_value", NAME)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A=1\nHONCHO_API_KEY=old\nB=2\n", "A=1\nHONCHO_API_KEY=new\nB=2\n"),
        ("export HONCHO_API_KEY='old'\n", "export HONCHO_API_KEY=new\n"),
        ("  HONCHO_API_KEY = old\n", "  HONCHO_API_KEY=new\n"),
        ("A=1", "A=1\nHONCHO_API_KEY=new\n"),
        ("A=1\r\nB=2", "A=1\r\nB=2\r\nHONCHO_API_KEY=new\r\n"),
        ("HONCHO_API_KEY=old", "HONCHO_API_KEY=new"),
        ("\ufeffHONCHO_API_KEY=old\n# c\n", "\ufeffHONCHO_API_KEY=new\n# c\n"),
        ("# HONCHO_API_KEY=old\n", "# HONCHO_API_KEY=old\nHONCHO_API_KEY=new\n"),
        ("HONCHO_API_KEY=1\nHONCHO_API_KEY=2\n", "HONCHO_API_KEY=1\nHONCHO_API_KEY=new\n"),
        ("HONCHO_API_KEY=old # mine\n", "# mine\nHONCHO_API_KEY=new\n"),
        ("", "HONCHO_API_KEY=new\n"),
        ("MY_HONCHO_API_KEY=1\n", "MY_HONCHO_API_KEY=1\nHONCHO_API_KEY=new\n"),
    ],
)
def test_one_line_differs(before: str, after: str) -> None:
    assert put(before, NAME, "new") == after


def test_what_is_so_already_is_not_written() -> None:
    text = 'HONCHO_API_KEY="new"\n'
    assert put(text, NAME, "new") == text


def test_a_line_that_readers_see_differently_is_left_to_the_person() -> None:
    text = "A='x\nHONCHO_API_KEY=old\n'\n"
    assert with_value(parsed(text), NAME, "new", newline="\n") == Unsupported("dotenv_shape", NAME)
    assert without(parsed(text), NAME) == Unsupported("dotenv_shape", NAME)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A=1\nHONCHO_API_KEY=x\nB=2\n", "A=1\nB=2\n"),
        ("A=1\nexport HONCHO_API_KEY=x", "A=1\n"),
        ("HONCHO_API_KEY=x\n# c\n\nHONCHO_API_KEY=x\n", "# c\n\n"),
        ("A=1\r\nHONCHO_API_KEY=x\r\n", "A=1\r\n"),
    ],
)
def test_a_key_goes_with_its_line_and_nothing_else(before: str, after: str) -> None:
    assert without(parsed(before), NAME) == after.encode()


def test_two_keys_of_one_name_are_not_both_removed() -> None:
    text = "HONCHO_API_KEY=1\nHONCHO_API_KEY=2\n"
    assert without(parsed(text), NAME) == Unsupported("dotenv_twice", NAME)


@pytest.mark.parametrize("name", ["", "1A", "A-B", "A B", "Ä", "PATH", "LD_PRELOAD", "HERMES_HOME"])
def test_names_that_hermes_takes_from_nobody_are_refused(name: str) -> None:
    assert isinstance(name_refusal(name), Invalid)


def test_values_that_hermes_would_change_are_refused_with_their_place() -> None:
    assert value_refusal(NAME, "ab\nc") == Invalid("value", "control_character", column=3)
    assert value_refusal(NAME, "ab\u0430") == Invalid("value", "look_alike", column=3)
    assert value_refusal("A_PASSWORD", "pässword") is None


@given(st.lists(st.sampled_from(["A=1", "B='2'", "# c", "", "export C=3", "D=4 # d", "E"])))
def test_other_lines_stay_to_the_byte(lines: list[str]) -> None:
    text = "".join(line + "\n" for line in lines)
    after = put(text, NAME, "new")
    changed = [
        line for line in difflib.ndiff(text.split("\n"), after.split("\n")) if line[0] != " "
    ]
    assert changed == [f"+ {NAME}=new"]
    assert without(parsed(after), NAME) == text.encode()


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_a_link_stays_and_a_mode_is_never_looser(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / ".env"
    real.write_text("A=1\n", "utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    home = HermesHome(tmp_path, tmp_path, "default")
    file = read_dotenv(home, disk=Disk())
    assert isinstance(file, Dotenv)
    data = with_value(file, NAME, "new", newline="\n")
    assert isinstance(data, bytes)
    assert Disk().replace(file.content, data) is None
    assert link.is_symlink()
    assert real.read_text("utf-8") == "A=1\nHONCHO_API_KEY=new\n"
    assert real.stat().st_mode & 0o777 == 0o640
