"""Runs the tamper scripts of an installed sqlmap: a line of JSON for each value, and one back.

Asked {"script": "between", "value": "1 AND 2>1", "seed": 7}, it answers {"value": "..."}; null where
the script failed or does not take such values. The one argument is the folder of sqlmap.
"""

import importlib
import json
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
answers = sys.stdout
# What scripts print is no answer.
sys.stdout = sys.stderr

from lib.core.common import getFileItems  # noqa: E402
from lib.core.data import conf, kb  # noqa: E402

kb.keywords = set(getFileItems(os.path.join(sys.argv[1], "data", "txt", "keywords.txt")))
kb.aliasName = "shopkeeper"
# No messages.
conf.smokeTest = True
kb.singleLogFlags = set()
kb.stickyLevel = None

for line in sys.stdin:
    asked = json.loads(line)
    try:
        random.seed(asked["seed"])
        script = importlib.import_module("tamper.%s" % asked["script"])
        value = script.tamper(asked["value"], headers={}, hints={}, delimiter="&")
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        # Overlong encodings are bytes; in a text they cannot stand.
        value.encode("utf-8")
    except Exception as error:  # A script may do anything.
        sys.stderr.write("%s: %r\n" % (asked["script"], error))
        value = None
    answers.write(json.dumps({"value": value}) + "\n")
    answers.flush()
