"""What programs that judge in children share: their text is given to Python in front of them."""
import json
import os
import resource
import sys


def answer_in_children(judge, failed):
    """Answers lines of JSON on standard input, a process for each: it may end, or change anything.

    `judge` gets the question and a function that answers it and ends the process; `failed` is the
    answer of one that ended without.
    """
    out = os.dup(1)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 1)
    os.write(out, b"ready\n")
    for line in sys.stdin:
        question = json.loads(line)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            os.dup2(null, 0)

            def answer(said):
                os.write(writer, said.encode())
                os._exit(0)

            for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
                resource.setrlimit(limit, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
            judge(question, answer)
        os.close(writer)
        said = os.read(reader, 65536)
        os.close(reader)
        os.waitpid(pid, 0)
        os.write(out, (said or failed.encode()) + b"\n")

