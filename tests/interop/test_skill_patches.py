"""Our patches beside the agent's: the same places are found, and the same text is written."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from pathlib import Path

from store.skills.matching import Patched, patched

SEED = 2026
CASES = 1_500
AGENT = Path(__file__).resolve().parents[1] / "support" / "agent_patches.py"

LINES = (
    *("# Steps", "1. Run `make test`", "  2. wait — then look", "\tindented\tby tab", "", "  "),
    *(
        "say “hello” to it",
        "it's there…",
        "it\\'s escaped",
        'a "quoted"  word',
        "x = 1",
        "    y = 2",
    ),
    *(
        "deploy  with   blanks",
        "trailing  ",
        "\tx\ty",
        "end–of",
        "no\u00a0break",
        "x = 1",
        "重启服务",
    ),
    *("print('a\\tb')", "one two three four five six", "one two three four five sex", "if a:"),
)
CHANGES = (
    lambda rng, s: s,
    lambda rng, s: s.strip(),
    lambda rng, s: s.replace("  ", " "),
    lambda rng, s: s.replace(" ", "  "),
    lambda rng, s: s.replace("\t", "    "),
    lambda rng, s: s.replace("\n", "\\n"),
    lambda rng, s: s.replace("\t", "\\t"),
    lambda rng, s: "\n".join("  " + line for line in s.split("\n")),
    lambda rng, s: "\n".join(line.lstrip() for line in s.split("\n")),
    lambda rng, s: "\n".join(line.rstrip() for line in s.split("\n")),
    lambda rng, s: s.replace("—", "--").replace("“", '"').replace("”", '"').replace("…", "..."),
    lambda rng, s: s.replace("–", "-").replace("\u00a0", " ").replace("'", "\\'"),
    lambda rng, s: s.replace("'", "’").replace('"', '\\"'),
    lambda rng, s: s[: len(s) // 2] + rng.choice("abxyz—") + s[len(s) // 2 :],
    lambda rng, s: s[rng.randrange(len(s) + 1) :],
    lambda rng, s: s[: rng.randrange(len(s) + 1)],
    lambda rng, s: " " + s + " ",
    lambda rng, s: s.replace("o", "0", 1),
    lambda rng, s: "\n".join(rng.sample("qwertyuiopasdfgh", 12)) + s,
)


def cases() -> list[tuple[str, str, str, bool]]:
    rng = random.Random(SEED)
    made = []
    while len(made) < CASES:
        lines = [rng.choice(LINES) for _ in range(rng.randrange(1, 12))]
        text = "\n".join(lines)
        start = rng.randrange(len(lines))
        old = "\n".join(lines[start : start + rng.randrange(1, 5)])
        for _ in range(rng.randrange(3)):
            old = rng.choice(CHANGES)(rng, old)
        new = old
        for _ in range(rng.randrange(1, 3)):
            new = rng.choice(CHANGES)(rng, new)
        if rng.random() < 0.3:
            new += rng.choice(("\n    deeper", "\nflat", " – more", "\\tq", " it\\'s"))
        if old:
            made.append((text, old, new, rng.random() < 0.4))
    return made


def test_a_patch_does_what_the_agents_does(hermes_python: Path) -> None:
    asked = cases()
    done = subprocess.run(
        [hermes_python, AGENT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    ends: Counter[str] = Counter()
    for case, (text, _) in zip(asked, json.loads(done.stdout), strict=True):
        ours = patched(*case[:3], everywhere=case[3], file="SKILL.md")
        ends[type(ours).__name__] += 1
        assert (ours.text if isinstance(ours, Patched) else None) == text, case
    # Every kind of end is there, and often.
    assert min(ends[kind] for kind in ("Patched", "NotInFile", "SeveralPlaces")) > 15, ends
    assert ends["SkillInvalid"] > 20, ends
