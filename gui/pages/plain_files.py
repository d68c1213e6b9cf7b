"""The question before a secret comes to stand in a plain file: a note, or a skill draft."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from gui.i18n import sentences, tr, trn
from store.history_texts import holds_secret

if TYPE_CHECKING:
    from gui.asker import Asker


def may_stand(
    asker: Asker, texts: Sequence[str], secrets: Collection[str], *, entries: bool = True
) -> tuple[str, ...]:
    """Those of `texts` that may go to a plain file; `secrets` are those that hold one.

    Asks once if there are any. `entries`: they leave memory, of which the history may keep none.
    """
    held = [text for text in texts if text in secrets]
    if not held:
        return tuple(texts)
    if len(texts) == 1:
        words = tr("It holds a password, key or token, which would stand in a plain file.")
    else:
        words = trn(
            "{n} of these holds a password, key or token, which would stand in a plain file.",
            "{n} of these hold a password, key or token, which would stand in a plain file.",
            len(held),
        )
    if entries and any(map(holds_secret, held)):
        words = sentences(words, tr("The history keeps none, so this cannot be undone."))
    several = len(held) < len(texts)
    if asker.confirm(
        title=tr("A secret would stand in a plain file"),
        text=words,
        yes=tr("Move all the same"),
        no=tr("Leave them out") if several else tr("Leave it"),
    ):
        return tuple(texts)
    return tuple(text for text in texts if text not in secrets)
