"""Several entries in one change: removed, merged, split, moved to the other file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.desk import Desk
from store.home import HermesHome
from store.memory.entries import Document, Entry, parse, serialise
from store.memory.operations import (
    Add,
    Applied,
    Batch,
    Change,
    Part,
    Remove,
    Replace,
    Split,
    TakeOut,
    Unknown,
    Whole,
    apply,
    check,
    together,
)
from store.memory.state import Written
from store.refusals import (
    REFUSALS,
    AtOperation,
    Conflict,
    DelimiterInText,
    Empty,
    OverBudget,
    Refusal,
    Unsupported,
    WouldEmpty,
)
from tests.support.desks import Death, Faults, everything_in, home_at, joined, opened

KEEP = '<!-- hermes-memory-entry:{"id":"k"} -->\n'
HEADER = b"<!-- hermes-memory-identities:v1 -->\n"


def document(*texts: str) -> Document:
    return Document(tuple(map(Entry, texts)))


def do(before: Document, change: Change, limit: int = 2200) -> Applied | Refusal:
    return apply(before, change, limit=limit, target="memory")


def texts(result: Applied | Refusal) -> tuple[str, ...]:
    assert isinstance(result, Applied), result
    return result.document.texts


def written(result: Written | Refusal) -> Written:
    assert isinstance(result, Written), result
    return result


# --- A split --------------------------------------------------------------------------------


def test_the_parts_of_a_split_stand_in_the_place_of_the_entry() -> None:
    result = do(document("a", "b c", "d"), Split(Whole("b c"), ("b ", " c")))
    assert texts(result) == ("a", "b", "c", "d")
    assert isinstance(result, Applied)
    assert (result.gone, result.come) == (("b c",), ("b", "c"))


def test_the_first_part_keeps_the_identity_of_the_entry() -> None:
    result = do(Document((Entry("b c", KEEP),)), Split(Whole("b c"), ("b", "c")))
    assert isinstance(result, Applied)
    assert result.document.entries == (Entry("b", KEEP), Entry("c"))


def test_the_delimiter_that_a_split_brings_counts() -> None:
    assert do(document("b c"), Split(Whole("b c"), ("b", "c")), limit=5) != OverBudget
    assert texts(do(document("bc"), Split(Whole("bc"), ("b", "c")), limit=5)) == ("b", "c")
    assert do(document("bc"), Split(Whole("bc"), ("b", "c")), limit=4) == OverBudget(
        "memory", 5, 4, 2
    )


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (Split(Whole("b c"), ("", "c")), Empty("content")),
        (Split(Whole("b c"), ("b", " \n")), Empty("content")),
        (Split(Whole(""), ("b", "c")), Empty("old_text")),
        (Split(Whole("b c"), ("b", "c\n§\nd")), DelimiterInText(2)),
        (
            Batch((Split(Whole("b c"), ("b", "§")),)),
            AtOperation(1, "split", DelimiterInText(1)),
        ),
        (Split(Whole("b c"), ("b", "c")), None),
    ],
)
def test_a_split_is_judged_before_any_file_is_looked_at(
    change: Change, refused: Refusal | None
) -> None:
    assert check(change) == refused


def test_a_split_of_an_entry_that_is_gone_is_a_conflict() -> None:
    assert isinstance(do(document("a"), Split(Whole("b c"), ("b", "c"))), Conflict)
    assert do(document("a"), Split(Whole("a"), ())) == Empty("content")


def test_a_split_is_taken_back_to_the_byte(desk: Desk, home: HermesHome) -> None:
    path = home.memory_file("memory")
    path.write_bytes(joined("a", "b c", "d"))
    done = written(desk.library.change("memory", Split(Whole("b c"), ("b", "c"))))
    assert path.read_bytes() == joined("a", "b", "c", "d")
    entry = desk.journal.get(done.change_id or 0)
    assert (done.action, getattr(entry, "intent", None) is not None) == ("split", True)
    desk.undo.undo(done.change_id)
    assert path.read_bytes() == joined("a", "b c", "d")


def test_a_split_is_taken_back_beside_what_others_wrote_since(desk: Desk, home: HermesHome) -> None:
    path = home.memory_file("memory")
    path.write_bytes(joined("a", "b c", "d"))
    done = written(desk.library.change("memory", Split(Whole("b c"), ("b", "c"))))
    path.write_bytes(joined("a", "b", "c", "d", "new"))
    desk.undo.undo(done.change_id)
    assert path.read_bytes() == joined("a", "b c", "d", "new")


# --- As one change --------------------------------------------------------------------------


def test_one_operation_stays_what_it_is_and_several_are_a_batch() -> None:
    assert together([Add("a")]) == Add("a")
    assert together([Add("a"), Add("b")]) == Batch((Add("a"), Add("b")))
    assert together([Unknown("x")]) == Batch((Unknown("x"),))


def test_a_batch_may_empty_a_file_only_where_its_entries_are_kept_elsewhere() -> None:
    both = (Remove(Whole("a")), Remove(Whole("b")))
    assert do(document("a", "b"), Batch(both)) == WouldEmpty("memory")
    assert texts(do(document("a", "b"), Batch(both, may_empty=True))) == ()


@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=2, unique=True).flatmap(
        lambda all_of_them: st.tuples(
            st.just(all_of_them), st.lists(st.sampled_from(all_of_them), min_size=2, unique=True)
        )
    )
)
def test_merging_keeps_every_other_entry_where_it_is(given: tuple[list[str], list[str]]) -> None:
    all_of_them, some = given
    first, *others = sorted(some, key=all_of_them.index)
    merged = "\n".join((first, *others))
    change = Batch((*(Remove(Whole(one)) for one in others), Replace(Whole(first), merged)))
    result = texts(do(document(*all_of_them), change))
    assert result == tuple(
        merged if one == first else one for one in all_of_them if one not in others
    )
    assert parse(serialise(document(*result))).texts == result


# --- A move of several ----------------------------------------------------------------------


def test_entries_move_together_and_come_back_together(desk: Desk, home: HermesHome) -> None:
    home.memory_file("memory").write_bytes(joined("a", "b", "c", "d"))
    home.memory_file("user").write_bytes(b"mine")
    before = everything_in(home.path)
    done = written(desk.library.move("memory", "user", Whole("b"), Whole("d")))
    assert (done.target, done.action, done.removed, done.entry_count) == ("user", "move", None, 3)
    assert everything_in(home.path) == {
        "memories/MEMORY.md": joined("a", "c"),
        "memories/USER.md": joined("mine", "b", "d"),
    }
    desk.undo.undo(done.change_id)
    assert everything_in(home.path) == before


def test_all_entries_of_a_file_may_move(desk: Desk, home: HermesHome) -> None:
    home.memory_file("memory").write_bytes(joined("a", "b"))
    written(desk.library.move("memory", "user", Whole("a"), Whole("b")))
    assert home.memory_file("memory").read_bytes() == b""
    assert home.memory_file("user").read_bytes() == joined("a", "b")


@pytest.mark.parametrize(
    ("user", "gone", "code"),
    [
        (b"mine", "gone", "conflict"),
        (b"mine", "see ~/.ssh", "blocked"),
        (b"u" * 1373, "b", "over_budget"),
        (b"caf\xe9", "b", "unreadable"),
    ],
)
def test_a_move_of_which_one_part_cannot_be_leaves_both_files(
    desk: Desk, home: HermesHome, user: bytes, gone: str, code: str
) -> None:
    home.memory_file("memory").write_bytes(joined("a", "b", "see ~/.ssh"))
    home.memory_file("user").write_bytes(user)
    before = everything_in(home.path)
    refused = desk.library.move("memory", "user", Whole("a"), Whole(gone))
    assert isinstance(refused, REFUSALS)
    cause = refused.cause if isinstance(refused, AtOperation) else refused
    assert cause.code == code
    assert everything_in(home.path) == before


def test_an_entry_with_a_comment_keeps_the_others_from_moving_too(
    desk: Desk, home: HermesHome
) -> None:
    home.memory_file("memory").write_bytes(HEADER + joined("a", KEEP + "b"))
    before = everything_in(home.path)
    refused = desk.library.move("memory", "user", Whole("a"), Whole("b"))
    assert refused == Unsupported("identity_would_be_lost")
    assert everything_in(home.path) == before


def test_a_move_that_dies_at_any_step_is_whole_after_the_next_start(tmp_path: Path) -> None:
    old = {"memories/MEMORY.md": joined("a", "b", "c"), "memories/USER.md": b"mine"}
    new = {"memories/MEMORY.md": b"b", "memories/USER.md": joined("mine", "a", "c")}
    ends = []
    for step in range(200):
        faults = Faults(at=step, error=Death())
        home = home_at(tmp_path / str(step), memory=joined("a", "b", "c"), user=b"mine")
        data = tmp_path / f"data-{step}"
        died = False
        with opened(home, data, disk=faults.disk()) as desk:
            try:
                desk.library.move("memory", "user", Whole("a"), Whole("c"))
            except Death:
                died = True
        with opened(home, data) as desk:
            desk.recover()
        found = everything_in(home.path)
        assert found in (old, new), f"after step {step}"
        ends.append(found == new)
        if not died:
            break
    assert set(ends) == {False, True}, "some deaths came before the change, some after"


def test_a_part_is_enough_to_name_what_moves(desk: Desk, home: HermesHome) -> None:
    home.memory_file("memory").write_bytes(joined("apple", "pear", "plum"))
    written(desk.library.move("memory", "user", Part("app"), Part("plu")))
    assert home.memory_file("user").read_bytes() == joined("apple", "plum")


def test_thousands_are_removed_in_one_go(desk: Desk, home: HermesHome) -> None:
    path = home.memory_file("memory")
    home.config.write_text("memory:\n  memory_char_limit: 10000000\n")
    entries = [f"entry number {number}" for number in range(20_000)]
    path.write_bytes(joined(*entries))
    gone = together([Remove(Whole(text)) for text in entries[10_000:]])
    written(desk.library.change("memory", gone, wait=60))
    assert path.read_bytes() == joined(*entries[:10_000])


def test_the_first_of_many_removes_that_is_not_there_is_named() -> None:
    change = together([Remove(Whole(text)) for text in ("a", "c", "gone", "b")])
    refused = do(document("a", "b", "c"), change)
    assert isinstance(refused, AtOperation)
    assert (refused.number, refused.cause) == (3, Conflict("", seen="gone"))
    same = Document((Entry("a", KEEP), Entry("a"), Entry("b")))
    assert texts(do(same, together([Remove(Whole("a")), Remove(Whole("a"))]))) == ("b",)


def test_several_leave_a_file_that_is_over_its_limit() -> None:
    """That is when a person chooses several; one at a time always worked."""
    texts = [f"{number:03}" + "x" * 97 for number in range(30)]
    document = parse("\n§\n".join(texts))
    done = apply(document, TakeOut((texts[1], texts[2])), limit=2_200, target="memory")
    assert isinstance(done, Applied)
    assert done.gone == (texts[1], texts[2])
    again = apply(document, TakeOut(tuple(texts)), limit=2_200, target="memory")
    assert isinstance(again, WouldEmpty)
    all_of_them = TakeOut(tuple(texts), may_empty=True)
    assert isinstance(apply(document, all_of_them, limit=2_200, target="memory"), Applied)


def test_thousands_are_added_as_one_by_one() -> None:
    texts = [f"entry {number % 700}" for number in range(1_000)]
    document = parse("first\n§\nentry 5")
    batch = Batch(tuple(Add(text) for text in texts))
    done = apply(document, batch, limit=1_000_000, target="memory")
    assert isinstance(done, Applied)
    one_by_one = document
    for text in texts:
        step = apply(one_by_one, Add(text), limit=1_000_000, target="memory")
        assert isinstance(step, Applied)
        one_by_one = step.document
    assert done.document == one_by_one
    assert len(done.come) == 699
