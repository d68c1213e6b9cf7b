"""Make the really made files of the corpus again: make.py [--check] [NAME…].

A recipe is a bash script: `recipes/<case>.sh` runs in an empty folder and leaves MEMORY.md there,
`recipes/<case>.dir.sh` leaves a whole folder. Its first line says how the file was made. `$EN` and
`$ZH` are files as the agent writes them, `$RECIPES` is the folder of the recipes, and
HERMES_PYTHON is the Python of an environment with hermes-agent 0.19.0.

The tools (bash, ed, emacs-nox, vim, nano, expect, dos2unix, iconv, patch, git, rsync, unison,
syncthing, node with npx) are needed only here: what they made is committed, and so is what should
come of it (`cases/*.json`, written by hand). Another version of a tool may make other bytes; so
nothing is overwritten with --check, it only says which files came out differently.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECIPES, CASES = HERE / "recipes", HERE / "cases"
PERSON = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "Mira"),
        ("EMAIL", "mira@example.org"),
        ("DATE", "2026-11-01T10:10:10Z"),
    )
}


def run(recipe: Path, folder: Path) -> dict[str, bytes]:
    """Follow a recipe in an empty folder; return the files that it leaves there."""
    python = os.environ.get("HERMES_PYTHON", str(HERE.parents[1] / ".venv-hermes/bin/python"))
    surroundings = PERSON | {
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_NOSYSTEM": "1",
        "HERMES_PYTHON": python,
        "RECIPES": str(RECIPES),
        "EN": str(RECIPES / "base" / "en.md"),
        "ZH": str(RECIPES / "base" / "zh.md"),
    }
    for name in ("npm_config_cache", "npm_config_registry", "NODE_EXTRA_CA_CERTS"):
        if name in os.environ:
            surroundings[name] = os.environ[name]
    command = ["bash", "-euo", "pipefail", recipe]
    subprocess.run(command, cwd=folder, env=surroundings, check=True, stdin=subprocess.DEVNULL)
    shown = [path for path in folder.iterdir() if path.name.startswith("MEMORY")]
    return {path.name: path.read_bytes() for path in shown}


def kept(recipe: Path) -> dict[str, bytes]:
    """Return the committed files of a case, by the names that its recipe gives them."""
    if recipe.stem.endswith(".dir"):
        folder = CASES / recipe.stem
        return (
            {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
        )
    file = CASES / f"{recipe.stem}.bin"
    return {"MEMORY.md": file.read_bytes()} if file.is_file() else {}


def keep(recipe: Path, files: dict[str, bytes]) -> None:
    """Write the files of a case in place of what was there."""
    if not recipe.stem.endswith(".dir"):
        (CASES / f"{recipe.stem}.bin").write_bytes(files["MEMORY.md"])
        return
    folder = CASES / recipe.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def main() -> int:
    """Make all recipes, or those whose name begins with one of the given ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("names", nargs="*", help="beginnings of names; default: all")
    chosen = parser.parse_args()
    differ = 0
    for recipe in sorted(RECIPES.glob("*.sh")):
        if chosen.names and not recipe.name.startswith(tuple(chosen.names)):
            continue
        with tempfile.TemporaryDirectory() as made:
            files = run(recipe, Path(made))
        # A conflict copy is named after its moment: the texts are compared, not the names.
        same = sorted(files.values()) == sorted(kept(recipe).values())
        differ += not same
        print("same" if same else "differs" if chosen.check else "made", recipe.stem)
        if not same and not chosen.check:
            keep(recipe, files)
    return int(chosen.check and differ > 0)


if __name__ == "__main__":
    sys.exit(main())
