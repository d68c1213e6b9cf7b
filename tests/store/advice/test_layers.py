"""Three quick questions lead to a layer; a text suggests the answers."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.advice.drafting import drafts_of
from store.advice.layers import LAYERS, Answers, Layer, suggest
from store.skills.front_matter import read_front_matter

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("answers", "layer"),
    [
        (Answers(about_you=True, always=True), "user"),
        (Answers(about_you=True, always=False), "note"),
        (Answers(about_you=False, steps=True), "skill"),
        (Answers(about_you=False, steps=False, always=True), "memory"),
        (Answers(about_you=False, steps=False, always=False), "note"),
    ],
)
def test_the_answers_lead_to_a_layer(answers: Answers, layer: Layer) -> None:
    assert answers.layer() == layer


def test_only_what_matters_is_asked() -> None:
    assert Answers().asked() == ("about_you",)
    assert Answers(about_you=True).asked() == ("about_you", "always")
    assert Answers(about_you=False).asked() == ("about_you", "steps")
    assert Answers(about_you=False, steps=True).asked() == ("about_you", "steps")
    assert Answers(about_you=False, steps=False).asked() == ("about_you", "steps", "always")


@given(st.tuples(*[st.sampled_from([None, True, False])] * 3))
def test_a_question_is_asked_until_there_is_a_layer(given: tuple[bool | None, ...]) -> None:
    answers = Answers(*given)
    open_ones = [one for one in answers.asked() if answers.of(one) is None]
    assert (answers.layer() is None) == bool(open_ones)


@pytest.mark.parametrize(
    ("text", "layer"),
    [
        ("Prefers replies in Simplified Chinese with English technical terms", "user"),
        ("User lives in Chengdu (UTC+8) and speaks Mandarin", "user"),
        ("My name is Alex, call me Lex", "user"),
        ("喜欢命令行工具，不喜欢需要点击很多次的图形界面", "user"),
        ("用户的时区是 UTC+8，住在成都", "user"),
        ("The staging deploy needs the VPN; without it the health check times out", "memory"),
        ("Build machine is named larch; the repo lives under ~/code/tidepool", "memory"),
        ("项目 tidepool 的数据库是 PostgreSQL 16，迁移工具用 alembic", "memory"),
        ("1. pull the branch 2. run make 3. restart the service", "skill"),
        ("首先拉取代码，然后运行测试，最后部署到服务器", "skill"),
        ("Notes on the printers: " + "floor two has the colour one. " * 12, "note"),
        ("会议记录：讨论了明年的预算和人员安排", "note"),
        ("Git is a popular version control system", "note"),
    ],
)
def test_a_text_suggests_where_it_belongs(text: str, layer: Layer) -> None:
    assert suggest(text, today=TODAY).layer == layer


def test_what_happened_and_what_is_secret_is_told_apart() -> None:
    assert suggest("Merged PR #412 with the new cache", today=TODAY).happened
    assert suggest("The NAS password is hunter2-Winter!", today=TODAY).secret
    assert not suggest("Likes tea", today=TODAY).happened


@given(st.text(max_size=200))
def test_every_text_gets_a_suggestion(text: str) -> None:
    suggestion = suggest(text, today=TODAY)
    assert suggestion.answers.layer() in LAYERS


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1. Pull the branch\n2. Run make", "pull-branch"),
        ("# Releasing: tag, then push", "releasing-tag-push"),
        ("部署流程：先拉取代码，再运行 make", None),
    ],
)
def test_a_draft_is_named_by_its_first_words(text: str, name: str | None) -> None:
    first = next(drafts_of(text))
    if name is None:
        assert first.name.startswith("from-memory-")
    else:
        assert first.name == name
    head = read_front_matter(first.content)
    assert head.fields["name"] == first.name
    assert head.description
    assert text in first.content


def test_where_a_name_is_taken_another_one_is_offered() -> None:
    drafts = drafts_of("Pull the branch, then run make")
    one, two = next(drafts), next(drafts)
    assert two.name == f"{one.name}-2"
    assert f'name: "{two.name}"' in two.content
