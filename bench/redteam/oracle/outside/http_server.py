"""Headers as Python's http.server writes them, read by Python's own client."""

import http.client
import http.server
from io import BytesIO
from urllib.parse import unquote

from answer_lines import answer_lines


class Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self):
        self.wfile = BytesIO()
        self.request_version = "HTTP/1.1"

    def log_request(self, code="-", size="-"):
        pass

    def answer(self, name, value):
        self.send_response(302)
        self.send_header(name, value)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
        return self.wfile.getvalue()


class Wire:
    def __init__(self, data):
        self.data = data

    def makefile(self, mode):
        return BytesIO(self.data)


def seen(name, value):
    response = http.client.HTTPResponse(Wire(Handler().answer(name, value)))
    response.begin()
    # A line that is no header ended them: what the rest is cannot be known.
    if response.headers.defects:
        raise ValueError("not a header")
    return [one.lower() for one in response.headers.keys()], response.read()


def differs(name, write):
    expected = seen(name, "benign")
    return lambda text: seen(name, write(text)) != expected


answer_lines(
    {
        "Location": differs("Location", lambda text: text),
        "Location, path": differs("Location", lambda text: "https://shop.test/" + text),
        "Location, decoded": differs("Location", unquote),
        "Set-Cookie": differs("Set-Cookie", lambda text: f"lang={text}; Path=/"),
        "Content-Disposition": differs(
            "Content-Disposition", lambda text: f'attachment; filename="{text}"'
        ),
    }
)
