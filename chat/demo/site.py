"""Serves the sample pages from a thread of this process."""

from __future__ import annotations

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

PAGES = Path(__file__).resolve().parent / "pages"
STARS = [
    {"name": "Sirius", "magnitude": -1.46, "distance_ly": 8.6},
    {"name": "Vega", "magnitude": 0.03, "distance_ly": 25.0},
    {"name": "Castor", "magnitude": 1.58, "distance_ly": 51.0},
]


class SampleHandler(BaseHTTPRequestHandler):
    """Answers with the sample pages, a JSON document, a redirect and an error; writes no log."""

    server_version = "SampleSite"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/stars.json":
            self._answer(HTTPStatus.OK, "application/json", json.dumps(STARS).encode())
        elif path == "/old":
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", "/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self._page(path)

    def _page(self, path: str) -> None:
        name = "index" if path == "/" else path.removeprefix("/").removesuffix(".html")
        pages = {page.stem: page for page in PAGES.glob("*.html")}
        if name in pages:
            self._answer(HTTPStatus.OK, "text/html; charset=utf-8", pages[name].read_bytes())
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", b"The sample site has no such page.\n")

    def _answer(self, status: HTTPStatus, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Stay silent: the site is scenery."""


def start(port: int = 0) -> ThreadingHTTPServer:
    """Serve on 127.0.0.1 from a daemon thread; port 0 takes a free one. Close the server it returns to end it."""
    server = ThreadingHTTPServer(("127.0.0.1", port), SampleHandler)
    Thread(target=server.serve_forever, name="sample-site", daemon=True).start()
    return server
