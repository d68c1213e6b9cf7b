"""Keys that lie open: in `.env`, in providers' JSON, in config.yaml, in the inherited environment.

Reads only. What is found carries its value for moving it, and shows it to nobody.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from schema.frozen import field, frozen
from schema.secrets import is_masked, look_alikes
from store.config import ConfigFile, read_config
from store.dotenv import Dotenv, DotenvProblem, read_dotenv
from store.files import Disk
from store.home import HermesHome
from store.refusals import Refusal, Unreadable
from store.secrets.json_text import JsonPath, line_of
from store.secrets.names import (
    OAUTH,
    is_key_field,
    is_key_name,
    is_template,
    name_for,
    templates_in,
    users_of,
)
from store.secrets.states import Secret, Where

if TYPE_CHECKING:
    from store.providers.json_text import JsonFile
    from store.providers.sources import Sources

Left = Literal[
    "", "config_yaml", "environment", "look_alike", "no_name", "oauth", "other_host", "shared",
    "stars", "template",
]  # fmt: skip


@frozen
class Find:
    """A key that lies open.

    `name` is what the environment would call it, empty if nothing reads it from there. `path` is
    the file ('' for the environment), `key` the place in it, `line` counts from 1. `left` says
    why it cannot be moved, empty if it can. `code_points` are characters that only look like
    those of a key. `loose` are the permission bits that others have on the file.
    """

    name: str
    where: Where
    path: str
    key: JsonPath
    line: int | None
    secret: Secret
    used_by: tuple[str, ...]
    left: Left = ""
    code_points: tuple[int, ...] = ()
    loose: int = 0


@frozen
class Finds:
    """Everything found, the files that could not be looked through, and odd lines of `.env`."""

    found: tuple[Find, ...]
    problems: tuple[Refusal, ...] = ()
    odd_lines: tuple[DotenvProblem, ...] = ()
    templates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def find_keys(home: HermesHome, *, disk: Disk, env: Mapping[str, str]) -> Finds:
    """Look through every place from which the agent of `home` takes keys."""
    from store.providers.honcho import honcho_host, host_block
    from store.providers.json_text import JsonFile
    from store.providers.sources import Sources

    sources = Sources(home, disk=disk, env=env)
    found: list[Find] = []
    problems: list[Refusal] = []
    templates: dict[str, tuple[str, ...]] = {}
    dotenv = read_dotenv(home, disk=disk)
    if isinstance(dotenv, Unreadable):
        problems.append(dotenv)
    else:
        found += in_dotenv(dotenv)
    for provider, path, shared in provider_files(sources):
        file = sources.json(path)
        if isinstance(file, JsonFile):
            host = host_block(honcho_host(sources, file), file)[-1] if provider == "honcho" else ""
            found += _in_json(provider, file, shared=shared, host=host)
        else:
            problems.append(file)
    config = read_config(home, disk=disk)
    if isinstance(config, ConfigFile):
        found += _in_config(config, templates)
    else:
        problems.append(config)
    found += _in_environment(env)
    odd = () if isinstance(dotenv, Unreadable) else dotenv.problems
    return Finds(tuple(_with_users(found, templates)), tuple(problems), odd, templates)


def provider_files(sources: Sources) -> Iterator[tuple[str, Path, bool]]:
    """Each provider's files that may hold a key; the last tells that other homes read it too.

    Of files that stand in for one another only the one that counts.
    """
    from store.providers.honcho import honcho_file
    from store.providers.sources import exists

    home = sources.home.path
    yield "mem0", home / "mem0.json", False
    yield "supermemory", home / "supermemory.json", False
    own = home / "hindsight" / "config.json"
    far = sources.person / ".hindsight" / "config.json"
    use_far = exists(far) and not exists(own)
    yield "hindsight", far if use_far else own, use_far
    honcho = honcho_file(sources)
    yield "honcho", honcho, honcho != home / "honcho.json"


def loose_bits(path: Path) -> int:
    """The permission bits that group and others have on `path`; 0 on Windows."""
    if os.name == "nt":
        return 0
    try:
        return stat.S_IMODE(path.stat().st_mode) & 0o077
    except OSError:
        return 0


def in_dotenv(file: Dotenv) -> Iterator[Find]:
    """The keys that stand in a `.env`."""
    loose = loose_bits(file.content.path)
    for name in file.names:
        value = file.value(name) or ""
        if is_key_name(name) and value:
            odd = look_alikes(name, value)
            yield Find(
                name=name,
                where="dotenv",
                path=str(file.content.path),
                key=(name,),
                line=file.line(name),
                secret=Secret(value),
                used_by=(),
                left=_left(value, odd),
                code_points=odd,
                loose=loose,
            )


def _in_json(provider: str, file: JsonFile, *, shared: bool, host: str) -> Iterator[Find]:
    content = file.content
    loose = loose_bits(content.path)
    for key, value in _texts(file.data):
        if not is_key_field(key[-1]) or not value:
            continue
        direct = len(key) == 1 or (key[0] == "hosts" and len(key) == 3)
        name = (name_for(provider, key[-1]) or "") if direct else ""
        odd = look_alikes("_API_KEY", value)
        left = _left(value, odd)
        if "oauth" in key or value.startswith(OAUTH):
            left = "oauth"
        elif not left and not name:
            left = "no_name"
        elif not left and len(key) == 3 and key[1] != host:
            left = "other_host"
        elif not left and shared:
            left = "shared"
        yield Find(
            name=name,
            where="provider_file",
            path=str(content.path),
            key=key,
            line=line_of(file.text, key),
            secret=Secret(value),
            used_by=(provider,),
            left=left,
            code_points=odd,
            loose=loose,
        )


def _in_config(config: ConfigFile, templates: dict[str, tuple[str, ...]]) -> Iterator[Find]:
    loose = loose_bits(config.content.path)
    for key, value in _texts(config.yaml.data):
        for name in templates_in(value):
            templates[name] = (*templates.get(name, ()), f"config.yaml: {'.'.join(key)}")
        if is_key_field(key[-1]) and value and not is_template(value):
            yield Find(
                name="",
                where="provider_file",
                path=str(config.content.path),
                key=key,
                line=config.line(".".join(key)),
                secret=Secret(value),
                used_by=("config.yaml: " + ".".join(key),),
                left="stars" if is_masked(value) else "config_yaml",
                loose=loose,
            )


def _in_environment(env: Mapping[str, str]) -> Iterator[Find]:
    for name in sorted(env):
        if is_key_name(name) and env[name]:
            odd = look_alikes(name, env[name])
            secret = Secret(env[name])
            yield Find(name, "environment", "", (name,), None, secret, (), "environment", odd)


def _left(value: str, odd: tuple[int, ...]) -> Left:
    if is_masked(value):
        return "stars"
    if odd:
        return "look_alike"
    return "template" if is_template(value) else ""


def _with_users(found: list[Find], templates: Mapping[str, tuple[str, ...]]) -> Iterator[Find]:
    from dataclasses import replace

    for one in found:
        users = (*one.used_by, *users_of(one.name), *templates.get(one.name, ()))
        yield replace(one, used_by=tuple(dict.fromkeys(users)))


def _texts(data: object, path: JsonPath = ()) -> Iterator[tuple[JsonPath, str]]:
    """Every text below `data` by its path; lists are looked through too."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _texts(value, (*path, str(key)))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _texts(value, (*path, str(number)))
    elif isinstance(data, str) and path:
        yield path, data
