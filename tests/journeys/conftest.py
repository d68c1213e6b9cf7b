"""A person at the real window: the same running desk as in tests/gui."""

from __future__ import annotations

from tests.gui.conftest import desk, start

__all__ = ["desk", "start"]
