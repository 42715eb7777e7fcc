"""Messages and sessions of mail that are put together, read by Python's parser and as servers do."""

import email
import re
from email.utils import getaddresses

from answer_lines import answer_lines

SHOP = "shop@shop.test"
OWNER = "owner@shop.test"


def recipients(message):
    values = [str(one) for name in ("to", "cc", "bcc") for one in message.get_all(name, [])]
    return sorted(address for _, address in getaddresses(values) if "@" in address)


def seen(text):
    """Who gets a message, its headers, and the kind of its parts."""
    message = email.message_from_bytes(text.encode("utf-8", "surrogateescape"))
    parts = [part.get_content_type() for part in message.walk()]
    return recipients(message), [name.lower() for name in message.keys()], parts, message


def differs(write, benign):
    _, names, kinds, _ = seen(write(*benign))

    def victim(*values):
        got, got_names, got_kinds, message = seen(write(*values))
        body = message.get_payload()
        if got_names != names or got_kinds != kinds or len(got) > 1:
            return True
        return not isinstance(body, str) or not body.lstrip().startswith("Dear")

    return victim


def message(to=OWNER, sender=SHOP, subject="Your question", extra="", text="Thank you."):
    return f"To: {to}\r\nFrom: {sender}\r\nSubject: {subject}\r\n{extra}\r\nDear owner,\r\n{text}\r\n"


def multipart(title, text):
    return (
        f"To: {OWNER}\r\nFrom: {SHOP}\r\nSubject: news\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="b1"\r\n\r\n'
        f"--b1\r\nContent-Type: text/plain\r\nContent-Description: {title}\r\n\r\n{text}\r\n--b1--\r\n"
    )


def parts(title, text):
    _, _, kinds, read = seen(multipart(title, text))
    names = [name.lower() for part in read.walk() for name in part.keys()]
    expected = ["to", "from", "subject", "mime-version", "content-type"]
    return kinds != ["multipart/mixed", "text/plain"] or names != expected + [
        "content-type",
        "content-description",
    ]


def session(sender, recipient, subject, text):
    return (
        f"EHLO shop\r\nMAIL FROM:<{sender}>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n"
        f"To: {recipient}\r\nSubject: {subject}\r\n\r\n{text}\r\n.\r\nQUIT\r\n"
    )


def mails(stream):
    """What a lenient server makes of a session: senders and recipients of each mail."""
    sent = []
    sender, to = None, []
    lines = iter(re.split(r"\r\n|\n|\r", stream))
    for line in lines:
        verb = line.strip().upper()
        if match := re.match(r"MAIL FROM:\s*<?([^<>\s]*)>?", line.strip(), re.I):
            sender, to = match[1], []
        elif match := re.match(r"RCPT TO:\s*<?([^<>\s]*)>?", line.strip(), re.I):
            to.append(match[1])
        elif verb == "RSET":
            sender, to = None, []
        elif verb == "DATA":
            body = []
            for inner in lines:
                if inner == ".":
                    break
                body.append(inner)
            if sender is not None and to:
                sent.append((sender, tuple(to), "\n".join(body)))
            sender, to = None, []
        elif verb == "QUIT":
            break
    return sent


def smuggles(stream):
    sent = mails(stream)
    return len(sent) > 1 or any(len(to) > 1 for _, to, _ in sent)


answer_lines(
    {
        "subject": differs(lambda text: message(subject=text), ["hello"]),
        "sender": differs(lambda text: message(sender=text), ["a@b.test"]),
        "name and address of the sender": differs(
            lambda name, address: message(sender=f"{name} <{address}>"), ["a", "a@b.test"]
        ),
        "recipient": differs(lambda text: message(to=text), ["a@b.test"]),
        "name of the recipient": differs(lambda text: message(to=f'"{text}" <{OWNER}>'), ["a"]),
        "reply to": differs(
            lambda text: message(extra=f"Reply-To: {text}\r\n"), ["a@b.test"]
        ),
        "additional header": differs(
            lambda text: message(extra=f"X-Shop-Order: {text}\r\n"), ["a"]
        ),
        "part, header": lambda text: parts(text, "Dear owner"),
        "part, text": lambda text: parts("order", text),
        "session, recipient": lambda text: smuggles(session(SHOP, text, "hello", "Dear owner")),
        "session, sender": lambda text: smuggles(session(text, OWNER, "hello", "Dear owner")),
        "session, text": lambda text: smuggles(session(SHOP, OWNER, "hello", text)),
        "session, subject": lambda text: smuggles(session(SHOP, OWNER, text, "Dear owner")),
    }
)
