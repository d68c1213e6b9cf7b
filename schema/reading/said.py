"""What is said about a declaration while its fields are made: notes, mistakes, unread parts."""

from __future__ import annotations

from schema.fields import Mistake
from schema.providers import Note, Unread
from schema.reading.limits import MAX_SAID
from schema.reading.values import NOTHING, Class, Foreign, Function, Method, Unknown


class Said:
    """Collects, each once and bounded."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self._notes: dict[Note, None] = {}
        self._mistakes: dict[Mistake, None] = {}
        self._unread: dict[Unread, None] = {}

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was tolerated."""
        return tuple(self._notes)

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """What is wrong."""
        return tuple(self._mistakes)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What could not be read."""
        return tuple(self._unread)

    def note(self, where: str, message: str, *, line: int | None = None, file: str = "") -> None:
        """Something was tolerated."""
        if len(self._notes) < MAX_SAID:
            self._notes.setdefault(Note(where, line, message, file or self.file))

    def wrong(self, key: str, message: str) -> None:
        """Something is wrong."""
        if len(self._mistakes) < MAX_SAID:
            self._mistakes.setdefault(Mistake(key, message))

    def missing(self, unread: Unread) -> None:
        """A part could not be read."""
        if len(self._unread) < MAX_SAID:
            self._unread.setdefault(unread)

    def not_known(self, value: Unknown) -> None:
        """A part could not be read, since the value is only known once the code runs."""
        self.missing(Unread(value.file or self.file, value.line, value.construct, value.why))

    def sure(self, where: str, name: str, value: object) -> object:
        """Give a value or its best guess, with a note; NOTHING if there is none."""
        if isinstance(value, Foreign | Function | Class | Method):
            value = Unknown("", None, getattr(value, "name", ""), "it is no plain value")
        if not isinstance(value, Unknown):
            return value
        of = f" ({value.construct})" if value.construct else ""
        if value.guess is NOTHING:
            message = f"{name} could not be read{of}: {value.why}"
        else:
            message = f"{name} is a best guess{of}: {value.why}"
        self.note(where, message, line=value.line, file=value.file)
        return self.sure(where, name, value.guess)
