"""Where conversations would go with a provider as it is set: told from its settings alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from schema.fields import UNSET
from schema.frozen import frozen
from store.providers.forms import FieldState, Form

Kind = Literal["this_computer", "your_server", "cloud", "unknown"]

_VENDORS = (
    *("vectorize.io", "honcho.dev", "mem0.ai", "supermemory.ai", "retaindb.com"),
    *("byterover.dev", "openviking.ai", "volces.com"),
)
_ADDRESSES = ("base_url", "baseUrl", "api_url", "apiUrl", "endpoint", "url", "host", "server")
_LOCAL_MODELS = ("ollama", "lmstudio")


@frozen
class Destination:
    """Where every turn would be sent; `address` is empty if it is not known."""

    kind: Kind
    address: str = ""


def destination_of(form: Form) -> Destination:
    """The destination with the values that are in effect."""
    rule = _RULES.get(form.name)
    return rule(form) if rule is not None else _any(form)


def kind_of(address: str, *, chosen: bool) -> Kind:
    """What lies behind an address; `chosen`: a person gave it, so it is theirs or a vendor's."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    text = address if "://" in address else f"//{address}"
    try:
        host = (urlsplit(text).hostname or "").rstrip(".").lower()
    except ValueError:
        return "unknown"
    if not host:
        return "unknown"
    if host == "localhost" or host.endswith(".localhost"):
        return "this_computer"
    try:
        ip = ip_address(host)
    except ValueError:
        if any(host == vendor or host.endswith("." + vendor) for vendor in _VENDORS):
            return "cloud"
        near = "." not in host or host.endswith((".local", ".lan", ".internal", ".home.arpa"))
        return "your_server" if near or chosen else "cloud"
    if ip.is_loopback or ip.is_unspecified:
        return "this_computer"
    return "your_server" if chosen or ip.is_private or ip.is_link_local else "cloud"


def _effective(state: FieldState | None) -> str:
    if state is None:
        return ""
    value = state.value if state.value is not UNSET else state.default
    return value.strip() if isinstance(value, str) else ""


def _at(form: Form, key: str, otherwise: str) -> Destination:
    """What the address under `key` says, else the provider's own address."""
    states = [state for state in form.fields if state.key == key]
    state = next((one for one in states if one.is_set), None)
    state = state or next((one for one in states if one.visible), None)
    address = _effective(state)
    chosen = state is not None and state.is_set
    if not address:
        address, chosen = otherwise, False
    return Destination(kind_of(address, chosen=chosen), address)


def _any(form: Form) -> Destination:
    for key in _ADDRESSES:
        state = form.state(key)
        address = _effective(state)
        if state is not None and address and state.visible:
            kind = kind_of(address, chosen=state.is_set)
            if kind != "unknown":
                return Destination(kind, address)
    return Destination("unknown")


def _hindsight(form: Form) -> Destination:
    mode = _effective(form.state("mode")) or "cloud"
    if mode in ("local", "local_embedded"):
        model = _effective(form.state("llm_provider")) or "openai"
        if model in _LOCAL_MODELS:
            return Destination("this_computer")
        if model == "openai_compatible":
            return _at(form, "llm_base_url", "")
        # Its own database is local, but the model that reads every turn is not.
        return Destination("cloud", model)
    cloud = "https://api.hindsight.vectorize.io"
    if mode == "local_external":
        state = form.state("api_url")
        if state is None or not state.is_set:
            return Destination("this_computer", "http://localhost:8888")
    return _at(form, "api_url", cloud)


def _honcho(form: Form) -> Destination:
    if _effective(form.state("environment")) == "local":
        return _at(form, "baseUrl", "http://localhost:8000")
    return _at(form, "baseUrl", "https://api.honcho.dev")


def _byterover(form: Form) -> Destination:
    key = form.state("api_key")
    if key is not None and key.is_set:
        return Destination("cloud", "https://app.byterover.dev")
    return Destination("unknown")


def _mem0(form: Form) -> Destination:
    mode = form.state("mode")
    if mode is not None and _effective(mode) == "oss":
        return Destination("unknown")
    return _at(form, "host", "https://api.mem0.ai")


def _holographic(form: Form) -> Destination:
    return Destination("this_computer", _effective(form.state("db_path")))


def _fixed(key: str, address: str) -> Callable[[Form], Destination]:
    return lambda form: _at(form, key, address)


_RULES: dict[str, Callable[[Form], Destination]] = {
    "byterover": _byterover,
    "hindsight": _hindsight,
    "holographic": _holographic,
    "honcho": _honcho,
    "mem0": _mem0,
    "openviking": _fixed("endpoint", "http://127.0.0.1:1933"),
    "retaindb": _fixed("base_url", "https://api.retaindb.com"),
    "supermemory": _fixed("base_url", "https://api.supermemory.ai"),
}
