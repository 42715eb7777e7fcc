"""Renders vulnerable templates with Jinja2: one line of JSON in, the effect out."""
import json
import sys
import traceback

import jinja2

DENIED = ("os.", "subprocess.Popen", "shutil.", "socket.", "ctypes.", "pty.spawn", "open", "urllib.Request")

environment = jinja2.Environment()
# What is read when a template fails is read before anything is watched.
for source in ("{{ 1 }}", "{{ 1() }}", "{{ none.x.y }}"):
    try:
        environment.from_string(source).render()
    except Exception as failure:
        traceback.format_exception(failure)


def judge(case, answer):
    state = {"on": False}

    def hook(event, args):
        if state["on"] and event.startswith(DENIED):
            answer(json.dumps({"reached": True}))

    try:
        template = environment.from_string(case["source"])
    except Exception:
        answer("{}")
    sys.addaudithook(hook)
    state["on"] = True
    try:
        shown = template.render(config={"secret_key": case["secret"]})
    except BaseException:
        answer("{}")
    state["on"] = False
    answer(json.dumps({"shown": shown[:8000]}))


answer_in_children(judge, "{}")
