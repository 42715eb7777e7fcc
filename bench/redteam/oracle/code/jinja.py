"""Renders vulnerable templates with Jinja2: one line of JSON in, the effect out, a process for each."""
import json
import os
import resource
import sys
import traceback

import jinja2

DENIED = ("os.", "subprocess.Popen", "shutil.", "socket.", "ctypes.", "pty.spawn", "open", "urllib.Request")


def main():
    out = os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 1)
    environment = jinja2.Environment()
    # What is read when a template fails is read before anything is watched.
    for source in ("{{ 1 }}", "{{ 1() }}", "{{ none.x.y }}"):
        try:
            environment.from_string(source).render()
        except Exception as failure:
            traceback.format_exception(failure)
    os.write(out, b"ready\n")
    for line in sys.stdin:
        case = json.loads(line)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            os.dup2(null, 0)
            judge(environment, case, writer)
        os.close(writer)
        said = os.read(reader, 65536)
        os.close(reader)
        os.waitpid(pid, 0)
        os.write(out, (said or b"{}") + b"\n")


def judge(environment, case, writer):
    def answer(said):
        os.write(writer, json.dumps(said).encode())
        os._exit(0)

    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        resource.setrlimit(limit, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    state = {"on": False}

    def hook(event, args):
        if state["on"] and event.startswith(DENIED):
            answer({"reached": True})

    try:
        template = environment.from_string(case["source"])
    except Exception:
        answer({})
    sys.addaudithook(hook)
    state["on"] = True
    try:
        shown = template.render(config={"secret_key": case["secret"]})
    except BaseException:
        answer({})
    state["on"] = False
    answer({"shown": shown[:8000]})


main()
