"""The command that names what might leave memory, and why. Changes nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gui.advice_words import ACTIONS, say_advice
from gui.commands.answers import Answer
from gui.commands.parsing import Areas, Arguments, leaf
from gui.i18n import tr, trn
from gui.words import excerpt, file_name, word
from store.advice.judge import Advice

if TYPE_CHECKING:
    from store.desk import Desk


def declare(areas: Areas) -> None:
    """Declare `advice`."""
    leaf(areas, "advice", advise, tr("what might leave memory, and why; nothing is done"))


def advise(desk: Desk, arguments: Arguments) -> Answer:
    """Everything worth a look, what matters most first."""
    from store.advice.looking import advice_of

    found = advice_of(desk, clock=time.time)
    data = {"advice": [advice_data(one) for one in found]}
    if not found:
        return Answer(data, tr("Nothing here needs a second look."))
    lines = []
    for one in found:
        frees = trn("frees {n:,} character", "frees {n:,} characters", one.frees)
        ways = tr(", ").join(word(ACTIONS, action) for action in one.actions)
        lines += [
            f"{file_name(one.target)}  {excerpt(one.entry)}",
            f"   {say_advice(one)} ({frees})",
            f"   → {ways}",
        ]
    return Answer(data, "\n".join(lines))


def advice_data(one: Advice) -> dict[str, object]:
    """An advice as scripts see it."""
    return {
        "kind": one.kind,
        "target": one.target,
        "entry": one.entry,
        "reason": say_advice(one),
        "frees": one.frees,
        "actions": one.actions,
        "beside": one.beside or None,
        "beside_in": one.beside_in or None,
    }
