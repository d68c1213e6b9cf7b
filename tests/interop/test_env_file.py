"""The desk finds in a `.env` what the agent's own readers find, and they read what it writes."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.dotenv import Dotenv, parse_dotenv
from store.dotenv_edit import with_value
from store.files import Content

NAME = "FIRECRAWL_API_KEY"
# Run by the agent's Python: a text a line in; out what its own reader and python-dotenv make of
# the file, the latter without and with `${NAME}` filled in.
READERS = """
import json, logging, os, sys
logging.disable(logging.CRITICAL)
from dotenv import dotenv_values
from hermes_cli import config
path = os.path.join(os.environ["HERMES_HOME"], ".env")
for line in sys.stdin:
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(json.loads(line))
    config.invalidate_env_cache()
    loaded = {k: v for k, v in dotenv_values(path, interpolate=False).items() if v is not None}
    print(json.dumps([config.load_env(), loaded, dotenv_values(path)]), flush=True)
"""


class Readers:
    """The real readers on a file of their own."""

    def __init__(self, python: Path, home: Path) -> None:
        self._process = subprocess.Popen(
            [python, "-c", READERS],
            env=os.environ | {"HERMES_HOME": str(home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def __call__(self, text: str) -> list[dict[str, Any]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(text) + "\n")
        stdin.flush()
        return list(json.loads(stdout.readline()))

    def close(self) -> None:
        self._process.communicate(timeout=60)


@pytest.fixture
def readers(hermes_python: Path, empty_home: Path) -> Iterator[Readers]:
    readers = Readers(hermes_python, empty_home)
    yield readers
    readers.close()


def parsed(text: str) -> Dotenv:
    found = parse_dotenv(Content(Path(".env"), text.encode()))
    assert isinstance(found, Dotenv)
    return found


def test_random_files_are_read_as_both_readers_read_them(readers: Readers) -> None:
    rng = random.Random(19)
    pieces = [*"ab=#\"'\\ \n\t$", "export ", "KEY", "\r\n", " #", "\nZ=", "\nQ_W='", "\n# c\n"]
    for _ in range(1500):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 18)))
        if "'" in text.split("=")[0]:
            continue  # a quoted name, which no reader but one knows
        own, loaded, _ = readers(text)
        file = parsed(text)
        assert {one.name: one.value for one in file.own} == own, text
        assert {one.name: one.value for one in file.loaded} == loaded, text


def test_what_the_desk_writes_both_readers_read(readers: Readers) -> None:
    rng = random.Random(5)
    pieces = [*"ab1=#\"'\\ \t$`!~*;&|<>(){}[]?-.%@^", "C_API_KEY=", "${A}", "$A"]
    starts = ["", "X=1", f"# c\nexport {NAME}=old # note\nB=2\n", f"{NAME}=1\r\nB=2\r\n"]
    written = 0
    for _ in range(1500):
        value = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 7)))
        data = with_value(parsed(rng.choice(starts)), NAME, value, newline="\n")
        if isinstance(data, bytes):
            written += 1
            own, _, filled_in = readers(data.decode())
            assert own[NAME] == filled_in[NAME] == value, data
    assert written > 1000


def test_a_glued_line_stays_one_line_here_though_the_agent_would_part_it(readers: Readers) -> None:
    text = "FIRECRAWL_API_KEY=xTAVILY_API_KEY=y\n"
    own, _, _ = readers(text)
    assert own == {"FIRECRAWL_API_KEY": "x", "TAVILY_API_KEY": "y"}
    file = parsed(text)
    assert file.names == ("FIRECRAWL_API_KEY",)
    assert [one.kind for one in file.problems] == ["glued"]
