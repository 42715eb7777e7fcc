"""Search filters that are put together, as a real directory server reads them."""

import ctypes
import os
import signal
import subprocess
import time
import uuid

import ldap

from answer_lines import answer_lines

BASE = "dc=shop,dc=test"
CONFIG = """\
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {folder}/slapd.pid
sizelimit 50
timelimit 1
database mdb
maxsize 4194304
suffix "{base}"
rootdn "cn=root,{base}"
directory {folder}/data
access to * by * read
"""


def entry(uid, kind):
    return (
        f"dn: uid={uid},{BASE}\nobjectClass: inetOrgPerson\nuid: {uid}\ncn: {uid} shop\nsn: {uid}\n"
        f"mail: {uid}@shop.test\nemployeeType: {kind}\ntitle: tea taster\n"
        f"description: nothing to see\nuserPassword: {uuid.uuid4().hex}\n\n"
    )


def start():
    folder = os.getcwd()
    os.makedirs("data", exist_ok=True)
    with open("slapd.conf", "w") as file:
        file.write(CONFIG.format(folder=folder, base=BASE))
    hidden = entry("canary" + uuid.uuid4().hex, "hidden")
    entries = "".join(entry(uid, "public") for uid in ("alice", "bob", "admin"))
    root = f"dn: {BASE}\nobjectClass: dcObject\nobjectClass: organization\no: shop\ndc: shop\n\n"
    add = ["/usr/sbin/slapadd", "-q", "-f", "slapd.conf"]
    if not os.path.exists("data/data.mdb"):
        subprocess.run(add, input=(root + entries + hidden).encode(), check=True)
    url = "ldapi://" + (folder + f"/socket-{os.getpid()}").replace("/", "%2F")
    # It ends with us, however we end.
    prctl = ctypes.CDLL(None).prctl
    subprocess.Popen(
        ["/usr/sbin/slapd", "-d", "0", "-h", url, "-f", "slapd.conf"],
        preexec_fn=lambda: prctl(1, signal.SIGKILL),
    )
    return url


def connect(url):
    for _ in range(300):
        try:
            connection = ldap.initialize(url)
            connection.simple_bind_s()
            return connection
        except ldap.LDAPError:
            time.sleep(0.05)
    raise RuntimeError("slapd does not answer")


CONNECTION = connect(start())


def search(text):
    found = CONNECTION.search_ext_s(BASE, ldap.SCOPE_SUBTREE, text, ["uid", "employeeType"])
    return [attributes for _, attributes in found if attributes]


def finds(text):
    """Whether anyone is found: a log-in."""
    return len(search(text)) > 0


def leaks(text):
    return any(attributes.get("employeeType") == [b"hidden"] for attributes in search(text))


def first(text):
    """The first whole filter: several clients ignore what stands behind it."""
    depth = 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return text[: at + 1]
    return text


answer_lines(
    {
        "log-in, and": lambda name, word: finds(f"(&(uid={name})(userPassword={word}))"),
        "log-in, three": lambda name, word: finds(
            f"(&(objectClass=person)(uid={name})(userPassword={word}))"
        ),
        "log-in, password first": lambda name, word: finds(
            f"(&(userPassword={word})(uid={name}))"
        ),
        "log-in, or": lambda name, word: finds(
            f"(&(|(uid={name})(mail={name}))(userPassword={word}))"
        ),
        "log-in, first filter": lambda name, word: finds(
            first(f"(&(uid={name})(userPassword={word}))")
        ),
        "alone": lambda text: leaks(f"(uid={text})"),
        "exact, or": lambda text: leaks(f"(|(cn={text})(mail={text}))"),
        "exact, matching rule": lambda text: leaks(
            f"(|(cn:caseExactMatch:={text})(&(objectClass=person)(uid={text})))"
        ),
        "exact, first filter": lambda text: leaks(first(f"(&(cn={text})(employeeType=public))")),
        "contains, first filter": lambda text: leaks(
            first(f"(&(cn=*{text}*)(employeeType=public))")
        ),
        "inner and": lambda text: leaks(
            f"(|(&(employeeType=public)(title={text}))(uid=nobody))"
        ),
        "inner and, contains": lambda text: leaks(
            f"(|(uid=nobody)(&(employeeType=public)(cn=*{text}*)))"
        ),
    }
)
