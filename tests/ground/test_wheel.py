"""The built wheel holds all that the desk needs, and runs where the checkout is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT, DeskDirs

PACKAGES = ("gui", "schema", "store", "resources")
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built from a copy so that building leaves nothing in the checkout."""
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    for name in PACKAGES:
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", place, source]
    _pip(*build)
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bin folder of a new environment that holds the wheel, outside the checkout."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, with_pip=False)
    _pip("--python", place / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    # The libraries are those of the tests' environment; the checkout is not among them, since a
    # .pth file inside a folder that a .pth file names is not read.
    site = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place / "bin"


def test_the_wheel_holds_every_resource_and_module(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    there = {
        str(path.relative_to(ROOT))
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert shipped == there


def test_an_installed_desk_says_its_version(installed: Path, tmp_path: Path) -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    said = _run([installed / "memory-desk", "--version"], cwd=tmp_path)
    assert pyproject["project"]["version"] in said

    where = _run([installed / "python", "-P", "-c", "import gui; print(gui.__file__)"], tmp_path)
    assert Path(where).is_relative_to(installed.parent)


def test_an_installed_desk_shows_the_sample_home(
    installed: Path, desk_dirs: DeskDirs, tmp_path: Path
) -> None:
    picture = tmp_path / "memory.png"

    _run([installed / "memory-desk", "--demo", "--screenshot", "memory", picture], cwd=tmp_path)

    data = picture.read_bytes()
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert data.startswith(PNG)
    assert width >= 800
    assert height >= 500
    assert len(data) > 20_000, "so small a picture of that size is nearly blank"


def _pip(*arguments: str | Path) -> None:
    quiet = ("--disable-pip-version-check", "--no-input", "--quiet")
    _run([sys.executable, "-m", "pip", *quiet, *arguments], cwd=Path.cwd())


def _run(command: list[str | Path], cwd: Path) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
