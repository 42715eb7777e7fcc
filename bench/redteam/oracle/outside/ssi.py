"""Pages with values in them, as nginx with server-side includes shows them."""

import ctypes
import http.client
import os
import signal
import socket
import subprocess
import time
import uuid

from answer_lines import answer_lines

CANARY = "canary-" + uuid.uuid4().hex
CONFIG = """\
daemon off;
master_process off;
pid nginx.pid;
error_log /dev/null crit;
events {{ worker_connections 64; }}
http {{
  access_log off;
  default_type text/html;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 100000000;
  open_file_cache off;
  server {{
    listen unix:{folder}/socket;
    root {folder}/pages;
    location = /page.html {{ ssi on; ssi_silent_errors off; }}
    location / {{ return 200 "{canary}"; }}
  }}
}}
"""


class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(2)
        self.sock.connect("socket")


def start():
    folder = os.getcwd()
    os.makedirs("pages", exist_ok=True)
    if os.path.exists("socket"):
        os.unlink("socket")
    with open("nginx.conf", "w") as file:
        file.write(CONFIG.format(folder=folder, canary=CANARY))
    # It ends with us, however we end.
    prctl = ctypes.CDLL(None).prctl
    subprocess.Popen(
        ["/usr/sbin/nginx", "-p", folder, "-c", "nginx.conf"],
        preexec_fn=lambda: prctl(1, signal.SIGKILL),
    )
    for _ in range(200):
        try:
            connection = Connection("shop")
            connection.connect()
            return connection
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("nginx does not answer")


CONNECTION = start()


def show(page):
    with open("pages/page.html", "wb") as file:
        file.write(page)
    try:
        CONNECTION.request("GET", "/page.html")
        return CONNECTION.getresponse().read()
    except (OSError, http.client.HTTPException):
        CONNECTION.close()
        raise


def executed(before, after):
    def victim(text):
        page = (before + text + after).encode()
        shown = show(page)
        if CANARY.encode() in shown:
            return True
        if b"an error occurred while processing the directive" in shown:
            raise ValueError("no command that nginx knows")
        return shown != page

    return victim


answer_lines(
    {
        "text": executed("<html><body><p>", "</p></body></html>"),
        "attribute": executed('<html><body><img alt="', '" src="tea.png"></body></html>'),
        "title": executed("<html><head><title>", "</title></head></html>"),
        "comment": executed("<html><!-- by ", " --><body></body></html>"),
        "script": executed("<html><script>var q = '", "';</script></html>"),
        "text area": executed("<form><textarea>", "</textarea></form>"),
        "behind an open comment": executed("<p>guest book</p><!--", "--><hr>"),
    }
)
