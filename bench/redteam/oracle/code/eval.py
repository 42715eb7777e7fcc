"""Evaluates vulnerable expressions with Python: one line of JSON in, the effect out.

The audit hook of the interpreter sees, and stops, all that leaves it: programs, files, sockets.
"""
import os
import sys

DENIED = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "subprocess.Popen", "os.startfile",
          "os.listdir", "os.scandir", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.putenv",
          "shutil.", "socket.", "ctypes.", "pty.spawn", "webbrowser.open", "urllib.Request", "os.truncate",
          "os.link", "os.symlink", "os.kill", "fcntl.", "mmap.", "signal.pthread_kill", "sys.setprofile")
PREFIXES = tuple(sys.path) + (sys.prefix, "<")


def watch(answer):
    state = {"on": False}

    def hook(event, args):
        if not state["on"]:
            return
        if event == "open":
            path = args[0]
            if isinstance(path, str) and path.startswith(PREFIXES) and args[1] in ("r", "rb", None):
                return
        elif not event.startswith(DENIED):
            return
        answer("effective")

    sys.addaudithook(hook)
    return state


def discount(*_given):
    return 0


TEMPLATES = {
    "expression": lambda v: v,
    "argument": lambda v: f"discount({v})",
    "string, single quotes": lambda v: f"discount('{v}')",
    "string, double quotes": lambda v: f'discount("{v}")',
}


def judge(case, answer):
    secret = os.urandom(12).hex()
    state = watch(answer)
    scope = {"discount": discount, "config": {"secret_key": secret}, "__name__": "shop"}
    source = TEMPLATES[case["context"]](case["values"][0])
    try:
        code = compile(source, "<shop>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        answer("error")
    state["on"] = True
    try:
        shown = str(eval(code, scope))
    except BaseException:
        state["on"] = False
        answer("error")
    state["on"] = False
    answer("effective" if secret in shown else "inert")


answer_in_children(judge, "error")
