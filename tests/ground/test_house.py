"""What is tracked, listed and promised in documents is so."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MACHINE_PATH = re.compile(r"/(?:work|root|tmp/(?:dev|hermes|plan|bash_jobs))/[\w.-]+")
NAMED_TEST = re.compile(r"tests/[\w/]+\.py(?:::\w+)*")
PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "-C", ROOT, "-c", "safe.directory=*", "ls-files", "-z"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_names_a_place_on_someones_machine() -> None:
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {match}" for match in MACHINE_PATH.findall(text)]
    assert found == []


def test_every_package_of_the_house_is_listed_to_be_shipped() -> None:
    there = {
        ".".join(init.parent.relative_to(ROOT).parts)
        for init in tracked()
        if init.name == "__init__.py" and init.is_relative_to(ROOT)
        if init.relative_to(ROOT).parts[0] in {"gui", "schema", "store", "resources"}
    }
    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == there


def test_the_desk_is_tested_with_the_versions_it_runs_with() -> None:
    run, test = (
        dict(PIN.findall((ROOT / "requirements" / name).read_text(encoding="utf-8")))
        for name in ("run.txt", "test.txt")
    )
    assert run
    assert {name: test.get(name) for name in run} == run


def test_every_pin_has_a_hash() -> None:
    for file in (ROOT / "requirements").glob("*.txt"):
        text = file.read_text(encoding="utf-8")
        pins = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
        assert pins
        assert [pin.splitlines()[0] for pin in pins if "--hash=sha256:" not in pin] == []


@pytest.mark.parametrize("page", ["SECURITY.md", "CONTRIBUTING.md", "README.md"])
def test_every_test_that_a_page_names_exists(page: str) -> None:
    missing = [
        name
        for name in NAMED_TEST.findall((ROOT / page).read_text(encoding="utf-8"))
        if not _is_a_test(name)
    ]
    assert missing == []


def test_security_names_tests() -> None:
    assert NAMED_TEST.search((ROOT / "SECURITY.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_links_and_pictures_of_a_page_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\((?!\w+:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [target for target in targets if not (ROOT / target).exists()] == []


def _is_a_test(name: str) -> bool:
    """Tell whether `path::Class::test` (or a part of it from the left) is in the files."""
    file, *parts = name.split("::")
    if not (ROOT / file).is_file():
        return False
    body: list[ast.stmt] = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    for part in parts:
        inside = [
            each
            for each in body
            if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name == part
        ]
        if not inside:
            return False
        body = inside[0].body
    return True
