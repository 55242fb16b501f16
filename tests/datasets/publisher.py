"""A server on this machine that publishes files, well or badly."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Answers as the server is told to behave."""

    def do_GET(self):
        file = self.path.rsplit("/", 1)[-1]
        self.server.asked.append(file)
        behaviour = self.server.behaviour
        if isinstance(behaviour, int):
            self.send_error(behaviour)
            return
        data = self.server.content(file)
        if behaviour == "wrong":
            data = b"<html><body>We moved!</body></html>"
        elif behaviour == "swapped":
            data = data.replace(b"1", b"2", 1)
        elif behaviour == "half":
            data = data[: len(data) // 2]
        if behaviour == "drips headers":
            self.drip(b"HTTP/1.0 200 OK\r\nX-Long: " + b"x" * 100_000)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if behaviour == "drips":
            self.drip(data)
            return
        if behaviour in ("truncated", "stalled"):
            self.wfile.write(data[:1000])
            self.wfile.flush()
            if behaviour == "stalled":
                self.server.release.wait(30)
            return
        self.wfile.write(data)

    def drip(self, data):
        """A byte at a time: never silent for long, and never done."""
        with contextlib.suppress(OSError):  # whoever asked has left
            for byte in data:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                if self.server.release.wait(0.02):
                    return
        self.server.left.set()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def publisher(content):
    """A server for the files that ``content(name)`` gives as bytes.

    Its ``behaviour`` is "good" unless a test sets "wrong", "swapped", "half", "truncated", "stalled", "drips",
    "drips headers" or a status code; ``asked`` lists the files it was asked for; ``left`` is set when somebody hangs
    up on a drip; ``url`` is where it is.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.content, server.behaviour, server.asked, server.release = content, "good", [], threading.Event()
    server.daemon_threads, server.left = True, threading.Event()
    server.url = f"http://127.0.0.1:{server.server_address[1]}/sipu/datasets/"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.release.set()
        server.shutdown()
        server.server_close()
