"""The log tells what happened, and nothing that a person would not show around."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.log import Log, open_log, redact
from store.log_file import PrivateFile
from store.refusals import NoMatch


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path / "log", person=Path("/home/ada"))
    yield log
    log.close()


def test_asking_for_a_log_writes_nothing(tmp_path: Path) -> None:
    open_log({"MEMORY_DESK_LOG_DIR": str(tmp_path / "log")}).close()
    assert list(tmp_path.iterdir()) == []


def test_an_event_is_one_line_with_its_facts(log: Log) -> None:
    log.event("entry_added", target="memory", chars=12, file=Path("/home/ada/.hermes/USER.md"))
    line = log.path.read_text().strip()
    assert line.endswith("INFO entry_added target=memory chars=12 file=~/.hermes/USER.md")


def test_words_of_a_memory_never_get_in_whoever_passes_them(log: Log) -> None:
    said = "Ada's daughter is called Grace"
    log.event("refused", reason=NoMatch(said), text=said, names=[said, "memory"])
    log.event(said)
    try:
        raise ValueError(said)
    except ValueError as error:
        log.fault("unforeseen", error)
    written = log.path.read_text()
    assert "Grace" not in written
    assert "daughter" not in written
    assert f"<{len(said)} characters>" in written
    assert "error=ValueError" in written
    assert "test_log.py" in written


def test_a_fault_of_the_system_is_named_by_its_number(log: Log) -> None:
    try:
        Path("/nowhere/at/all").read_text()
    except OSError as error:
        log.fault("unreadable", error)
    assert "error=FileNotFoundError errno=2" in log.path.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "sk-ant-SECRETSECRET",
        "Authorization: Bearer SECRET.SECRET-SECRET",
        "Authorization: Basic SECRETSECRET==",
        "OPENAI_API_KEY=SECRET",
        "export HONCHO_API_KEY='SECRET and more SECRET'",
        '{"api_key": "SECRET SECRET"}',
        "apiKey: SECRET",
        "hch-at-SECRETSECRET",
        "hch-rt-SECRETSECRET",
        "ghp_SECRETSECRETSECRET",
        "xoxb-12345-SECRETSECRET",
        "https://ada:SECRET@example.org/v1",
        "https://example.org/v1?access_token=SECRET&x=1",
        "eyJSECRETSECRET.SECRET.SECRET",
    ],
)
def test_what_looks_like_a_key_is_struck_out(text: str) -> None:
    assert "SECRET" not in redact(f"before {text} after")
    assert redact(f"before {text} after").startswith("before ")


def test_ordinary_facts_stay() -> None:
    text = "set key=memory.provider id=0a1b2c3d file=/srv/task-list.md monkey=banana sketch"
    assert redact(text, person=Path("/home/ada")) == text
    assert redact("/home/adam/x", person=Path("/home/ada")) == "/home/adam/x"


def test_only_the_owner_may_read_it_and_old_lines_make_room(tmp_path: Path) -> None:
    file = PrivateFile(tmp_path / "log" / "memory-desk.log", max_bytes=200)
    for number in range(60):
        file.write("INFO", f"event number={number}")
    file.close()
    kept = sorted((tmp_path / "log").iterdir())
    assert len(kept) == 4
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in kept)
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o700
    assert "number=59" in kept[0].read_text()


def test_a_log_that_cannot_be_written_stops_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log").write_text("a file in the way")
    log = Log(tmp_path / "log")
    log.event("started")
    log.close()
    assert capfd.readouterr().err == ""
