"""What the words of an entry say of its kind, beside the signs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.advice.learnt import AGAINST, ENOUGH, LEARNT, features, scores_of, settled
from tests.conftest import ROOT

SAMPLE: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "corpus" / "advice" / "sample.json").read_text("utf-8")
)


def test_a_sign_against_which_the_words_speak_does_not_count() -> None:
    text = "She keeps her todos in a paper notebook and wants no second list."
    assert scores_of(text)["todo"] < AGAINST
    assert settled(text, ("todo",)) == ()


def test_words_that_say_it_clearly_need_no_sign() -> None:
    text = next(
        one["text"]
        for one in SAMPLE
        if one["kinds"] == ["task_progress"] and scores_of(one["text"])["task_progress"] > ENOUGH
    )
    assert "task_progress" in settled(text, ())


def test_few_words_are_not_enough_alone() -> None:
    assert scores_of("Uses tabs")["easily_found"] > AGAINST
    assert settled("Uses tabs", ()) == ()


def test_of_output_and_of_what_is_not_learnt_the_words_say_nothing() -> None:
    text = "Fixed the footer link and pushed it."
    assert settled(text, ("raw_dump",)) == ("raw_dump",)
    assert set(settled(text, ("secret", "past_date"))) >= {"secret", "past_date"}


def test_steps_in_order_are_clear_by_their_form() -> None:
    steps = "1. pull the branch 2. run make 3. restart the service"
    assert settled(steps, ("procedure",)) == ("procedure",)


def test_a_text_has_the_same_features_in_any_case_and_with_any_numbers() -> None:
    assert features("Version 12 of LARCH") == features("version 7 of larch")


@given(st.text(max_size=300))
def test_any_text_is_weighed(text: str) -> None:
    scores = scores_of(text)
    assert tuple(scores) == LEARNT
    assert scores == scores_of(text)
    assert all(-100 < score < 100 for score in scores.values())


@pytest.mark.parametrize("text", ["a" * 20_000, "§ " * 10_000, "一" * 20_000, "\ud800" * 99])
def test_no_text_takes_long(text: str) -> None:
    began = time.process_time()
    settled(text, ())
    assert time.process_time() - began < 2.0


def test_the_weights_are_those_of_these_kinds() -> None:
    model = json.loads((ROOT / "resources" / "advice" / "learnt.json").read_text("utf-8"))
    assert model["kinds"] == list(LEARNT)
    assert {len(each) for each in model["weights"].values()} == {len(LEARNT)}


def test_nothing_is_loaded_before_the_first_entry() -> None:
    code = "import store.advice.learnt as one; print(one._model.cache_info().currsize)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"
