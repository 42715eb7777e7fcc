"""Evaluates vulnerable expressions with Python: one line of JSON in, the effect out.

Each judgement has a separate process. The audit hook of the interpreter sees, and stops, all that
leaves it: programs, files, sockets.
"""
import json
import os
import resource
import sys

DENIED = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "subprocess.Popen", "os.startfile",
          "os.listdir", "os.scandir", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.putenv",
          "shutil.", "socket.", "ctypes.", "pty.spawn", "webbrowser.open", "urllib.Request", "os.truncate",
          "os.link", "os.symlink", "os.kill", "fcntl.", "mmap.", "signal.pthread_kill", "sys.setprofile")
PREFIXES = tuple(sys.path) + (sys.prefix, "<")


class Reached(BaseException):
    pass


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
    "statement": lambda v: v,
}


def judge(case, answer):
    secret = os.urandom(12).hex()
    state = watch(answer)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    scope = {"discount": discount, "config": {"secret_key": secret}, "__name__": "shop"}
    source = TEMPLATES[case["context"]](case["values"][0])
    try:
        code = compile(source, "<shop>", "exec" if case["context"] == "statement" else "eval")
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


def main():
    out = os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 1)
    os.write(out, b"ready\n")
    for line in sys.stdin:
        case = json.loads(line)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            os.dup2(null, 0)

            def answer(text):
                os.write(writer, text.encode())
                os._exit(0)

            judge(case, answer)
        os.close(writer)
        said = os.read(reader, 64)
        os.close(reader)
        os.waitpid(pid, 0)
        os.write(out, (said or b"error") + b"\n")


main()
