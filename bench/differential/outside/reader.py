"""Answers each request with every string that the library of Python hands to a handler.

    python3 reader.py by-hand|flask|django PORT
"""
import cgi
import io
import json
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, unquote, unquote_plus, urlsplit

sys.setrecursionlimit(5000)


class Seen(list):
    def see(self, where, value):
        if isinstance(value, str):
            self.append([where, value])
        elif isinstance(value, bytes):
            self.append([where, value.decode('utf-8', 'replace')])
        elif isinstance(value, dict):
            for name, inner in value.items():
                self.see(where + ' name', name)
                self.see(where, inner)
        elif isinstance(value, (list, tuple)):
            for inner in value:
                self.see(where, inner)

    def attempt(self, where, call):
        try:
            self.see(where, call())
        except Exception:
            pass

    def text(self, body):
        self.see('raw', body)
        self.attempt('raw json', lambda: json.loads(body))
        # Who looks for names that come twice sees all of them.
        self.attempt('raw json', lambda: json.loads(body, object_pairs_hook=list))
        self.attempt('raw json', lambda: json.loads(body.decode('utf-8', 'replace')))

    def written(self):
        return json.dumps(self).encode()


class ByHand(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    # Head and body are two writes: the second would wait for the client's acknowledgement.
    disable_nagle_algorithm = True

    def answer(self):
        seen = Seen()
        body = self.rfile.read(int(self.headers.get('content-length') or 0))
        seen.see('method', self.command)
        seen.see('url', self.path)
        parts = urlsplit(self.path)
        for segment in unquote(parts.path).split('/'):
            seen.see('url', segment)
        seen.attempt('query', lambda: parse_qs(parts.query, keep_blank_values=True))
        for name, value in self.headers.items():
            seen.see('header name', name.lower())
            seen.see('header ' + name.lower(), value)
        seen.attempt('cookie', lambda: {
            name: morsel.value for name, morsel in SimpleCookie(self.headers['cookie'] or '').items()
        })
        self.read_body(seen, body)
        written = seen.written()
        self.send_response(200)
        self.send_header('content-length', str(len(written)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(written)

    def read_body(self, seen, body):
        kind = (self.headers.get('content-type') or '').lower()
        if not kind.startswith('multipart/'):
            seen.text(body)
        if kind.startswith('application/x-www-form-urlencoded'):
            seen.attempt('body', lambda: parse_qsl(body.decode('utf-8', 'replace'), True))
            return
        if not kind.startswith('multipart/form-data'):
            return
        environ = {
            'REQUEST_METHOD': 'POST',
            'CONTENT_TYPE': self.headers.get('content-type'),
            'CONTENT_LENGTH': str(len(body)),
        }
        try:
            form = cgi.FieldStorage(io.BytesIO(body), environ=environ, keep_blank_values=True)
            parts = form.list or []
        except Exception:
            return
        for part in parts:
            seen.see('body name', part.name or '')
            seen.see('filename', part.filename or '')
            seen.see('file type', part.type if 'content-type' in part.headers else '')
            seen.see('file' if part.filename else 'body', part.value)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = answer

    def log_message(self, *_):
        pass


def see_headers(seen, environ):
    for key, value in environ.items():
        if key.startswith('HTTP_'):
            seen.see('header ' + key[5:].lower().replace('_', '-'), value)
    seen.see('header content-type', environ.get('CONTENT_TYPE', ''))


def flask_app():
    from flask import Flask, request

    app = Flask('reader')

    @app.route('/p/<one>', methods=METHODS)
    @app.route('/', defaults={'one': ''}, methods=METHODS)
    @app.route('/<path:one>', methods=METHODS)
    def answer(one):
        seen = Seen()
        seen.see('method', request.method)
        seen.see('params', one.split('/'))
        seen.see('url', request.environ.get('RAW_URI', ''))
        seen.see('query', request.args.to_dict(flat=False))
        see_headers(seen, request.environ)
        seen.see('cookie', request.cookies.to_dict(flat=False))
        if not (request.mimetype or '').startswith(('multipart/', 'application/x-www-form')):
            seen.text(request.get_data(cache=True))
            seen.attempt('body', lambda: request.get_json(force=True, silent=True))
        seen.see('body', request.form.to_dict(flat=False))
        for name, files in request.files.lists():
            seen.see('body name', name)
            for file in files:
                seen.see('filename', file.filename)
                seen.see('file type', file.content_type)
                seen.see('file', file.read())
        return seen.written(), 200, {'content-type': 'application/json'}

    return app


METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']


def django_app():
    import django
    from django.conf import settings
    from django.core.handlers.wsgi import WSGIHandler
    from django.http import HttpResponse
    from django.urls import re_path

    def answer(request):
        seen = Seen()
        seen.see('method', request.method)
        seen.see('url', request.get_full_path())
        seen.see('url', request.path_info.split('/'))
        seen.attempt('query', lambda: {k: v for k, v in request.GET.lists()})
        see_headers(seen, request.META)
        seen.attempt('cookie', lambda: dict(request.COOKIES))
        if not request.content_type.startswith('multipart/'):
            seen.text(request.body)
        seen.attempt('body', lambda: {k: v for k, v in request.POST.lists()})
        try:
            files = list(request.FILES.lists())
        except Exception:
            files = []
        for name, uploads in files:
            seen.see('body name', name)
            for file in uploads:
                seen.see('filename', file.name)
                seen.see('file type', file.content_type)
                seen.see('file', file.read())
        return HttpResponse(seen.written(), content_type='application/json')

    settings.configure(
        ALLOWED_HOSTS=['*'], ROOT_URLCONF=sys.modules[__name__], SECRET_KEY='reader',
        MIDDLEWARE=[], LOGGING_CONFIG=None, DEBUG=False,
    )
    sys.modules[__name__].urlpatterns = [re_path('', answer)]
    django.setup()
    return WSGIHandler()


def serve_wsgi(app, port):
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        protocol_version = 'HTTP/1.1'

        def log(self, *_):
            pass

    make_server('127.0.0.1', port, app, threaded=True, request_handler=Quiet).serve_forever()


def main():
    kind, port = sys.argv[1], int(sys.argv[2])
    if kind == 'by-hand':
        ThreadingHTTPServer(('127.0.0.1', port), ByHand).serve_forever()
    serve_wsgi(flask_app() if kind == 'flask' else django_app(), port)


main()
