"""Opens files as applications in Python do and tells which were opened.

A line of JSON with `context` and `values` is answered with `effective`, `inert` or `error`.
The argument is the folder that may be served.
"""

import json
import os
import pathlib
import stat
import sys
import urllib.parse
import urllib.request

root = sys.argv[1]
opener = urllib.request.build_opener(urllib.request.FileHandler)


def refuse(is_bad):
    if is_bad:
        raise ValueError("refused")


def decoded(value):
    refuse("../" in value)
    return os.path.join(root, urllib.parse.unquote(value))


def below(value):
    path = os.path.abspath(os.path.join(root, value))
    refuse(os.path.commonprefix([path, root]) != root)
    return path


# An opener for what could wait: a pipe, a terminal.
def careful(path, flags):
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def at(path):
    return open(path, "rb", opener=careful)


def local_url(value):
    with opener.open(f"file://{root}/{value}") as response:
        return os.fdopen(os.dup(response.fp.fileno()), "rb")


contexts = {
    "os.path.join": lambda v: at(os.path.join(root, v)),
    "format string": lambda v: at(f"{root}/{v}"),
    "format string and ending": lambda v: at(f"{root}/{v}.txt"),
    "pathlib": lambda v: at(pathlib.Path(root) / v),
    "unquote": lambda v: at(decoded(v)),
    "each ../ removed": lambda v: at(os.path.join(root, v.replace("../", ""))),
    "leading slashes removed": lambda v: at(os.path.join(root, v.lstrip("/"))),
    "commonprefix": lambda v: at(below(v)),
    "urlopen of a file URL": local_url,
}


def judge(context, value):
    try:
        file = contexts[context](value)
    except (OSError, urllib.error.URLError):
        return "inert"
    except ValueError:
        return "error"
    with file:
        number = file.fileno()
        real = os.readlink(f"/proc/self/fd/{number}")
        is_file = stat.S_ISREG(os.fstat(number).st_mode)
        return "effective" if is_file and not real.startswith(root + "/") else "inert"


print("ready", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    try:
        print(judge(question["context"], question["values"][0]), flush=True)
    except Exception:
        print("error", flush=True)
