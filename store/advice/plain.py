"""What must not come to stand in a plain file unasked: passwords, keys and tokens. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from store.advice.signs.secrets import has_secret
from store.history_texts import holds_secret


def secrets_among(texts: Iterable[str]) -> frozenset[str]:
    """Those of `texts` that look like holding a secret, to the advice or to the agent's scan."""
    return frozenset(text for text in texts if has_secret(text) or holds_secret(text))
