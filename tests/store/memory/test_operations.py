"""What may be done to the entries of a file, case by case and as laws (hermes-formats §2.5)."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from store.memory.entries import Document, Entry, clean, delimiter_line, parse, serialise
from store.memory.operations import (
    Add,
    Applied,
    Arrange,
    Batch,
    Change,
    Part,
    Pinned,
    Remove,
    Replace,
    Split,
    TakeOut,
    Unknown,
    Whole,
    apply,
    check,
)
from store.refusals import (
    REFUSALS,
    Ambiguous,
    AtOperation,
    Blocked,
    Conflict,
    DelimiterInText,
    Empty,
    Invalid,
    NoMatch,
    OverBudget,
    Refusal,
    Stale,
    WouldEmpty,
)

THREE = Document((Entry("one"), Entry("two"), Entry("three")))
KEEP = '<!-- hermes-memory-entry:{"id":"k"} -->\n'


def document(*texts: str) -> Document:
    return Document(tuple(map(Entry, texts)))


def do(before: Document, change: Change, limit: int = 2200) -> Applied | Refusal:
    return apply(before, change, limit=limit, target="memory")


def texts(result: Applied | Refusal) -> tuple[str, ...]:
    assert isinstance(result, Applied), result
    return result.document.texts


# --- Add ------------------------------------------------------------------------------------


def test_an_added_text_is_stripped_and_comes_last() -> None:
    result = do(THREE, Add(" four\r\nlines \n"))
    assert texts(result) == ("one", "two", "three", "four\nlines")


def test_adding_what_is_there_changes_nothing_even_over_the_budget() -> None:
    result = do(THREE, Add("two"), limit=1)
    assert isinstance(result, Applied)
    assert (result.document, result.come) == (THREE, ())


def test_the_budget_counts_the_delimiter_and_may_be_reached() -> None:
    assert texts(do(document("12345"), Add("90"), limit=10)) == ("12345", "90")
    assert do(document("12345"), Add("90"), limit=9) == OverBudget("memory", 10, 9, 5)


def test_a_write_drops_duplicates() -> None:
    assert texts(do(document("a", "b", "a"), Add("c"))) == ("a", "b", "c")


# --- Address --------------------------------------------------------------------------------


@pytest.mark.parametrize(("short", "long"), [("test", "run the tests pass"), ("x", "an x in it")])
def test_a_whole_entry_is_meant_before_an_entry_that_contains_it(short: str, long: str) -> None:
    assert texts(do(document(long, short), Remove(Part(short)))) == (long,)


def test_a_part_that_several_entries_contain_is_ambiguous() -> None:
    assert do(THREE, Remove(Part("o"))) == Ambiguous("o", ("one", "two"))


def test_a_part_that_only_equal_entries_contain_means_the_first() -> None:
    before = Document((Entry("same", KEEP), Entry("same"), Entry("x")))
    result = do(before, Remove(Part("am")))
    assert isinstance(result, Applied)
    assert result.document.entries == (Entry("same"), Entry("x"))


def test_a_part_that_no_entry_contains_is_no_match() -> None:
    assert do(THREE, Replace(Part(" four "), "x")) == NoMatch("four")


def test_an_entry_that_a_person_saw_and_that_is_gone_is_a_conflict() -> None:
    assert do(THREE, Remove(Whole("thr"))) == Conflict("", seen="thr")


def test_an_entry_that_a_record_was_reviewed_against_and_that_is_gone_is_stale() -> None:
    assert do(THREE, Remove(Pinned("thr", "hr"))) == Stale("thr")


def test_a_replace_takes_the_whole_entry_that_a_part_is_found_in() -> None:
    result = do(document("keep", "section A\nsection B"), Replace(Part("section B"), "new B"))
    assert isinstance(result, Applied)
    assert result.document.texts == ("keep", "new B")
    assert (result.gone, result.come) == (("section A\nsection B",), ("new B",))


# --- Budget of other changes ----------------------------------------------------------------


def test_an_over_full_file_may_be_made_smaller_by_removing() -> None:
    assert texts(do(THREE, Remove(Part("three")), limit=1)) == ("one", "two")


def test_a_replace_that_leaves_the_file_over_the_budget_is_refused() -> None:
    assert do(THREE, Replace(Part("three"), "3"), limit=5) == OverBudget("memory", 13, 5, 17)


# --- Batch ----------------------------------------------------------------------------------


def test_the_budget_of_a_batch_is_judged_on_its_end() -> None:
    operations = (Add("four and more"), Remove(Part("three")), Remove(Part("two")))
    assert texts(do(THREE, Batch(operations), limit=len("one\n§\nfour and more"))) == (
        "one",
        "four and more",
    )


def test_a_batch_with_one_bad_operation_does_nothing_and_names_it() -> None:
    operations = (Add("four"), Remove(Part("nowhere")))
    assert do(THREE, Batch(operations)) == AtOperation(2, "remove", NoMatch("nowhere"))


def test_a_later_operation_sees_what_an_earlier_one_made() -> None:
    operations = (Add("four"), Replace(Part("four"), "4"), Remove(Part("one")))
    assert texts(do(THREE, Batch(operations))) == ("two", "three", "4")


def test_a_batch_may_not_empty_a_file_but_a_single_remove_may() -> None:
    assert do(document("only"), Batch((Remove(Part("only")),))) == WouldEmpty("memory")
    assert texts(do(document("only"), Remove(Part("only")))) == ()
    assert texts(do(Document(), Batch((Add("x"), Remove(Part("x")))))) == ()


@pytest.mark.parametrize(
    ("operation", "cause"),
    [
        (Unknown("rename"), Invalid("action", "unknown_action:rename")),
        (Add("  "), Empty("content")),
        (Replace(Part("one"), ""), Empty("content")),
        (Replace(Part(" "), "x"), Empty("old_text")),
        (Remove(Part("")), Empty("old_text")),
    ],
)
def test_an_operation_that_says_nothing_is_refused_by_number(
    operation: Add | Replace | Remove | Unknown, cause: object
) -> None:
    refused = do(THREE, Batch((Add("four"), operation)))
    assert isinstance(refused, AtOperation)
    assert (refused.number, refused.cause) == (2, cause)


# --- The change itself ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (Add(" \n"), Empty("content")),
        (Replace(Part("\t"), "x"), Empty("old_text")),
        (Replace(Part("x"), "\u3000"), Empty("content")),
        (Remove(Part("")), Empty("old_text")),
        (Batch(()), Empty("operations")),
        (Add("a\r\n§\r\nb"), DelimiterInText(2)),
        (Replace(Part("x"), "foo\n§"), DelimiterInText(2)),
        (Batch((Add("ok"), Add("§\nbar"))), AtOperation(2, "add", DelimiterInText(1))),
        (Add("half \ud800"), Invalid("text", "surrogate", column=6)),
        (Add("see ~/.ssh"), Blocked(("ssh_access",))),
        (Add("کتاب\u200cخانه"), Blocked(("invisible_unicode_U+200C",), 0x200C)),
        (Add("👨\u200d👩"), Blocked(("invisible_unicode_U+200D",), 0x200D)),
        (Batch((Add("see ~/.ssh"),)), AtOperation(1, "add", Blocked(("ssh_access",)))),
        (Add("a § b"), None),
        (Remove(Part("~/.ssh")), None),
    ],
)
def test_a_change_is_judged_before_any_file_is_looked_at(
    change: Change, refused: Refusal | None
) -> None:
    assert check(change) == refused


# --- Another order --------------------------------------------------------------------------


def test_entries_can_be_put_into_another_order() -> None:
    assert texts(do(THREE, Arrange(("two", "three", "one"), ""))) == ("two", "three", "one")


# --- TakeOut --------------------------------------------------------------------------------


def test_entries_are_taken_out_together_and_a_pointer_stays_where_one_is_wanted() -> None:
    taken = do(THREE, TakeOut(("three", "one"), ("see the note", "")))
    assert texts(taken) == ("two", "see the note")
    assert isinstance(taken, Applied)
    assert (taken.gone, taken.come) == (("three", "one"), ("see the note",))


def test_of_equal_pointers_one_is_left() -> None:
    assert texts(do(THREE, TakeOut(("one", "two"), ("see it", " see it ")))) == ("see it", "three")


def test_all_are_taken_out_or_none() -> None:
    assert do(THREE, TakeOut(("one", "four"))) == Conflict("", seen="four")


def test_taking_out_may_leave_a_file_over_its_limit_but_never_longer() -> None:
    long = document(*(str(number) * 100 for number in range(6)))
    gone = ("1" * 100, "2" * 100)
    assert len(texts(do(long, TakeOut(gone), limit=200))) == 4
    assert isinstance(do(long, TakeOut(gone, ("x" * 200, "y" * 200)), limit=200), OverBudget)


def test_taking_out_does_not_empty_a_file() -> None:
    assert do(THREE, TakeOut(("one", "two", "three"))) == WouldEmpty("memory")


def test_what_is_to_be_taken_out_is_checked_as_any_text() -> None:
    assert check(TakeOut(())) == Empty("operations")
    assert check(TakeOut(("one",), ("a\n§\nb",))) == DelimiterInText(2)
    assert check(TakeOut(("one", ""))) == Empty("old_text")
    assert check(TakeOut(("one",))) is None


def test_an_order_is_that_of_all_entries_seen_duplicates_or_not() -> None:
    before = document("a", "b", "a")
    assert texts(do(before, Arrange(("b", "a", "a"), ""))) == ("b", "a")
    assert texts(do(before, Arrange(("b", "a"), ""))) == ("b", "a")


@pytest.mark.parametrize("given", [("one", "two"), ("one", "two", "three", "four"), ()])
def test_an_order_that_would_lose_or_make_entries_is_a_conflict(given: tuple[str, ...]) -> None:
    assert isinstance(do(THREE, Arrange(given, "")), Conflict)


def test_comments_go_along_with_their_entries() -> None:
    before = Document((Entry("one", KEEP), Entry("two")), "<!-- hermes-memory-identities:v1 -->\n")
    result = do(before, Arrange(("two", "one"), ""))
    assert isinstance(result, Applied)
    assert result.document == before.having((Entry("two"), Entry("one", KEEP)))


# --- Identity comments ----------------------------------------------------------------------


def test_a_replace_keeps_the_comment_and_an_add_makes_none() -> None:
    before = Document((Entry("one", KEEP), Entry("two")))
    replaced = do(before, Replace(Part("one"), "1"))
    assert isinstance(replaced, Applied)
    assert replaced.document.entries == (Entry("1", KEEP), Entry("two"))
    added = do(before, Add("three"))
    assert isinstance(added, Applied)
    assert added.document.entries == (*before.entries, Entry("three"))


# --- Laws -----------------------------------------------------------------------------------

WORDS = st.text(alphabet="abc §项\n ", min_size=1, max_size=10)
GIVEN = WORDS.map(clean).filter(lambda text: bool(text) and delimiter_line(text) is None)
KEPT = st.lists(
    st.builds(Entry, GIVEN, st.sampled_from(("", "", KEEP))), max_size=6, unique_by=lambda e: e.text
).map(lambda entries: Document(tuple(entries)))


@st.composite
def changes(draw: st.DrawFn, before: Document) -> Change:
    """A change of `before` that often finds what it names."""
    known = st.sampled_from(before.texts) if before.texts else GIVEN
    addresses = st.one_of(
        st.builds(Part, st.one_of(known, WORDS)),
        st.builds(Whole, known),
        st.builds(Pinned, known),
    )
    single = st.one_of(
        st.builds(Add, st.one_of(GIVEN, known)),
        st.builds(Replace, addresses, GIVEN),
        st.builds(Remove, addresses),
        st.builds(Split, addresses, st.lists(GIVEN, min_size=1, max_size=3).map(tuple)),
    )
    many = st.lists(single, min_size=1, max_size=4).map(lambda several: Batch(tuple(several)))
    order = st.permutations(before.texts).map(lambda order: Arrange(tuple(order), ""))
    return draw(st.one_of(single, single, many, order))


@settings(max_examples=50)
@given(st.data(), KEPT, st.integers(0, 60))
def test_no_entry_is_lost_that_the_change_does_not_touch(
    data: st.DataObject, before: Document, limit: int
) -> None:
    result = do(before, data.draw(changes(before)), limit)
    assume(isinstance(result, Applied))
    assert isinstance(result, Applied)
    untouched = {entry for entry in before.entries if entry.text not in result.gone}
    assert untouched <= set(result.document.entries)  # their comments with them
    assert set(result.document.texts) <= set(before.texts) | set(result.come)


@settings(max_examples=50)
@given(st.data(), KEPT, st.integers(0, 60))
def test_what_a_change_makes_reads_back_as_it_was_made(
    data: st.DataObject, before: Document, limit: int
) -> None:
    result = do(before, data.draw(changes(before)), limit)
    assume(isinstance(result, Applied))
    assert isinstance(result, Applied)
    assert parse(serialise(result.document)) == result.document
    assert result.chars == len(serialise(result.document))


@settings(max_examples=50)
@given(st.data(), KEPT, st.integers(0, 60))
def test_only_a_remove_leaves_a_file_over_its_budget(
    data: st.DataObject, before: Document, limit: int
) -> None:
    change = data.draw(changes(before))
    result = do(before, change, limit)
    if isinstance(result, REFUSALS):
        return
    within = result.chars <= limit
    nothing_new = isinstance(change, Remove | Arrange) or not result.come
    assert within or nothing_new


@given(st.data(), KEPT)
def test_a_whole_entry_is_always_found_by_its_text(data: st.DataObject, before: Document) -> None:
    assume(before.texts)
    text = data.draw(st.sampled_from(before.texts))
    for where in (Part(text), Whole(text), Pinned(text)):
        result = do(before, Remove(where))
        assert isinstance(result, Applied)
        assert result.gone == (text,)
