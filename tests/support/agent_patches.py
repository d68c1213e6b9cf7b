"""Runs in the real agent's environment: what its patches make of texts. JSON in, JSON out."""

import json
import sys

from tools.fuzzy_match import fuzzy_find_and_replace

answers = []
for text, old, new, everywhere in json.load(sys.stdin):
    after, count, _, error = fuzzy_find_and_replace(text, old, new, everywhere)
    answers.append([after if error is None else None, count])
json.dump(answers, sys.stdout)
