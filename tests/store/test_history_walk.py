"""A random walk through a desk's life: the history always gives back the bytes that it promises.

A model watches the disk: what each file was before and after every change. Whatever happens, the
journal tells it without a gap, an undo of a change whose files are still as it left them brings
back every byte, a version restored is that version, and what is refused changes nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from schema.frozen import frozen
from store.desk import Desk, build_desk
from store.files import Disk, digest_of
from store.history_outside import OUTSIDERS, path_of
from store.history_texts import MEMORY_PATHS, holds_secret
from store.home import TARGETS, HermesHome, Target
from store.journal import JournalEntry
from store.memory.operations import Add, Arrange, Change, Remove, Replace, Whole
from store.memory.plan import plan_of
from store.memory.repairs import Examined, examine, repair
from store.refusals import REFUSALS, Unreadable, Unsupported
from store.restoring import Restored, restore
from store.undo import Undone
from tests.support.skills import put_record, put_skill, skill_text

T = TypeVar("T")
Bytes = bytes | None

SECRET = "api_key = 'abcdefghij0123456789'"
TEXTS = ("a", "b", "two\nlines", "项目 tidepool", "a longer text, with commas", "§ inside", "c")
OUTSIDE: tuple[Bytes, ...] = (
    None,
    b"",
    b"a\n\xc2\xa7\nb",
    b"a\n\xc2\xa7\nb\n",
    b"a\r\n\xc2\xa7\r\ntwo\r\nlines",
    b"\xef\xbb\xbfa\n\xc2\xa7\nc",
    b"b\n\xc2\xa7\nb\n\xc2\xa7\na",
    b"\n\n\xc2\xa7\n\na\n\xc2\xa7\n\n",
    b"caf\xe9",
    b"a\n\xc2\xa7\n" + SECRET.encode() + b"\n\xc2\xa7\nc",
    SECRET.encode(),
    SECRET.encode() + b"\n\xc2\xa7\nb",
    b"a\r\n\xc2\xa7\r\n" + SECRET.encode(),
    b"<!-- hermes-memory-identities:v1 -->\n"
    b'<!-- hermes-memory-entry:{"id":"a"} -->\na\n\xc2\xa7\nb',
)
targets = st.sampled_from(TARGETS)
texts = st.sampled_from(TEXTS)
picks = st.integers(0, 1_000)


@frozen
class Promise:
    """What a change made of the memory files, and what of everything else in the home."""

    files: dict[str, tuple[Bytes, Bytes]]
    other: tuple[dict[str, bytes], dict[str, bytes]] | None


class Life(RuleBasedStateMachine):
    """One home, one desk, and what the model remembers of both."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.home = HermesHome(folder / "home", folder / "home", "default")
        (folder / "home" / "memories").mkdir(parents=True)
        put_skill(self.home.path, "tools/known")
        self.data = folder / "data"
        self.desk = self.build()
        self.known: dict[str, Bytes] = {}
        self.promises: dict[int, Promise] = {}
        self.last = 0
        self.records = 0

    def build(self) -> Desk:
        env = {"MEMORY_DESK_DATA_DIR": str(self.data), "MEMORY_DESK_CONFIG_DIR": str(self.data)}
        return build_desk(self.home, env=env, disk=Disk("\n"))

    def teardown(self) -> None:
        self.desk.close()
        self.stack.close()

    # -- the model ---------------------------------------------------------------------------

    def files(self) -> dict[str, Bytes]:
        found: dict[str, Bytes] = {}
        for target in TARGETS:
            path = self.home.memory_file(target)
            found[path_of(target)] = path.read_bytes() if path.exists() else None
        return found

    def others(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.home.path).as_posix(): path.read_bytes()
            for folder in ("skills", "pending")
            for path in sorted((self.home.path / folder).rglob("*"))
            if path.is_file() and path.suffix not in (".lock", ".tmp")
        }

    def step(self, act: Callable[[], T]) -> T:
        """Do something with the desk, and see that the journal tells of it what happened."""
        before, others = self.files(), self.others()
        result = act()
        after = self.files()
        found = self.desk.journal.changes()
        assert not isinstance(found, Unreadable)
        new = sorted((one for one in found if one.id > self.last), key=lambda one: one.id)
        told = {path: before[path] for path in MEMORY_PATHS}
        for one in new:
            self.take_note(one, before, after, others, told)
        for path in MEMORY_PATHS:
            assert told[path] == after[path], "a change that the journal does not tell of"
        return result

    def take_note(
        self,
        change: JournalEntry,
        before: dict[str, Bytes],
        after: dict[str, Bytes],
        others: dict[str, bytes],
        told: dict[str, Bytes],
    ) -> None:
        whole = self.desk.journal.get(change.id)
        assert isinstance(whole, JournalEntry)
        outside = change.intent.who in OUTSIDERS
        files: dict[str, tuple[Bytes, Bytes]] = {}
        for part in whole.parts:
            if part.path not in MEMORY_PATHS:
                continue
            began = self.known[part.path] if outside else before[part.path]
            ended = before[part.path] if outside else after[part.path]
            assert (part.before_mark or digest_of(part.before)) == digest_of(began)
            assert (part.after_mark or digest_of(part.after)) == digest_of(ended)
            if part.path in self.known:
                assert began == self.known[part.path], "a gap in the history"
            for data in (part.before, part.after):
                assert data is None or SECRET.encode() not in data
            files[part.path] = (began, ended)
            self.known[part.path] = ended
            if not outside:
                told[part.path] = ended
        other = None if outside or self.others() == others else (others, self.others())
        self.promises[change.id] = Promise(files, other)
        self.last = change.id
        assert not any(map(holds_secret, (*change.intent.gone, *change.intent.come)))

    def entries(self, target: Target) -> tuple[str, ...]:
        return self.desk.library.load(target).document.texts

    def some_change(self, pick: int) -> int | None:
        ids = sorted(self.promises)
        return ids[pick % len(ids)] if ids else None

    # -- what happens ------------------------------------------------------------------------

    @initialize(memory=st.sampled_from(OUTSIDE), user=st.sampled_from(OUTSIDE))
    def begin(self, memory: Bytes, user: Bytes) -> None:
        """The desk is opened on what is there, which is no change."""
        for target, data in (("memory", memory), ("user", user)):
            if data is not None:
                self.home.memory_file(target).write_bytes(data)  # type: ignore[arg-type]
        assert self.step(self.desk.look_back) == ()
        self.known = self.files()

    def change(self, target: Target, change: Change) -> None:
        self.step(lambda: self.desk.library.change(target, change))

    @rule(file=targets, text=texts)
    def add(self, file: Target, text: str) -> None:
        self.change(file, Add(text))

    @rule(file=targets, pick=picks, text=texts)
    def edit(self, file: Target, pick: int, text: str) -> None:
        if entries := self.entries(file):
            self.change(file, Replace(Whole(entries[pick % len(entries)]), text))

    @rule(file=targets, pick=picks)
    def remove(self, file: Target, pick: int) -> None:
        if entries := self.entries(file):
            self.change(file, Remove(Whole(entries[pick % len(entries)])))

    @rule(file=targets)
    def turn_round(self, file: Target) -> None:
        state = self.desk.library.load(file)
        self.change(file, Arrange(state.document.texts[::-1], state.digest))

    @rule(file=targets, pick=picks)
    def move(self, file: Target, pick: int) -> None:
        other: Target = "user" if file == "memory" else "memory"
        if entries := self.entries(file):
            where = Whole(entries[pick % len(entries)])
            self.step(lambda: self.desk.library.move(file, other, where))

    @rule(file=targets, data=st.sampled_from(OUTSIDE))
    def others_write(self, file: Target, data: Bytes) -> None:
        path = self.home.memory_file(file)
        if data is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(data)

    @rule()
    def look_back(self) -> None:
        changed = sum(self.files()[path] != self.known[path] for path in MEMORY_PATHS)
        assert len(self.step(self.desk.look_back)) == changed
        assert self.known == self.files()

    @rule(file=targets, text=texts, approve=st.booleans())
    def handle_a_record(self, file: Target, text: str, approve: bool) -> None:
        record = self.desk.queue.stage({"action": "add", "target": file, "content": text})
        if isinstance(record, str):
            handle = self.desk.queue.approve if approve else self.desk.queue.reject
            self.step(lambda: handle([record]))

    @rule(create=st.booleans())
    def approve_a_skill(self, create: bool) -> None:
        self.records += 1
        name = f"{self.records:08x}"
        if create:
            content = skill_text(f"new-{self.records}")
            put_record(self.home.path, name, action="create", name=f"new-{self.records}",
                       content=content)  # fmt: skip
        else:
            put_record(self.home.path, name, action="write_file", name="known",
                       file_path="references/notes.md", file_content=f"note {name}")  # fmt: skip
        self.step(lambda: self.desk.queue.approve([name]))

    @rule(file=targets)
    def mend(self, file: Target) -> None:
        found = examine(self.desk.library, file)
        proposal = getattr(found, "proposal", None)
        if isinstance(found, Examined) and proposal is not None:
            plan = plan_of(proposal, target=file, digest=found.digest, agreed=True)
            self.step(lambda: repair(self.desk.library, file, plan))

    @rule()
    def start_again(self) -> None:
        self.desk.close()
        self.desk = self.build()
        assert self.step(self.desk.recover) == ()

    # -- the way back ------------------------------------------------------------------------

    @precondition(lambda self: self.promises)
    @rule(pick=picks)
    def undo(self, pick: int) -> None:
        number = self.some_change(pick)
        assert number is not None
        self.take_back(number)

    @rule(file=targets, text=texts)
    def think_better_of_it(self, file: Target, text: str) -> None:
        last = self.last
        self.add(file, text)
        if self.last > last:
            self.take_back(self.last)

    @precondition(lambda self: self.promises)
    @rule()
    def undo_the_latest(self) -> None:
        self.take_back(self.last)

    def take_back(self, number: int) -> None:
        promise, before, others = self.promises[number], self.files(), self.others()
        entry = self.desk.journal.get(number)
        assert isinstance(entry, JournalEntry)
        result = self.step(lambda: self.desk.undo.undo(number))
        as_it_left = all(before[path] == after for path, (_, after) in promise.files.items()) and (
            promise.other is None or promise.other[1] == others
        )
        if not entry.undoable:
            assert isinstance(result, Unsupported), result
        elif as_it_left:
            assert isinstance(result, Undone), result
            assert result.exact
        if isinstance(result, REFUSALS):
            assert (self.files(), self.others()) == (before, others)
        elif result.exact:
            assert all(self.files()[path] == old for path, (old, _) in promise.files.items())
            if promise.other is not None and as_it_left:
                assert self.others() == promise.other[0]

    @precondition(lambda self: self.promises)
    @rule(pick=picks, earlier=st.booleans())
    def restore(self, pick: int, earlier: bool) -> None:
        number = self.some_change(pick)
        assert number is not None
        promise, before = self.promises[number], self.files()
        result: Any = self.step(lambda: restore(self.desk.undo, number, before=earlier))
        if isinstance(result, Restored):
            for path, (old, new) in promise.files.items():
                assert self.files()[path] == (old if earlier else new)
        else:
            assert self.files() == before

    # -- what always holds -------------------------------------------------------------------

    @invariant()
    def nothing_is_left_half_done(self) -> None:
        assert self.desk.journal.unfinished() == ()
        assert not list(self.home.path.rglob("*.tmp"))
        if self.desk.journal.path.exists():
            self.desk.journal.close()
            kept = b"".join(path.read_bytes() for path in self.desk.journal.path.parent.iterdir())
            assert SECRET.encode() not in kept


WALKS = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.timeout(400)  # it mostly waits for the disk, which others may keep busy
def test_whatever_happens_the_history_gives_back_the_bytes_that_it_promises() -> None:
    run_state_machine_as_test(Life, settings=WALKS)
