"""Visitors over WebSocket, as a browser would come, without the browser: many fit on one machine."""

import contextlib
import json
import os
import threading
import time
import urllib.request
import uuid

import websocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class Visitor:
    """One browser tab.

    Attributes
    ----------
    answered, completed : float or None
        Seconds until the page said what it found, and until it was complete.
    trouble : list of str
        Error boxes, exceptions, broken connections.
    sentences : list of str
        Warnings and errors as the page words them.
    texts : list of str
        Whatever else the page says, as HTML and Markdown.
    progress : str
        What stands beside the progress bar that was drawn last.
    """

    def __init__(self, url, query="", page="", cookie=None):
        self.url, self.query, self.page, self.cookie = url, query, page, cookie
        self.answered = self.completed = None
        self.trouble, self.sentences, self.texts, self.widgets, self.progress = [], [], [], {}, ""
        self.session = ""

    def open(self, seconds):
        self.began, self.end = time.monotonic(), time.monotonic() + seconds
        address = self.url.replace("http", "ws") + "/_stcore/stream"
        options = {"timeout": seconds, "subprotocols": ["streamlit"], "origin": self.url, "cookie": self.cookie}
        self.socket = websocket.create_connection(address, **options)
        self._run()

    def visit(self, seconds=180.0, leave=False):
        """Come, wait for the page (or only for its first answer) and go."""
        try:
            self.open(seconds)
            self.watch(leave)
        except (OSError, websocket.WebSocketException) as error:
            self.trouble.append(repr(error)[:120])
        finally:
            self.close()
        return self

    def watch(self, leave=False):
        """Read what the server sends until the page is complete, or until its first answer."""
        for message in self._messages():
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.session = message.new_session.initialize.session_id
            if kind == "delta":
                self._note(message.delta)
            if self.answered is not None and leave:
                return
            done = kind == "script_finished" and message.script_finished in _FINISHED
            if done and (self.page or self.answered is not None):
                self.completed = time.monotonic() - self.began
                return

    def upload(self, name, content):
        """Give a file to the page's uploader and read on until the page has dealt with it."""
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid.uuid4().hex
        asked.file_urls_request.file_names.append(name)
        asked.file_urls_request.session_id = self.session
        self.socket.send_binary(asked.SerializeToString())
        urls = next(m for m in self._messages() if m.WhichOneof("type") == "file_urls_response").file_urls_response
        place = urls.file_urls[0]
        self._put(place.upload_url, name, content)
        state = BackMsg()
        self._client(state.rerun_script)
        widget = state.rerun_script.widget_states.widgets.add()
        widget.id = self.widgets["file_uploader"]
        info = widget.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(content), place.file_id
        info.file_urls.CopyFrom(place)
        self.sentences = []
        self.socket.send_binary(state.SerializeToString())
        self.watch()

    def click(self, label):
        """Press the button of this label, and read on until the page has run."""
        state = BackMsg()
        self._client(state.rerun_script)
        widget = state.rerun_script.widget_states.widgets.add()
        widget.id, widget.trigger_value = self.widgets[label], True
        self.socket.send_binary(state.SerializeToString())
        self.watch()

    def made(self, label):
        """Have the file of a download button made; its address."""
        asked = BackMsg()
        request = asked.backend_operation_request
        request.request_id, request.session_id = uuid.uuid4().hex, self.session
        request.deferred_file.file_id = self.widgets[label]
        self.socket.send_binary(asked.SerializeToString())
        answer = next(m for m in self._messages() if m.WhichOneof("type") == "backend_operation_response")
        return self.url + answer.backend_operation_response.deferred_file.url

    def look(self):
        """Have the page run again, as a browser does by its clock where the page watches something."""
        self.progress = ""
        self._run()
        self.watch()

    def close(self):
        with contextlib.suppress(Exception):
            self.socket.close()

    def _run(self):
        message = BackMsg()
        self._client(message.rerun_script)
        self.socket.send_binary(message.SerializeToString())

    def _client(self, state):
        state.query_string, state.page_name = self.query, self.page

    def _messages(self):
        while time.monotonic() < self.end:
            self.socket.settimeout(max(self.end - time.monotonic(), 0.05))
            kind, frame = self.socket.recv_data_frame(control_frame=True)  # or a server's pings would wait on for ever
            if kind == websocket.ABNF.OPCODE_BINARY:
                message = ForwardMsg()
                message.ParseFromString(frame.data)
                yield message
            elif kind == websocket.ABNF.OPCODE_CLOSE:
                self.trouble.append("the server has closed the connection")
                return
        self.trouble.append("it took too long")

    def _note(self, delta):
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "html" and 'data-testid="findings"' in element.html.body and self.answered is None:
            self.answered = time.monotonic() - self.began
        if kind == "exception":
            self.trouble.append(element.exception.message)
        if kind == "alert":
            self.sentences.append(element.alert.body)
            if "went wrong" in element.alert.body:
                self.trouble.append(element.alert.body)
        if kind == "file_uploader":
            self.widgets["file_uploader"] = element.file_uploader.id
        if kind == "download_button":
            self.widgets[element.download_button.label] = element.download_button.deferred_file_id
        if kind in ("html", "markdown"):
            self.texts.append(getattr(element, kind).body)
        if kind == "button":
            self.widgets[element.button.label] = element.button.id
        if kind == "progress":
            self.progress = element.progress.text

    def _put(self, url, name, content):
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        request = urllib.request.Request(self.url + url, body, method="PUT")
        request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        cookie = urllib.request.urlopen(f"{self.url}/_stcore/health").headers["Set-Cookie"].split(";")[0]
        request.add_header("Cookie", cookie)  # the server asks for its token twice, so that no other page can upload
        request.add_header("X-Xsrftoken", cookie.split("=", 1)[1])
        urllib.request.urlopen(request, timeout=60).read()


_STEPS = ("step", "epsilon")  # of a place: what a phone follows without loading the story again


class Phone(Visitor):
    """A phone in a room of Learn: it asks as often as the page tells it to, and loads a story when that changes.

    Attributes
    ----------
    seen : list of (float, str, int)
        When it saw which story and which step of it.
    """

    def __init__(self, url, code):
        super().__init__(url, f"o_room={code}", "Learn")
        self.seen, self.lesson = [], None
        self._polls, self._stop = {}, threading.Event()

    def start(self, seconds=300.0):
        self.open(seconds)
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._ask, daemon=True).start()

    def leave(self):
        self._stop.set()
        self.close()

    def _listen(self):
        with contextlib.suppress(OSError, websocket.WebSocketException):
            for message in self._messages():
                kind = message.WhichOneof("type")
                if kind == "auto_rerun":
                    self._polls[message.auto_rerun.fragment_id] = message.auto_rerun.interval
                elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                    self._note(message.delta)
                    self._look(message.delta)

    def _look(self, delta):
        element = delta.new_element
        if element.WhichOneof("type") != "bidi_component":
            return
        component = element.bidi_component
        if component.component_name == "theta_learn":
            self.lesson = delta.fragment_id
        if component.component_name == "theta_learn_channel" and (place := json.loads(component.json).get("place")):
            before = self.seen[-1][1] if self.seen else None
            story = json.dumps({k: v for k, v in place["options"].items() if k not in _STEPS}, sort_keys=True)
            self.seen.append((time.monotonic(), story, place["at"]))
            if story != before and self.lesson:
                self._rerun(self.lesson)

    def _ask(self):
        while not self._stop.wait(min(self._polls.values(), default=1.0)):
            for fragment in list(self._polls):
                with contextlib.suppress(OSError, websocket.WebSocketException):
                    self._rerun(fragment)

    def _rerun(self, fragment):
        message = BackMsg()
        self._client(message.rerun_script)
        message.rerun_script.fragment_id = fragment
        self.socket.send_binary(message.SerializeToString())


def usage(pid):
    """(processor seconds, resident megabytes) of a process."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{pid}/status") as file:
        resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), resident / 1024


def children(pid):
    """Processes that a process has started."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                yield from map(int, file.read().split())


class Watch:
    """How the server does meanwhile: longest wait for its health check, largest memory."""

    def __init__(self, server):
        self.server, self.health, self.peak = server, 0.0, 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _look(self):
        while not self._stop.wait(0.25):
            began = time.monotonic()
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.server.url}/_stcore/health", timeout=60).read()
            self.health = max(self.health, time.monotonic() - began)
            self.peak = max(self.peak, usage(self.server.process.pid)[1])


def idle_after(pid, most=60.0):
    """Seconds until a process uses less than a seventh of a core; None if it goes on."""
    began = time.monotonic()
    while time.monotonic() - began < most:
        before = usage(pid)[0]
        time.sleep(0.7)
        if usage(pid)[0] - before < 0.1:
            return max(time.monotonic() - began - 0.7, 0.0)
    return None
