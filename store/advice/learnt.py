"""What labelled entries teach about the kinds that no list of phrases tells well.

A sum of weights over the words of a text, their sequences and their parts, learnt from the seen
part of `tests/corpus/advice/sample.json` by `tools/learn_advice.py`; pure, local, and the same for
the same text always. Beside it stand the signs (`signs/`), which are phrases and forms: what they
name counts unless the words speak clearly against it, and what the words alone say clearly counts
too. Either alone was right three times in four on entries of new writers, both together more than
nine times in ten.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, cast

from schema.frozen import frozen
from store.advice.signs import LOOKED, Sign

LEARNT: Final[tuple[Sign, ...]] = (
    "task_progress", "finished_work", "todo", "easily_found", "procedure",
)  # fmt: skip
DOUBTED: Final[tuple[Sign, ...]] = ("task_progress", "finished_work", "todo", "easily_found")
"""Signs of these need that the words agree; steps one after the other are a form, and clear."""
AGAINST, ENOUGH = -1.2, 0.8
"""Below the first the words speak against a sign, from the second on they need none."""

FEWEST = 6
"""Of fewer tokens than these the words alone say too little."""

_TOKEN = re.compile(r"[a-z']{1,40}|[0-9]{1,40}|[^\W\d_]|[^\w\s]")
_LONGEST_RUN, _PARTS, _SHORTEST = 3, (3, 4), 4


@frozen
class _Model:
    """Weights by feature, one for each kind of `LEARNT`, and what each kind begins with."""

    weights: Mapping[str, Sequence[float]]
    begins: Sequence[float]


def settled(text: str, found: Sequence[Sign]) -> tuple[Sign, ...]:
    """The signs of a text, as far as its words agree, and what they say without one.

    Of output (`raw_dump`) the words say nothing.
    """
    if "raw_dump" in found:
        return tuple(found)
    scores = scores_of(text[:LOOKED])
    kept = [one for one in found if one not in DOUBTED or scores[one] >= AGAINST]
    if len(_tokens(text[:LOOKED])) < FEWEST:
        return tuple(kept)
    return (*kept, *(one for one in LEARNT if scores[one] >= ENOUGH and one not in kept))


@lru_cache(maxsize=1_024)
def scores_of(text: str) -> Mapping[Sign, float]:
    """How much the words of a text speak for each kind; 0 is the middle."""
    model = _model()
    sums = list(model.begins)
    for name, share in features(text).items():
        for at, weight in enumerate(model.weights.get(name, ())):
            sums[at] += share * weight
    return dict(zip(LEARNT, sums, strict=True))


def features(text: str) -> dict[str, float]:
    """The runs of up to three tokens and the parts of longer words, each with its share.

    A number is `#`, a Han character is a token; `^` and `$` stand at the ends.
    """
    tokens = _tokens(text)
    ended = ["^", *tokens, "$"]
    runs = Counter(
        " ".join(ended[at : at + length])
        for length in range(1, _LONGEST_RUN + 1)
        for at in range(len(ended) - length + 1)
    )
    words = [f"_{one}_" for one in tokens if len(one) >= _SHORTEST and one[0].isalpha()]
    parts = Counter(
        f"~{word[at : at + length]}"
        for word in words
        for length in _PARTS
        for at in range(len(word) - length + 1)
    )
    return _shares(runs) | _shares(parts)


def _tokens(text: str) -> list[str]:
    return ["#" if one[0].isdigit() else one for one in _TOKEN.findall(text.lower())]


def _shares(counts: Counter[str]) -> dict[str, float]:
    sizes = {name: 1 + math.log(count) for name, count in counts.items()}
    whole = math.sqrt(sum(size * size for size in sizes.values())) or 1.0
    return {name: size / whole for name, size in sizes.items()}


@cache
def _model() -> _Model:
    file = files("resources") / "advice" / "learnt.json"
    data = json.loads(file.read_text("utf-8"))
    return _Model(
        cast(Mapping[str, Sequence[float]], data["weights"]),
        cast(Sequence[float], data["begins"]),
    )
