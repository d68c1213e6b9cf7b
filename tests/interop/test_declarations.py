"""Ours and what is read, beside what the real package declares when it runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from schema.fields import Text, Toggle
from schema.joining import differences
from schema.providers import ProviderSchema, Undeclared
from schema.reading import (
    SourceTree,
    from_answer,
    read_declaration,
    read_new_style,
    read_old_style,
)
from schema.reading.elsewhere import HOME
from tests.schema.test_ours import BUNDLED, ours

# Run by the agent's Python with an empty home: what every bundled provider declares, in both
# styles, as one JSON object; and where the package lies.
AGENT = """
import json, logging, os, sys
from dataclasses import asdict
logging.disable(logging.CRITICAL)
import plugins.memory as memory
from plugins.memory.config_schema import get_provider_config_schema
said = {}
for name in sys.argv[1:]:
    new = get_provider_config_schema(name)
    provider = memory.load_memory_provider(name)
    said[name] = {
        "new": None if new is None else asdict(new),
        "old": None if provider is None else provider.get_config_schema(),
    }
print(json.dumps({"place": os.path.dirname(memory.__file__), "said": said}))
"""

ON_PURPOSE: Mapping[str, frozenset[tuple[str, str]]] = {
    # Theirs are texts that only ever hold numbers.
    "holographic": frozenset({("default_trust", "the kind"), ("hrr_dim", "the kind")}),
    # Theirs asks for the key or not by the mode that is set while it runs; ours by conditions.
    "mem0": frozenset({("api_key", "the field")}),
}
"""Where ours parts from the real package, and nowhere else."""


@pytest.fixture(scope="module")
def agent(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("home")
    kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    done = subprocess.run(
        [str(hermes_python), "-c", AGENT, *BUNDLED],
        env={**kept, "HOME": str(home), "HERMES_HOME": str(home / ".hermes")},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def collected(folder: Path) -> SourceTree:
    files = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.py"))
    }
    return SourceTree(files, {}, folder.name)


def tree(agent: dict[str, Any], name: str) -> SourceTree:
    return collected(Path(agent["place"]) / name)


@pytest.mark.parametrize("name", BUNDLED)
def test_ours_says_what_the_package_says(agent: dict[str, Any], name: str) -> None:
    theirs = read_declaration(tree(agent, name), name)
    assert isinstance(theirs, ProviderSchema), theirs
    parted = {(one.key, one.about): str(one) for one in differences(ours(name), theirs)}
    changed = [said for key, said in parted.items() if key not in ON_PURPOSE.get(name, ())]
    assert not changed, f"{name} changed upstream:\n  " + "\n  ".join(changed)
    assert not ON_PURPOSE.get(name, frozenset()) - parted.keys(), "no longer different"


def test_a_change_upstream_is_said_with_the_key(agent: dict[str, Any]) -> None:
    source = tree(agent, "retaindb")
    text = source.files["__init__.py"]
    changed = text.replace('"https://api.retaindb.com"', '"https://elsewhere.example"')
    assert changed != text
    theirs = read_declaration(SourceTree({"__init__.py": changed}, {}, "retaindb"), "retaindb")
    assert isinstance(theirs, ProviderSchema)
    (difference,) = differences(ours("retaindb"), theirs)
    assert (difference.key, difference.about, difference.theirs) == (
        "base_url",
        "the default",
        "https://elsewhere.example",
    )


@pytest.mark.parametrize("name", BUNDLED)
def test_what_is_read_of_the_new_style_is_what_it_is_when_it_runs(
    agent: dict[str, Any], name: str
) -> None:
    real = agent["said"][name]["new"]
    read = read_new_style(tree(agent, name))
    if real is None:
        assert read == Undeclared()
        return
    answered = from_answer(real, name)
    assert isinstance(read, ProviderSchema)
    assert isinstance(answered, ProviderSchema)
    assert read.fields == answered.fields
    assert (read.name, read.label, read.storage, read.docs_url, read.groups) == (
        answered.name,
        answered.label,
        answered.storage,
        answered.docs_url,
        answered.groups,
    )


@pytest.mark.parametrize("name", BUNDLED)
def test_what_is_read_of_the_old_style_is_what_it_is_when_it_runs(
    agent: dict[str, Any], name: str
) -> None:
    answered = from_answer(agent["said"][name]["old"], name)
    read = read_old_style(tree(agent, name), name)
    assert isinstance(read, ProviderSchema)
    assert isinstance(answered, ProviderSchema)
    assert len(read.fields) == len(answered.fields)
    for mine, real in zip(read.fields, answered.fields, strict=True):
        if isinstance(mine, Text) and isinstance(real, Text) and HOME in str(mine.default):
            # The agent shows its home; what is read does not know which one.
            assert str(real.default).endswith(str(mine.default).removeprefix(HOME))
            continue
        assert mine == real


# --- Packages of others, as anyone can download them -----------------------------------------

PACKAGES = {
    "hermes-memra": {"mode", "api_key", "project_id", "tenant_id", "base_url", "capture_mode"},
    "hermes-memori": {"api_key", "entity_id", "project_id"},
    "betterdb-hermes-memory": {"host", "port", "password", "tls", "embeddings_api_key"},
    "hermes-memory-pgvector": {"dsn", "embed_url", "embed_dim", "min_similarity", "sync_turns"},
    "hermes-plugin-qdrant-memory": {"mode", "url", "api_key", "embedding_provider"},
    "cognee-integration-hermes-agent": {"service_url", "api_key", "dataset", "auto_route"},
}
"""Names of packages, and some keys that each declares."""


@cache
def downloaded(name: str, into: Path) -> Path | str:
    """The wheel of a package, or why it cannot be had."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"),
            *("download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(into)),
            name,
        ],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    wheels = sorted(into.glob("*.whl"))
    if done.returncode or not wheels:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        return said[-1] if said else "pip downloaded nothing"
    return wheels[0]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_of_others_is_read(name: str, tmp_path: Path) -> None:
    wheel = downloaded(name, tmp_path)
    if isinstance(wheel, str):
        pytest.skip(f"{name} cannot be downloaded here: {wheel}")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "unpacked")
    folders = [
        place
        for place in (tmp_path / "unpacked").iterdir()
        if place.is_dir() and not place.name.endswith((".dist-info", ".data"))
    ]
    (folder,) = folders
    read = read_declaration(collected(folder), "probe")
    assert isinstance(read, ProviderSchema), read
    assert set(read.keys) >= PACKAGES[name]
    assert not read.unread
    assert any(not isinstance(field, Text | Toggle) for field in read.fields)
