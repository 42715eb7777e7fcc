"""Lets Sallyport look at each request before a WSGI application (Django, Flask, ...) sees it.

    application = Sallyport(application, url="http://127.0.0.1:8080", key="sp_live_...")

Python 3.9 or newer, standard library only. To try it: SALLYPORT_KEY=... python3 sallyport.py
"""

import base64
import binascii
import email
import http.client
import io
import json
import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as OutOfTime
from urllib.parse import quote, unquote_plus, urlsplit

log = logging.getLogger("sallyport")

# Sallyport takes 1 MiB; the other parts of the request need some of it.
BODY_BYTES_MAX = 900_000
# Sent in a form of their own, or not at all. All other headers are screened.
HANDLED_APART = {"content-length", "cookie", "x-forwarded-for"}
# These hold the secret of a client, as long as that is a plain token.
SECRET_HEADERS = set(
    """authorization proxy-authorization x-api-key api-key apikey x-auth-token x-access-token
    x-csrf-token x-xsrf-token csrf-token x-amz-security-token""".split()
)
# With the name of its scheme in front, or without.
TOKEN = re.compile(r"([A-Za-z][A-Za-z0-9-]{0,20} {1,4})?[A-Za-z0-9._~+/-]+=*")
BASIC = re.compile(r"basic +(.*)", re.IGNORECASE)
SANE_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


class Sallyport:
    def __init__(self, application, url, key, on_outage="allow", time_limit=0.150, threads=16):
        parts = urlsplit(url)
        secure = parts.scheme == "https"
        self._connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._address = parts.netloc
        self._path = parts.path.rstrip("/") + "/control"
        self._headers = {
            "content-type": "application/json",
            "x-api-key": key,
            "x-deadline-ms": str(int(time_limit * 1000)),
        }
        self._application = application
        self._on_outage = on_outage
        self._time_limit = time_limit
        # A socket's timeout starts anew with each byte; waiting for a thread has an end.
        self._threads = ThreadPoolExecutor(threads, "sallyport")
        self._own = threading.local()

    def __call__(self, environ, start_response):
        refusal = self._judge(environ)
        if refusal is None:
            return self._application(environ, start_response)
        status, text = refusal
        headers = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]
        start_response(status, headers)
        return [text.encode()]

    def _judge(self, environ):
        try:
            text, whole = members_of(environ)
            status, answer = self._in_time(text.encode())
        except OutOfTime:
            return self._not_screened(f"no answer within {self._time_limit * 1000:.0f} ms")
        except Exception as error:
            return self._not_screened(repr(error))
        decision = answer.get("decision")
        if status == 403 and decision == "block" and SANE_ID.fullmatch(str(answer.get("id"))):
            # The reason is for the log: an attacker gets the id only.
            log.warning("blocked %s: %s", answer["id"], ascii(answer.get("detail")))
            return "403 Forbidden", f"This request was refused. Id: {answer['id']}\n"
        if status != 200 or decision != "allow":
            return self._not_screened(f"answer {status}: {ascii(answer.get('detail'))}")
        return None if whole else self._not_screened("the body is too large to be looked at whole")

    def _not_screened(self, reason):
        log.error("not screened: %s", reason)
        if self._on_outage == "allow":
            return None
        return "503 Service Unavailable", "This request cannot be checked now. Try again.\n"

    def _in_time(self, body):
        question = self._threads.submit(self._ask, body)
        try:
            return question.result(self._time_limit)
        except OutOfTime:
            # One that still waits for a thread need not be asked any more.
            question.cancel()
            raise

    def _ask(self, body):
        """Status and JSON of the answer, over the connection that this thread keeps open."""
        while True:
            connection = getattr(self._own, "connection", None)
            was_open = connection is not None and connection.sock is not None
            if connection is None:
                connection = self._connect(self._address, timeout=self._time_limit)
                self._own.connection = connection
            try:
                connection.request("POST", self._path, body, self._headers)
                response = connection.getresponse()
                answer = json.loads(response.read())
                return response.status, answer if isinstance(answer, dict) else {}
            except ConnectionError:
                connection.close()
                # One that was kept open may be closed at the moment of its use.
                if not was_open:
                    raise
            except BaseException:
                connection.close()
                raise


def members_of(environ):
    """The request as the text of a JSON object, and whether all of it is in there."""
    members = {}

    def add(name, value):
        members.setdefault(name, []).append(value)

    add("method", environ["REQUEST_METHOD"])
    path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    add("path", quote(path, encoding="latin-1"))
    for key, value in environ.items():
        name = key.removeprefix("HTTP_").lower().replace("_", "-")
        is_header = key.startswith("HTTP_") or key == "CONTENT_TYPE"
        if is_header and name not in HANDLED_APART:
            add_header(add, name, value)
    chain = [environ.get("HTTP_X_FORWARDED_FOR"), environ.get("REMOTE_ADDR")]
    add("header.x-forwarded-for", ", ".join(filter(None, chain)))
    for pair in environ.get("HTTP_COOKIE", "").split(";"):
        name, _, value = pair.strip().partition("=")
        if pair.strip():
            add(f"cookie.{name}", value)
    for name, value in form_pairs(environ.get("QUERY_STRING", "")):
        add(f"query.{name}", value)

    raw, whole = read_body(environ)
    json_text = add_body(add, raw, environ.get("CONTENT_TYPE", "")) if raw else None
    flat = {name: found[0] if len(found) == 1 else found for name, found in members.items()}
    text = json.dumps(flat)
    # As it came: to write it anew would lose the first of two members of one name.
    return (text if json_text is None else f'{text[:-1]}, "body": {json_text}}}'), whole


def add_header(add, name, value):
    """Adds a header whole, but of a secret no plain token, and of Basic the user's name."""
    if name in SECRET_HEADERS:
        basic = BASIC.fullmatch(value)
        if basic:
            add(f"header.{name}.user", user_of(basic[1]))
        if TOKEN.fullmatch(value):
            return
    add(f"header.{name}", value)


def user_of(credentials):
    try:
        plain = base64.b64decode(credentials.encode("latin-1") + b"==")
    except binascii.Error:
        return ""
    return plain.decode("utf-8", "replace").partition(":")[0]


def read_body(environ):
    """The body, put back for the application, and whether that is all of it."""
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > BODY_BYTES_MAX:
        return b"", False
    if length == 0 and not environ.get("wsgi.input_terminated"):
        return b"", True
    raw = environ["wsgi.input"].read(length or BODY_BYTES_MAX + 1)
    whole = len(raw) <= BODY_BYTES_MAX
    rest = b"" if whole else environ["wsgi.input"].read()
    environ["wsgi.input"] = io.BytesIO(raw + rest)
    return raw[:BODY_BYTES_MAX], whole


def add_body(add, raw, content_type):
    """Adds a body as its type says that it will be read. JSON is given back instead."""
    kind = content_type.split(";")[0].strip().lower()
    if kind.startswith("multipart/"):
        for name, value in multipart_pairs(content_type, raw):
            add(f"body.{name}", value)
        return None
    text = raw.decode("utf-8", "replace")
    if kind == "application/x-www-form-urlencoded":
        for name, value in form_pairs(text):
            add(f"body.{name}", value)
    elif kind.endswith(("/json", "+json")) and is_json(text):
        return text
    else:
        add("body", text)
    return None


def form_pairs(text):
    for pair in text.split("&"):
        if pair:
            name, _, value = pair.partition("=")
            yield decoded(name), decoded(value)


def decoded(text):
    try:
        return unquote_plus(text, errors="strict")
    except UnicodeDecodeError:
        # Bytes that are no text are evidence: they stay as they are.
        return text


def is_json(text):
    def refuse(constant):
        raise ValueError(constant)

    try:
        # Python takes NaN and Infinity for JSON; nobody else does.
        json.loads(text, parse_constant=refuse)
        return True
    except (ValueError, RecursionError):
        return False


def multipart_pairs(content_type, raw):
    head = f"content-type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    for part in email.message_from_bytes(head + raw).walk():
        if part.is_multipart():
            continue
        name = part.get_param("name", "", header="content-disposition")
        if part.get_param("filename", header="content-disposition") is not None:
            yield f"{name}.filename", part.get_filename()
        else:
            yield name, part.get_payload(decode=True).decode("utf-8", "replace")


if __name__ == "__main__":
    import os
    from wsgiref.simple_server import ServerHandler, make_server

    def application(environ, start_response):
        """Says back what it was sent."""
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        start_response("200 OK", [("content-type", "text/plain; charset=utf-8")])
        return [body or b"hello\n"]

    # Else a variable of the process, such as HTTP_PROXY, looks like a header.
    ServerHandler.os_environ = {}
    logging.basicConfig(format="%(name)s: %(message)s")
    guarded = Sallyport(
        application,
        url=os.environ.get("SALLYPORT_URL", "http://127.0.0.1:8080"),
        key=os.environ["SALLYPORT_KEY"],
        on_outage=os.environ.get("SALLYPORT_ON_OUTAGE", "allow"),
        time_limit=float(os.environ.get("SALLYPORT_TIMEOUT_MS", "150")) / 1000,
    )
    make_server("127.0.0.1", int(os.environ.get("PORT", "8081")), guarded).serve_forever()
