"""Learns the weights of `store/advice/learnt.py` from the seen part of the labelled sample.

Needs scikit-learn (tried with 1.7), which nothing else here does: install it into any environment
that has the project on its path, and run this without arguments. It writes
resources/advice/learnt.json, and prints for each kind what would be found among the entries of
each writer by weights learnt from those of all others.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from store.advice.learnt import ENOUGH, LEARNT, features  # noqa: E402

SAMPLE = ROOT / "tests" / "corpus" / "advice" / "sample.json"
MODEL = ROOT / "resources" / "advice" / "learnt.json"
FREEDOM = 20.0
"""How far the weights may go to tell the entries apart (the `C` of the library)."""
LEAST_ENTRIES, LEAST_WEIGHT = 2, 0.3
"""A feature of fewer entries, and one whose every weight is smaller, is left out."""


def main() -> None:
    """Learn, write, and tell how well it goes among the writers."""
    entries = [one for one in json.loads(SAMPLE.read_text("utf-8")) if one["part"] == "seen"]
    for writer in sorted({one["id"][0] for one in entries}):
        others = [one for one in entries if one["id"][0] != writer]
        own = [one for one in entries if one["id"][0] == writer]
        print(writer, _found(_learn(others), own))
    model = _learn(entries)
    lines = ",\n".join(
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(weights)}"
        for name, weights in sorted(model["weights"].items())
    )
    begins = json.dumps(model["begins"])
    kinds = json.dumps(list(LEARNT))
    text = f'{{"kinds": {kinds},\n"begins": {begins},\n"weights": {{\n{lines}\n}}}}\n'
    MODEL.write_text(text, "utf-8")
    print(f"{MODEL.name}: {len(model['weights']):,} features, {len(text):,} characters")


def _learn(entries: list[dict[str, Any]]) -> dict[str, Any]:
    from sklearn.feature_extraction import DictVectorizer  # type: ignore[import-not-found]
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-not-found]

    found = [features(one["text"]) for one in entries]
    counts = Counter(name for one in found for name in one)
    found = [{k: v for k, v in one.items() if counts[k] >= LEAST_ENTRIES} for one in found]
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(found)
    columns, begins = [], []
    for kind in LEARNT:
        fit = LogisticRegression(C=FREEDOM, class_weight="balanced", max_iter=5_000)
        fit.fit(matrix, [kind in one["kinds"] for one in entries])
        columns.append(fit.coef_[0])
        begins.append(round(float(fit.intercept_[0]), 3))
    weights = {
        name: [round(float(weight), 2) for weight in each]
        for name, *each in zip(vectorizer.feature_names_, *columns, strict=True)
        if max(map(abs, each)) >= LEAST_WEIGHT
    }
    return {"weights": weights, "begins": begins}


def _found(model: dict[str, Any], entries: list[dict[str, Any]]) -> str:
    """Of each kind the precision and recall of the weights alone."""
    told = []
    for at, kind in enumerate(LEARNT):
        said = {one["id"] for one in entries if _score(model, at, one["text"]) >= ENOUGH}
        meant = {one["id"] for one in entries if kind in one["kinds"]}
        right = len(said & meant)
        told.append(f"{kind} {right / max(1, len(said)):.2f}/{right / max(1, len(meant)):.2f}")
    return ", ".join(told)


def _score(model: dict[str, Any], at: int, text: str) -> float:
    weights = model["weights"]
    found = features(text).items()
    return float(
        model["begins"][at] + sum(share * weights[k][at] for k, share in found if k in weights)
    )


if __name__ == "__main__":
    main()
