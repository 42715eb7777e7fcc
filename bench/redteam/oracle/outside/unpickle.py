"""Values that Python makes objects of: each class or function that they name is a stub."""

import base64
import io
import pickle
import zlib

import yaml

from answer_lines import answer_lines

reached = False


class Stub:
    """Stands for whatever a value names; a call of it is the canary."""

    def __new__(cls, *arguments, **named):
        global reached
        reached = True
        return object.__new__(cls)

    def __init__(self, *arguments, **named):
        pass


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        return Stub

    def persistent_load(self, identifier):
        return None


class Loader(yaml.UnsafeLoader):
    def find_python_name(self, name, mark, unsafe=False):
        return Stub

    def find_python_module(self, name, mark, unsafe=False):
        return Stub


def unpickle(data):
    return Unpickler(io.BytesIO(data)).load()


def judged(read):
    def victim(text):
        global reached
        reached = False
        try:
            read(text)
        except Exception:
            if not reached:
                raise
        return reached

    return victim


answer_lines(
    {
        "text": judged(lambda text: unpickle(text.encode("latin-1"))),
        "base64": judged(lambda text: unpickle(base64.b64decode(text))),
        "base64url": judged(
            lambda text: unpickle(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        ),
        "compressed": judged(
            lambda text: unpickle(zlib.decompressobj().decompress(base64.b64decode(text), 100_000))
        ),
        "hexadecimal": judged(lambda text: unpickle(bytes.fromhex(text))),
        "YAML": judged(lambda text: yaml.load(text, Loader)),
        "YAML, member": judged(lambda text: yaml.load(f"name: tea\nvalue: {text}\n", Loader)),
    }
)
