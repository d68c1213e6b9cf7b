"""Every reason for which the desk declines to do something, as values.

A refusal carries data only; the sentence for a person is made in `gui/words.py`, in their
language. `code` is what scripts see (the list in the README, section *Command line*).
"""

from __future__ import annotations

from typing import ClassVar

from schema.frozen import frozen


@frozen
class Empty:
    """Nothing was given where a text is needed. `what`: content, old_text or operations."""

    code: ClassVar[str] = "empty"
    what: str


@frozen
class OverBudget:
    """The file would hold `chars` characters and may hold `limit`; now it holds `current`."""

    code: ClassVar[str] = "over_budget"
    target: str
    chars: int
    limit: int
    current: int


@frozen
class NoMatch:
    """No entry is or contains `old_text`."""

    code: ClassVar[str] = "no_match"
    old_text: str


@frozen
class Ambiguous:
    """Several different entries contain `old_text`; `matches` are their full texts."""

    code: ClassVar[str] = "ambiguous"
    old_text: str
    matches: tuple[str, ...]


@frozen
class Blocked:
    """The agent's threat scan hits: `ids` as the agent names them.

    `code_point` is set when the first finding is an invisible character.
    """

    code: ClassVar[str] = "blocked"
    ids: tuple[str, ...]
    code_point: int | None = None


@frozen
class DelimiterInText:
    """The text has a line that is only `§`, so it would become two entries."""

    code: ClassVar[str] = "delimiter"
    line: int


@frozen
class WouldEmpty:
    """A batch would remove the last entry of `target`."""

    code: ClassVar[str] = "would_empty"
    target: str


@frozen
class Stale:
    """The entry that a record was reviewed against is gone."""

    code: ClassVar[str] = "stale"
    entry: str


@frozen
class Drifted:
    """The agent would refuse this file. `signals`: round_trip, entry_over_limit.

    `backup` is the path of the copy that was made, empty if none was needed or possible.
    """

    code: ClassVar[str] = "drift"
    path: str
    signals: tuple[str, ...]
    backup: str = ""


@frozen
class Unreadable:
    """The file exists but cannot be read or decoded; it is never taken for empty.

    `detail` is the system's own word; `byte` the offset of the first byte that is not UTF-8.
    """

    code: ClassVar[str] = "unreadable"
    path: str
    detail: str
    byte: int | None = None
    utf16: bool = False


@frozen
class BrokenDatabase:
    """The conversations cannot be read. `state` says why, `detail` is SQLite's own word.

    `corrupt`, `truncated`, `not_sqlite`, `foreign` (none of Hermes' tables), `no_permission`,
    `read_only_folder`.
    """

    code: ClassVar[str] = "unreadable"
    path: str
    state: str
    detail: str


@frozen
class Guessed:
    """The file's bytes are no UTF-8 and read as `encoding`, to which nobody has agreed yet."""

    code: ClassVar[str] = "unreadable"
    path: str
    encoding: str


@frozen
class EntryOverLimit:
    """One entry has `chars` characters, and the whole file may have `limit`."""

    code: ClassVar[str] = "over_budget"
    chars: int
    limit: int


@frozen
class Conflict:
    """What was seen is no longer there. `seen` and `now` are texts to show side by side.

    `later` are changes of the journal, oldest first, that build on the one to be undone.
    """

    code: ClassVar[str] = "conflict"
    path: str
    seen: str = ""
    now: str = ""
    later: tuple[int, ...] = ()


@frozen
class Locked:
    """Someone else held the lock for `waited` seconds."""

    code: ClassVar[str] = "locked"
    path: str
    waited: float


@frozen
class Invalid:
    """A value or a file is not what it must be. `line` and `column` count from 1."""

    code: ClassVar[str] = "invalid"
    what: str
    problem: str
    line: int | None = None
    column: int | None = None


@frozen
class NotFound:
    """There is no such thing. `kind`: home, profile, record, change, key, file, managed and more.

    `active_profile` is a profile that the file of that name names.
    """

    code: ClassVar[str] = "not_found"
    kind: str
    name: str


@frozen
class Unsupported:
    """The desk cannot do this here. `problem` is one of the keys in `gui/words.py`."""

    code: ClassVar[str] = "unsupported"
    problem: str
    name: str = ""


@frozen
class Managed:
    """Someone else manages this value. `source`: the folder, or the managing system."""

    code: ClassVar[str] = "managed"
    source: str
    key: str = ""


@frozen
class ReadOnly:
    """The system declined to write (permission, full disk, lock file that is a folder, …).

    `half_done`: what was written before could not be put back; the next start finishes it.
    """

    code: ClassVar[str] = "read_only"
    path: str
    detail: str
    half_done: bool = False


@frozen
class NoKeyring:
    """There is no keyring here that answers. `detail` is the kind of the library's own error."""

    code: ClassVar[str] = "no_keyring"
    detail: str = ""


@frozen
class KeyringRefused:
    """What there is, `backend`, keeps no secrets safely: its priority is below 1."""

    code: ClassVar[str] = "no_keyring"
    backend: str
    priority: float


@frozen
class KeyringLocked:
    """The keyring is locked, and nobody was asked to open it."""

    code: ClassVar[str] = "keyring_locked"


@frozen
class PromptDismissed:
    """The keyring is locked, and the person did not open it when they were asked."""

    code: ClassVar[str] = "keyring_locked"


@frozen
class KeyringSlow:
    """The keyring did not answer within `limit` seconds; it may be waiting for the person."""

    code: ClassVar[str] = "keyring_locked"
    limit: float


@frozen
class SecretTooLong:
    """The value has `chars` characters, and `backend` keeps `limit`."""

    code: ClassVar[str] = "invalid"
    name: str
    chars: int
    limit: int
    backend: str


@frozen
class KeyringFailed:
    """The keyring failed. `detail` is the kind of its error, never its words: they may quote."""

    code: ClassVar[str] = "unreadable"
    detail: str


KeyringTrouble = (
    NoKeyring
    | KeyringRefused
    | KeyringLocked
    | PromptDismissed
    | KeyringSlow
    | SecretTooLong
    | KeyringFailed
)


@frozen
class MissingField:
    """A write to a skill leaves out `field`, which its action needs."""

    code: ClassVar[str] = "empty"
    field: str


@frozen
class SkillInvalid:
    """A skill, or a file of one, would not be what it must be; `line` counts from 1.

    `problem` is one of the keys in `gui/skill_words.py`, `name` what it is about.
    """

    code: ClassVar[str] = "invalid"
    problem: str
    name: str = ""
    line: int | None = None


@frozen
class SeveralPlaces:
    """`text` stands in `count` places where one must be meant. `what`: skill or old_string.

    `places` are the folders of the skills, or the first lines that are hit.
    """

    code: ClassVar[str] = "ambiguous"
    what: str
    text: str
    count: int
    places: tuple[str, ...]


@frozen
class NotInFile:
    """The text that a patch is to replace does not stand in `file` of a skill."""

    code: ClassVar[str] = "no_match"
    file: str
    old_string: str


@frozen
class Protected:
    """The skill may not be deleted, pinned or moved. `why` is a key in `gui/skill_words.py`."""

    code: ClassVar[str] = "read_only"
    skill: str
    why: str


@frozen
class TooBig:
    """`what` would have `size` characters, bytes or files and may have `limit`."""

    code: ClassVar[str] = "over_budget"
    what: str
    size: int
    limit: int


@frozen
class AlreadyThere:
    """A skill of that name is there already, in the folder `path`."""

    code: ClassVar[str] = "conflict"
    skill: str
    path: str


@frozen
class ScanHit:
    """The agent's scan of skills calls `file` dangerous: `ids` as the agent names them."""

    code: ClassVar[str] = "blocked"
    file: str
    ids: tuple[str, ...]


SkillTrouble = (
    MissingField
    | SkillInvalid
    | SeveralPlaces
    | NotInFile
    | Protected
    | TooBig
    | AlreadyThere
    | ScanHit
)
"""Why a write to a skill cannot be done."""


@frozen
class AtRecord:
    """Record `record`, with which this was judged together, was refused, so none was applied."""

    record: str
    cause: SingleRefusal | AtOperation

    @property
    def code(self) -> str:
        """The code of what stood in the way."""
        return self.cause.code


@frozen
class AtOperation:
    """Operation `number` (from 1) of a batch was refused, so none was applied."""

    number: int
    action: str
    cause: SingleRefusal

    @property
    def code(self) -> str:
        """The code of what stood in the way."""
        return self.cause.code


SingleRefusal = (
    Empty
    | OverBudget
    | NoMatch
    | Ambiguous
    | Blocked
    | DelimiterInText
    | WouldEmpty
    | Stale
    | Drifted
    | Unreadable
    | BrokenDatabase
    | Guessed
    | EntryOverLimit
    | Conflict
    | Locked
    | Invalid
    | NotFound
    | Unsupported
    | Managed
    | ReadOnly
    | KeyringTrouble
    | SkillTrouble
)
Refusal = SingleRefusal | AtOperation | AtRecord
REFUSALS = (
    Empty,
    OverBudget,
    NoMatch,
    Ambiguous,
    Blocked,
    DelimiterInText,
    WouldEmpty,
    Stale,
    Drifted,
    Unreadable,
    BrokenDatabase,
    Guessed,
    EntryOverLimit,
    Conflict,
    Locked,
    Invalid,
    NotFound,
    Unsupported,
    Managed,
    ReadOnly,
    NoKeyring,
    KeyringRefused,
    KeyringLocked,
    PromptDismissed,
    KeyringSlow,
    SecretTooLong,
    KeyringFailed,
    MissingField,
    SkillInvalid,
    SeveralPlaces,
    NotInFile,
    Protected,
    TooBig,
    AlreadyThere,
    ScanHit,
    AtOperation,
    AtRecord,
)
"""For `isinstance(result, REFUSALS)`: the one way to ask whether something was declined."""
