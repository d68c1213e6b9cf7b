"""What the Repair page shows, and what the person makes of it, as values. Reads nothing but files.

`Work` is the draft: a repair plan whose entries keep their keys through every edit, so that cards
can be found again. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from gui.i18n import tr, trn
from gui.models.cards import MORE, SHOWN, Card, Mark
from gui.repair_words import CHANGES, MOST_SAID, WHYS, say_lines
from gui.words import say, word
from schema.frozen import frozen
from store.home import FILE_NAMES, TARGETS, Target
from store.memory import plan as plans
from store.memory.repair import BEYOND, end_of_part
from store.refusals import REFUSALS, Conflict, Guessed, NotFound

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.plan import PlanCheck, PlannedEntry, RepairPlan
    from store.memory.repair import Dropped
    from store.memory.repairs import Examined, Repaired
    from store.refusals import Refusal

EMPTY: Final[Mapping[int, str]] = MappingProxyType({})
_SIMILAR_CHARS = 100_000
_COMPARED_LINES = 2_000
_COMPARED_CHARS = 200_000
_OTHERS: dict[Target, Target] = {"memory": "user", "user": "memory"}


# --- The draft --------------------------------------------------------------------------------


@frozen
class Work:
    """A plan as the person edits it; `keys` name its entries, `origin` is what was proposed.

    `proposed` holds by key the texts that nobody typed. `untouched` is the plan without what the
    person made of it: `origin`, and further parts of a very long file.
    """

    plan: RepairPlan
    keys: tuple[int, ...]
    fresh: int
    origin: RepairPlan
    proposed: Mapping[int, str]
    untouched: RepairPlan

    @property
    def went_on(self) -> bool:
        """Whether there is more than was proposed at first."""
        return self.untouched is not self.origin

    @property
    def is_edited(self) -> bool:
        """Whether the person changed anything."""
        before, now = self.untouched, self.plan
        return (now.entries, now.dropped) != (before.entries, before.dropped)

    def row(self, key: Hashable) -> int:
        """Where the entry with that key stands, -1 if it is no longer there."""
        return next((row for row, own in enumerate(self.keys) if own == key), -1)

    def entry(self, key: Hashable) -> PlannedEntry | None:
        """The entry with that key."""
        row = self.row(key)
        return self.plan.entries[row] if row >= 0 else None


def begin(plan: RepairPlan) -> Work:
    """Begin with a plan as it was proposed."""
    count = len(plan.entries)
    texts = {key: entry.text for key, entry in enumerate(plan.entries)}
    return Work(plan, tuple(range(count)), count, plan, MappingProxyType(texts), plan)


def rewrite(work: Work, key: Hashable, text: str) -> Work:
    """The entry says `text`."""
    row = work.row(key)
    return work if row < 0 else replace(work, plan=plans.edited(work.plan, row, text))


def cut(work: Work, key: Hashable, at: int) -> Work:
    """The entry becomes two before its character `at`; the second has a key of its own."""
    row = work.row(key)
    if row < 0:
        return work
    plan = plans.split(work.plan, row, at)
    if len(plan.entries) == len(work.plan.entries):
        return work
    keys = (*work.keys[: row + 1], work.fresh, *work.keys[row + 1 :])
    return replace(work, plan=plan, keys=keys, fresh=work.fresh + 1)


def join(work: Work, key: Hashable) -> Work:
    """The entry and the next one become one, under the key of the first."""
    row = work.row(key)
    if not 0 <= row < len(work.keys) - 1:
        return work
    keys = (*work.keys[: row + 1], *work.keys[row + 2 :])
    return replace(work, plan=plans.merged(work.plan, row), keys=keys)


def leave_out(work: Work, key: Hashable) -> Work:
    """The entry goes, and is named among what is left out."""
    row = work.row(key)
    if row < 0:
        return work
    keys = (*work.keys[:row], *work.keys[row + 1 :])
    return replace(work, plan=plans.left_out(work.plan, row), keys=keys)


def take_in(work: Work, dropped: int) -> Work:
    """What was left out becomes an entry again, with a key of its own."""
    if not 0 <= dropped < len(work.plan.dropped):
        return work
    plan = plans.taken_in(work.plan, dropped)
    both = enumerate(zip(plan.entries, work.plan.entries, strict=False))
    row = next((row for row, (new, old) in both if new != old), len(work.keys))
    keys = (*work.keys[:row], work.fresh, *work.keys[row:])
    return replace(work, plan=plan, keys=keys, fresh=work.fresh + 1)


def is_rest(work: Work, dropped: object) -> bool:
    """Whether what was left out is the rest of a very long file."""
    found = work.plan.dropped
    return isinstance(dropped, int) and dropped < len(found) and found[dropped].why == BEYOND


def go_on(work: Work, dropped: int, limit: int) -> tuple[Work, Work]:
    """`work`, and what it becomes with the next part of that rest. Runs in the background."""
    plan = plans.continued(work.plan, dropped, limit=limit)
    came = plan.entries[len(work.plan.entries) :]
    keys = range(work.fresh, work.fresh + len(came))
    proposed = {**work.proposed, **{key: one.text for key, one in zip(keys, came, strict=True)}}
    new = replace(
        work,
        plan=plan,
        keys=(*work.keys, *keys),
        fresh=keys.stop,
        proposed=MappingProxyType(proposed),
        untouched=work.untouched if work.is_edited else plan,
    )
    return work, new


def keep_fitting(work: Work, limit: int) -> Work:
    """Only the first entries stay, as many as the budget holds; the others are left out."""
    plan = plans.fitting(work.plan, limit=limit)
    if len(plan.entries) == len(work.plan.entries):
        return work
    kept = {id(entry) for entry in plan.entries}
    both = zip(work.keys, work.plan.entries, strict=True)
    return replace(work, plan=plan, keys=tuple(key for key, one in both if id(one) in kept))


def shift(work: Work, key: Hashable, step: int) -> Work:
    """The entry changes places with the one `step` away; at an end it stays."""
    row = work.row(key)
    to = row + step
    if row < 0 or not 0 <= to < len(work.keys):
        return work
    keys = [*work.keys[:row], *work.keys[row + 1 :]]
    keys.insert(to, work.keys[row])
    return replace(work, plan=plans.moved(work.plan, row, to), keys=tuple(keys))


def send(work: Work, key: Hashable) -> Work:
    """The entry goes to the other of the two files."""
    row = work.row(key)
    if row < 0:
        return work
    other = _OTHERS[work.plan.entries[row].target]
    return replace(work, plan=plans.sent(work.plan, row, other))


def agreed(work: Work, encoding: str) -> Work:
    """The person says that the file reads right in `encoding`."""
    plan, origin = (replace(one, encoding=encoding) for one in (work.plan, work.origin))
    untouched = replace(work.untouched, encoding=encoding) if work.went_on else origin
    return replace(work, plan=plan, origin=origin, untouched=untouched)


def based_on(work: Work, digest: str) -> Work:
    """Go on with the work, over the file that has this digest now."""
    return replace(work, plan=replace(work.plan, digest=digest))


# --- The file ---------------------------------------------------------------------------------


@frozen
class ShownLines:
    """The file's lines as they are seen, of a very long one the first part. `more` are not.

    `marks` are the lines (from 1) where the trouble is, some with a few words.
    """

    lines: tuple[str, ...] = ()
    marks: Mapping[int, str] = EMPTY
    more: int = 0


NO_LINES = ShownLines()


@frozen
class RepairView:
    """A file with what is wrong with it, and what is proposed; or why it cannot be looked at.

    `why` is what the agent refuses for, `asides` what else is to be said. `encoding` is what the
    person chose. `check` is None if weighing the plan would take long. `copies` counts the backups.
    """

    target: Target
    refusal: Refusal | None = None
    examined: Examined | None = None
    plan: RepairPlan | None = None
    check: PlanCheck | None = None
    shown: ShownLines = NO_LINES
    why: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    encoding: str | None = None
    copies: int = 0

    @property
    def guess(self) -> str:
        """The encoding that was guessed, empty if the bytes say it or the person did."""
        proposal = self.examined.proposal if self.examined is not None else None
        return proposal.encoding if proposal is not None and proposal.doubt else ""

    @property
    def in_order(self) -> bool:
        """Whether there is nothing to repair."""
        found = self.examined
        return found is not None and not found.findings and not found.needed

    @property
    def fits(self) -> bool:
        """Whether the bytes can be read as what the person chose."""
        return self.plan is not None


def read_repair(
    desk: Desk,
    target: Target | None = None,
    encoding: str | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> RepairView:
    """Look at the file of `target`, or without one at the first that needs repair.

    Cancelled, the view holds nothing: nobody waits for it.
    """
    from gui.repair_words import say_surroundings
    from store.memory.backups import names_of_copies
    from store.memory.repairs import examine

    if target is None:
        views = [read_repair(desk, each, None, is_cancelled) for each in TARGETS]
        return next((view for view in views if view.examined and not view.in_order), views[0])
    found = examine(desk.library, target, encoding=encoding, is_cancelled=is_cancelled)
    if is_cancelled():
        return RepairView(target)
    beside = {each: names_of_copies(desk.home.memory_file(each)) for each in TARGETS}
    copies = sum(len(names) for names in beside.values())
    if isinstance(found, REFUSALS):
        return RepairView(target, refusal=found, copies=copies)
    view = view_of(found, encoding)
    others = [name for name, kind in beside[target] if kind == "copy"]
    asides = (*view.asides, *say_surroundings(found.data, others))
    return replace(view, copies=copies, asides=asides)


def view_of(examined: Examined, encoding: str | None = None) -> RepairView:
    """Say what there is to see of an examined file. Pure."""
    from gui.repair_words import say_findings, say_note

    proposal, plan, check = examined.proposal, None, None
    shown = NO_LINES
    if proposal is not None:
        plan = plans.plan_of(proposal, target=examined.target, digest=examined.digest)
        if examined.findings or examined.needed:
            shown = lines_of(examined, plan)
            if len(plan.entries) <= _QUICKLY_WEIGHED:
                check = plans.check_plan(plan, examined.data, limit=examined.limit)
    return RepairView(
        target=examined.target,
        examined=examined,
        plan=plan,
        check=check,
        shown=shown,
        why=tuple(say_findings(examined.findings)),
        asides=tuple(say_note(note) for note in proposal.notes) if proposal is not None else (),
        encoding=encoding,
    )


def lines_of(examined: Examined, plan: RepairPlan) -> ShownLines:
    """The lines to be seen beside `plan`: as far as the file has become entries."""
    text = examined.text.removesuffix("\n")  # what a final line end makes is no line
    rest = next((one for one in plan.dropped if one.why == BEYOND), None)
    if rest is not None and text.rstrip().endswith(rest.text):
        end = len(text.rstrip()) - len(rest.text)
    else:
        end = len(text) if rest is None else end_of_part(text, examined.limit)
    end = min(end, _MOST_SHOWN)
    more = text.count("\n", end) + 1 if end < len(text) else 0
    head = text[:end].removesuffix("\n") if more else text
    lines = tuple(head.split("\n"))
    return ShownLines(lines, MappingProxyType(_marks(examined, lines)), more)


_MARKED_WHOLE = 500
_QUICKLY_WEIGHED = 5_000
_MOST_SHOWN = 1_000_000


def _marks(examined: Examined, lines: tuple[str, ...]) -> dict[int, str]:
    """The lines where the trouble is: number from 1, and a few words for some."""
    from store.memory.findings import NotUtf8, OversizeEntry, RoundTrip

    marks: dict[int, str] = {}
    for finding in examined.findings:
        match finding:
            case RoundTrip(line):
                marks[line] = tr("here they begin to differ")
            case OversizeEntry((first, last), chars) if first <= len(lines):
                if last - first < _MARKED_WHOLE:
                    marks |= dict.fromkeys(range(first, min(last, len(lines)) + 1), "")
                marks[first] = tr("one entry of {chars:,} characters", chars=chars)
            case NotUtf8(_, line):
                marks[line] = tr("not UTF-8 from here on")
    if examined.findings or examined.needed:
        marks |= _untidy(lines)
    if examined.proposal is not None:
        for one in examined.proposal.dropped:
            first, last = one.lines
            if one.why != BEYOND and first <= len(lines):
                marks |= dict.fromkeys(range(first, min(last, len(lines)) + 1), "")
                marks[first] = word(WHYS, one.why)
    return marks


def _untidy(lines: tuple[str, ...]) -> dict[int, str]:
    """Delimiters that the agent would write otherwise, and the blank lines around them."""
    found: dict[int, str] = {}
    for at, line in enumerate(lines):
        if "§" not in line or line.strip() != "§":
            continue
        before = at > 0 and not lines[at - 1].strip()
        after = at + 1 < len(lines) and not lines[at + 1].strip()
        if line != "§":
            found[at + 1] = tr("spaces beside the delimiter")
        elif before or after:
            found[at + 1] = (
                tr("a blank line before the delimiter")
                if before
                else tr("a blank line after the delimiter")
            )
        if before:
            found[at] = ""
        if after:
            found[at + 2] = ""
    return found


# --- Cards ------------------------------------------------------------------------------------


def entry_cards(work: Work, check: PlanCheck | None, shown: int = SHOWN) -> list[Card]:
    """The proposed entries, each with where it came from and what was changed."""
    hidden = set(check.hidden) if check is not None else set()
    problems = {one.entry: one.refusal for one in check.problems} if check is not None else {}
    cards = []
    for number, key in enumerate(work.keys[:shown], 1):
        entry = work.plan.entries[number - 1]
        marks = _marks_of(work, key, entry)
        if number in problems:
            marks.append(Mark(tr("stands in the way"), "bad", say(problems[number])))
        if number in hidden:
            marks.append(
                Mark(
                    tr("hidden from the agent"),
                    "bad",
                    tr("The agent's threat scan would put a placeholder in its place."),
                )
            )
        where = say_lines(entry.lines)
        meta: tuple[str | Mark, ...] = (where, *marks) if where else tuple(marks)
        cards.append(Card(key=key, text=entry.text, meta=meta))
    rest = len(work.keys) - shown
    if rest > 0:
        words = trn("{n:,} more entry; Enter shows it.", "{n:,} more; Enter shows some.", rest)
        cards.append(Card(key=MORE, text=words))
    return cards


def marked(check: PlanCheck | None, shown: int = SHOWN) -> tuple[object, ...]:
    """All by which `entry_cards` of the same work differ."""
    if check is None:
        return shown, (), ()
    problems = tuple(one for one in check.problems if 0 < one.entry <= shown)
    return shown, problems, tuple(number for number in check.hidden if number <= shown)


def _marks_of(work: Work, key: int, entry: PlannedEntry) -> list[Mark]:
    from gui.models.memory import file_words

    marks = [Mark(word(CHANGES, change), "warn") for change in entry.changes]
    if work.proposed.get(key) != entry.text:
        marks.append(Mark(tr("changed by you"), "plain"))
    elif not marks:
        marks.append(Mark(tr("as it was"), "ok"))
    if entry.target != work.plan.target:
        marks.append(Mark(tr("goes to {file}", file=file_words(entry.target)), "plain"))
    return marks


def dropped_cards(work: Work, shown: int = SHOWN) -> list[Card]:
    """What has no place in an entry, by name; each key is its number in the plan.

    The rest of a very long file comes first: it is the way on.
    """
    dropped = work.plan.dropped
    order = sorted(range(len(dropped)), key=lambda number: dropped[number].why != BEYOND)
    cards = []
    for number in order[:shown]:
        one = dropped[number]
        where = say_lines(one.lines)
        if one.why == BEYOND:
            cards.append(_rest_card(number, one, where))
            continue
        meta: tuple[str | Mark, ...] = (Mark(word(WHYS, one.why), "bad"),)
        cards.append(Card(number, one.text, (where, *meta) if where else meta, struck=True))
    rest = len(dropped) - shown
    if rest > 0:
        words = trn("{n:,} more, also in the copy.", "{n:,} more, also in the copy.", rest)
        cards.append(Card(MORE, words))
    return cards


_EXCERPT = 120


def _rest_card(number: int, rest: Dropped, where: str) -> Card:
    text = " ".join(rest.text[:_EXCERPT].split())
    return Card(
        number,
        f"{text} …" if len(rest.text) > _EXCERPT else text,
        (where, Mark(word(WHYS, rest.why), "warn"), tr("Enter proposes more")),
        lead=tr("What follows"),
        lead_rest=trn("{n:,} char", "{n:,} chars", len(rest.text)),
    )


def in_the_way(check: PlanCheck) -> list[str]:
    """What keeps the plan from being applied, as sentences; a bar of its own says the rest."""
    return [
        say(one.refusal)
        if one.entry == 0
        else tr("Entry {number}: {why}", number=one.entry, why=say(one.refusal))
        for one in check.problems[:MOST_SAID]
        if not isinstance(one.refusal, Guessed | Conflict)
    ]


def warnings(check: PlanCheck) -> list[str]:
    """What is to be known before it is applied, and does not keep from it."""
    found = []
    if check.over_budget:
        found.append(
            tr("That is over the budget: the agent reads all of it, but adds nothing until "
               "entries are shorter or fewer.")
        )  # fmt: skip
    if check.lost:
        few = tr(", ").join(check.lost[:12]) + (" …" if len(check.lost) > 12 else "")
        found.append(tr("In the file, but in no entry (the copy keeps it): {words}.", words=few))
    return found


# --- Comparing and applying -------------------------------------------------------------------


def compare(disk: str, mine: str) -> list[tuple[str, str]]:
    """Lines of kind ("same", "removed", "added") that lead from the file to the work."""
    import difflib

    if len(disk) + len(mine) <= _SIMILAR_CHARS:
        from gui.widgets.compare import difference

        return difference(disk, mine)
    kinds = {" ": "same", "-": "removed", "+": "added"}
    disk, mine = disk[:_COMPARED_CHARS], mine[:_COMPARED_CHARS]
    lines = difflib.unified_diff(disk.split("\n"), mine.split("\n"), lineterm="", n=2)
    found = []
    for line in lines:
        if line[:1] in kinds and not line.startswith(("---", "+++")):
            found.append((kinds[line[0]], line[1:]))
        if len(found) >= _COMPARED_LINES:
            found.append(("same", "…"))
            break
    return found


def apply_repair(
    desk: Desk, target: Target, plan: RepairPlan
) -> tuple[Repaired | Refusal, RepairView]:
    """Write the plan, and look at the file again. Runs in the background."""
    from store.memory.repairs import repair

    done = repair(desk.library, target, plan)
    return done, read_repair(desk, target)


def check_work(plan: RepairPlan, data: bytes, limit: int) -> tuple[RepairPlan, PlanCheck]:
    """What stands in the way of `plan`, with the plan. Runs in the background."""
    return plan, plans.check_plan(plan, data, limit=limit)


def file_of(target: Target) -> str:
    """MEMORY.md or USER.md."""
    return FILE_NAMES[target]


def is_absent(refusal: Refusal) -> bool:
    """Whether there is no file at all."""
    return isinstance(refusal, NotFound)
