"""When the agent offers a skill to its model: what the head asks for, and what there is here.

Platforms, environments and the list of disabled skills can be judged from outside. Which tools a
session has is known only to it, so what depends on them is told as such. Pure, but for
`surroundings`, which looks at this machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, Literal

from schema.frozen import field, frozen
from store.skills.front_matter import spelled

Here = Literal["yes", "no", "depends"]
PLATFORMS = {"macos": "darwin", "linux": "linux", "windows": "win32"}
ENVIRONMENTS = ("kanban", "docker", "s6")
"""Those that the agent knows; any other hides no skill."""
CONDITIONS = (
    *("requires_toolsets", "requires_tools"),
    *("fallback_for_toolsets", "fallback_for_tools"),
)
"""Keys below metadata.hermes. `fallback_for_`: offered only while that is not there."""

_CONTAINERS = ("docker", "podman", "/lxc/", "kubepods", "containerd", "crio")


@frozen
class Surroundings:
    """Where the agent runs. `tools` and `toolsets` are None while nobody knows them.

    `remembers`: it will read its cache of the index, in which it forgets about environments.
    """

    platform: str = sys.platform
    termux: bool = False
    environments: frozenset[str] = frozenset()
    disabled: frozenset[str] = frozenset()
    remembers: bool = False
    tools: frozenset[str] | None = None
    toolsets: frozenset[str] | None = None


@frozen
class Offer:
    """What the head of a skill asks for before it is offered, each as it is written.

    `unusable` are the conditions that are no list: with them the agent fails to build its index.
    """

    platforms: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unusable: tuple[str, ...] = ()

    def asks(self, condition: str) -> tuple[str, ...]:
        """What stands in one of CONDITIONS."""
        return self.conditions.get(condition, ())


@frozen
class Offered:
    """Whether a skill is offered here. `because` names what decides it.

    `disabled`, `platforms`, `environments`, or some of CONDITIONS. `bare`: it is not for this
    environment, but the agent will list it all the same, without its description.
    """

    here: Here
    because: tuple[str, ...] = ()
    bare: bool = False


def read_offer(fields: Mapping[str, Any]) -> Offer:
    """What the head of a skill says about when it is offered."""
    metadata = fields.get("metadata")
    ours = metadata.get("hermes") if isinstance(metadata, Mapping) else None
    ours = ours if isinstance(ours, Mapping) else {}
    conditions: dict[str, tuple[str, ...]] = {}
    unusable = []
    for key in CONDITIONS:
        value = ours.get(key, [])
        if isinstance(value, str | list | tuple | set | dict):
            conditions[key] = tuple(
                spelled(one) for one in value
            )  # of a text, as the agent: letters
        else:
            unusable.append(key)
    return Offer(
        _listed(fields.get("platforms")),
        _listed(fields.get("environments")),
        {key: value for key, value in conditions.items() if value},
        tuple(unusable),
    )


def offered(names: tuple[str, ...], offer: Offer, where: Surroundings) -> Offered:
    """Whether a skill that goes by these names is offered."""
    if where.disabled.intersection(names):
        return Offered("no", ("disabled",))
    if not _fits_platform(offer.platforms, where):
        return Offered("no", ("platforms",))
    bare = not _fits_environment(offer.environments, where)
    if bare and not where.remembers:
        return Offered("no", ("environments",))
    depending = tuple(key for key in CONDITIONS if offer.asks(key))
    hidden = tuple(key for key in depending if _hides(key, offer.asks(key), where))
    if hidden:
        return Offered("no", hidden)
    if depending and where.tools is None and where.toolsets is None:
        return Offered("depends", depending, bare)
    return Offered("yes", ("environments",) if bare else (), bare)


def surroundings(
    *, disabled: object, toolsets: object, remembers: bool, env: Mapping[str, str]
) -> Surroundings:
    """This machine, with what config.yaml says in skills.disabled and toolsets."""
    prefix = env.get("PREFIX", "")
    termux = bool(env.get("TERMUX_VERSION")) or "com.termux/files/usr" in prefix
    active = set()
    if env.get("HERMES_KANBAN_TASK") or env.get("HERMES_KANBAN_BOARD"):
        active.add("kanban")
    if isinstance(toolsets, str | list | dict) and "kanban" in toolsets:
        active.add("kanban")
    if _is_container(env):
        active.add("docker")
    if os.path.isdir("/run/s6") or os.path.isdir("/package/admin/s6-overlay"):
        active.add("s6")
    off = frozenset(_listed(disabled))
    return Surroundings(sys.platform, termux, frozenset(active), off, remembers)


def _listed(value: object) -> tuple[str, ...]:
    """A list, or one thing, as texts without blanks around them."""
    if not value:
        return ()
    several = value if isinstance(value, list | tuple | set | dict) else [value]
    texts = (spelled(one).strip() for one in several)
    return tuple(text for text in texts if text)


def _fits_platform(platforms: tuple[str, ...], where: Surroundings) -> bool:
    names = [PLATFORMS.get(one.lower(), one.lower()) for one in platforms]
    if where.termux and {"linux", "termux", "android"}.intersection(names):
        return True
    return not names or any(where.platform.startswith(name) for name in names)


def _fits_environment(environments: tuple[str, ...], where: Surroundings) -> bool:
    names = [one.lower() for one in environments]
    return not names or any(
        name not in ENVIRONMENTS or name in where.environments for name in names
    )


def _hides(condition: str, wanted: tuple[str, ...], where: Surroundings) -> bool:
    if where.tools is None and where.toolsets is None:
        return False
    there = where.toolsets if condition.endswith("toolsets") else where.tools
    found = [one in (there or ()) for one in wanted]
    return any(found) if condition.startswith("fallback") else not all(found)


def _is_container(env: Mapping[str, str]) -> bool:
    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        return True
    if env.get("KUBERNETES_SERVICE_HOST"):
        return True
    marks = (("/proc/1/cgroup", _CONTAINERS), ("/proc/self/mountinfo", _CONTAINERS[3:]))
    return any(mark in _read(path) for path, several in marks for mark in several)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""
