"""Answers questions on standard input, one line of JSON each, until it ends."""

import json
import os
import sys


def answer_lines(victims):
    """`victims` are functions by context: true where a canary was reached."""
    # What is judged may print as well.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    answers.write("ready\n")
    for line in sys.stdin:
        question = json.loads(line)
        victim = victims[question["context"]]
        try:
            effect = "effective" if victim(*question["values"]) else "inert"
        except Exception:
            effect = "error"
        answers.write(effect + "\n")
