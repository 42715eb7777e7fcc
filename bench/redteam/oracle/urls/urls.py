"""Fetches addresses as Python does and tells where it would have gone.

A line of JSON with `url` is answered with a line of JSON: the hosts, numeric ones as the system
reads them; `file:` for a local file; null where the address was refused. Nothing is sent.
"""

import json
import os
import socket
import sys
import urllib.request


class Arrived(OSError):
    pass


hosts = []


def connect(address, *rest, **more):
    name, port = address[:2]
    try:
        found = socket.getaddrinfo(name, port, flags=socket.AI_NUMERICHOST)
        hosts.extend(one[4][0] for one in found)
    except socket.gaierror:
        hosts.append(name.encode("idna").decode())
    raise Arrived()


socket.create_connection = connect
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def fetch(url):
    try:
        with opener.open(url, timeout=1) as response:
            if response.url.lower().startswith("file:"):
                hosts.append("file:")
    except OSError:
        return hosts
    return hosts


# A local file must be there, and not one that makes us wait.
os.chdir("/etc")
print("ready", flush=True)
for line in sys.stdin:
    hosts.clear()
    try:
        print(json.dumps(fetch(json.loads(line)["url"])), flush=True)
    except Exception:
        print("null", flush=True)
