"""A class that opens the app at once: does anybody wait for the others, does anything go on when they have gone?

``python -m benchmarks soak``: scripted visitors against a server of their own, on two cores in half an hour.
``make soak SOAK_SECONDS=60 SOAK_ROWS="largest badly"``: only these rows, and the class behaves badly for a minute.
"""

import contextlib
import os
import random
import signal
import statistics
import threading
import time
from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np
from websocket import WebSocketException

from benchmarks.visitors import Phone, Visitor, Watch, children, idle_after, usage
from tests.browser.helpers import FLAGS, Server, settle
from tests.datasets import hostile
from tests.ui import fuzz
from theta_app.ui.store import default_budget

SETS = (
    lambda seed: {"data": "grid", "data_seed": seed},
    lambda seed: {"data": "blobs", "data_per_cluster": 300, "data_seed": seed},
    lambda seed: {"data": "moons", "data_seed": seed},
)
HEADER = (
    "| visitors | first answer, 95 of 100 | complete, 95 of 100 | processor time per visitor | health check, longest "
    "| memory, largest | idle after | ended by SIGTERM in | asked for | |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Soak:
    """What one group of visitors met, in seconds and megabytes; None where it was not to be measured."""

    who: str
    answer: float | None
    complete: float | None
    cpu: float
    health: float
    peak: float
    idle: float | None
    ended: float | None
    asked: str
    missed: tuple[str, ...]

    @property
    def line(self):
        cells = [self.who, _s(self.answer), _s(self.complete), _s(self.cpu), _s(self.health), f"{self.peak:.0f} MB"]
        verdict = "**missed**: " + ", ".join(self.missed) if self.missed else "holds"
        return "| " + " | ".join([*cells, _s(self.idle), _s(self.ended), self.asked, verdict]) + " |"


def _s(value):
    return "–" if value is None else f"{value:.1f} s"


SECONDS = 600.0  # that a class behaves badly
ROWS = {
    "ten": lambda: group("10, different data", 10, first=5.0, most=4.7),
    "25": lambda: group("25, different data", 25, first=20.0),
    "fifty": lambda: group("50, different data", 50, most=35.0),
    "same": lambda: group("50, the same data", 50, same=True, first=8.0),
    "leaving": lambda: group("25, who leave after the first answer", 25, leave=True),
    "hostile": lambda: group("10, with hostile uploads meanwhile", 10, hurt=True),
    "largest": lambda: beside_the_largest(),
    "tabs": lambda: after_tabs_were_closed(),
    "million": lambda: ten_largest_sets(),
    "badly": lambda: behaving_badly(float(os.environ.get("SOAK_SECONDS") or SECONDS)),
    "sessions": lambda: two_hundred_sessions(),
    "phones": lambda: class_on_phones(50),
}


def chosen():
    """Names of the rows to measure: those of the variable SOAK_ROWS, else all."""
    wanted = os.environ.get("SOAK_ROWS", "").split() or list(ROWS)
    if unknown := [name for name in wanted if name not in ROWS]:
        raise SystemExit(f"There is no row {', '.join(unknown)}. Rows: {', '.join(ROWS)}.")
    return wanted


def lines():
    """The rows of the table, one at a time."""
    return (ROWS[name]().line for name in chosen())


def group(who, count, *, same=False, leave=False, hurt=False, first=None, most=None):
    """Visitors who all come in the same moment."""
    server = Server()
    try:
        base = int(time.time()) % 100_000
        Visitor(server.url, urlencode(SETS[0](base))).visit()  # imports
        seeds = [base + 1] * count if same else range(base + 1, base + 1 + count)
        visitors = [Visitor(server.url, urlencode(SETS[0 if same else i % 3](seed))) for i, seed in enumerate(seeds)]
        files, trouble = _hostile_files() if hurt else (), []
        before = usage(server.process.pid)[0]
        with Watch(server) as watch:
            threads = [threading.Thread(target=visitor.visit, kwargs={"leave": leave}) for visitor in visitors]
            threads += [threading.Thread(target=_bring, args=(server.url, files, trouble))] if hurt else []
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        cpu = (usage(server.process.pid)[0] - before) / count
        idle = idle_after(server.process.pid)
        answer, complete = (_high([getattr(v, name) for v in visitors]) for name in ("answered", "completed"))
        ended = _ended(server)
        checks = {
            "uploads": bool(trouble),
            "visitors lost": any(v.trouble or v.answered is None for v in visitors)
            or (not leave and any(v.completed is None for v in visitors)),
            "first answer": first is not None and (answer is None or answer > first),
            "complete": most is not None and (complete is None or complete > most),
            "health": watch.health > 1.0,
            "idle": idle is None or idle > 3.0,
            "SIGTERM": ended is None or ended > 5.0,
            "memory": watch.peak > default_budget() / 2**20 + 600,  # beside the libraries
        }
        asked = ["all served, health ≤ 1 s, idle ≤ 3 s, SIGTERM ≤ 5 s"]
        asked += [f"first answer ≤ {first:g} s"] if first else []
        asked += [f"complete ≤ {most:.1f} s"] if most else []
        missed = tuple(name for name, bad in checks.items() if bad)
        complete = None if leave else complete
        return Soak(who, answer, complete, cpu, watch.health, watch.peak, idle, ended, ", ".join(asked), missed)
    finally:
        server.stop()


LARGEST = {"data": "noise", "data_n": 20_000, "data_dimensions": 1000, "shuffles": 500}
MILLION = {"data": "blobs", "data_clusters": 10, "data_dimensions": 20, "data_per_cluster": 100_000}
CONTAINER = {"THETA_MEMORY_MB": "1000"}
LIMIT = 4096  # megabytes of that container, as docs/deploy.md has it
REST = 1000 + 200  # megabytes three minutes after everybody has left


def beside_the_largest():
    """Two visitors ask for the largest there is, an ordinary one comes; then all leave."""
    server = Server()
    try:
        base = int(time.time()) % 100_000
        Visitor(server.url, urlencode(SETS[0](base))).visit()  # imports
        heavy = [Visitor(server.url, urlencode(LARGEST | {"data_seed": base + i})) for i in range(2)]
        before = usage(server.process.pid)[0]
        with Watch(server) as watch:
            for visitor in heavy:
                visitor.open(600.0)
            time.sleep(20.0)  # their first passes are under way
            ordinary = Visitor(server.url, urlencode(SETS[0](base + 1))).visit()
            for visitor in heavy:
                visitor.close()
            idle = idle_after(server.process.pid)
        spent = usage(server.process.pid)[0] - before
        ended = _ended(server)
        checks = {
            "visitors lost": bool(ordinary.trouble) or ordinary.completed is None,
            "first answer": ordinary.answered is None or ordinary.answered > 10.0,
            "health": watch.health > 1.0,
            "idle": idle is None or idle > 3.0,
            "SIGTERM": ended is None or ended > 5.0,
        }
        asked = "first answer ≤ 10 s, health ≤ 1 s, idle ≤ 3 s, SIGTERM ≤ 5 s"
        missed = tuple(name for name, bad in checks.items() if bad)
        who = "1, while two ask for 20,000 × 1,000 with 500 shuffles"
        seen = ordinary.answered, ordinary.completed
        return Soak(who, *seen, spent, watch.health, watch.peak, idle, ended, asked, missed)
    finally:
        server.stop()


def ten_largest_sets():
    """Ten visitors with a million points of 20 features each, all different, on a server that has just started."""
    server = Server(env=CONTAINER)
    try:
        Visitor(server.url, urlencode(SETS[0](0))).visit()  # imports
        visitors = [Visitor(server.url, urlencode(MILLION | {"data_seed": seed})) for seed in range(10)]
        before = usage(server.process.pid)[0]
        with Watch(server) as watch:
            threads = [threading.Thread(target=v.visit, kwargs={"seconds": 240.0}) for v in visitors]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        cpu = (usage(server.process.pid)[0] - before) / len(visitors)
        idle, left = idle_after(server.process.pid), _settled(server.process.pid, REST - 50, 180.0)
        told = sum(any("no room for so much data" in sentence for sentence in v.sentences) for v in visitors)
        checks = {
            "visitors lost": any(v.answered is None for v in visitors),
            "health": watch.health > 1.0,
            "memory": watch.peak > LIMIT,
            f"{left:.0f} MB afterwards": left > REST,
        }
        who = f"10, a million × 20 each, {told} of them told that there is no room ({left:.0f} MB afterwards)"
        asked = f"all answered, memory ≤ {LIMIT} MB, three minutes later ≤ {REST} MB, health ≤ 1 s"
        missed = tuple(name for name, bad in checks.items() if bad)
        answer = _high([v.answered for v in visitors])
        return Soak(who, answer, None, cpu, watch.health, watch.peak, idle, _ended(server), asked, missed)
    finally:
        server.stop()


class Class:
    """Visitors who behave badly for a while, each in a thread of their own, and some who do not."""

    def __init__(self, server, seconds):
        self.server, self.end = server, time.monotonic() + seconds
        self.answers, self.trouble = [], []

    def run(self):
        kinds = [self.usual, self.usual, self.closing, self.greedy, self.greedy, self.hostile, self.wild, self.killing]
        threads = [threading.Thread(target=self._again, args=(kind, i)) for i, kind in enumerate(kinds)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _again(self, kind, seed):
        rng = random.Random(seed)
        while time.monotonic() < self.end and self.server.process.poll() is None:
            kind(rng)

    def usual(self, rng):
        """An ordinary visitor, who must be served."""
        visitor = Visitor(self.server.url, urlencode(SETS[rng.randrange(3)](rng.randrange(10**6)))).visit()
        self.answers.append(visitor.answered)
        self.trouble += visitor.trouble
        time.sleep(1.0)

    def closing(self, rng):
        """Opens a page or begins a training, and closes the tab in the middle."""
        query, page = (TRAINING, "Paper") if rng.random() < 0.3 else (SETS[0](rng.randrange(10**6)), "")
        self._leave_after(rng.uniform(0.0, 4.0), query, page)

    def greedy(self, rng):
        """The largest settings there are, in any norm."""
        query = rng.choice((LARGEST, MILLION)) | {"data_seed": rng.randrange(100), "norm": rng.choice(("1", "2", "3"))}
        self._leave_after(rng.uniform(2.0, 20.0), query)

    def hostile(self, rng):
        """Files that hurt."""
        _bring(self.server.url, _hostile_files(), self.trouble)

    def wild(self, rng):
        """Links with anything in them."""
        page, query = fuzz.link(np.random.default_rng(rng.randrange(10**9)), 20_000)
        self._leave_after(5.0, query, page)

    def killing(self, rng):
        """Ends processes that the server has started."""
        for pid in children(self.server.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(rng.uniform(5.0, 15.0))

    def _leave_after(self, seconds, query, page=""):
        visitor = Visitor(self.server.url, urlencode(query), page)
        with contextlib.suppress(OSError, WebSocketException):
            visitor.open(seconds)
            visitor.watch()
        visitor.close()
        self.trouble += [trouble for trouble in visitor.trouble if "went wrong" in trouble]


def behaving_badly(seconds, rest=180.0):
    """A class that behaves badly: is everybody else served, does memory come back, is an upload still there?"""
    server = Server(env=CONTAINER)
    try:
        owner = Visitor(server.url, page="Data", cookie=OWNER)
        owner.open(120.0)
        owner.watch()
        owner.upload("mine.csv", OWN_FILE)
        owner.close()
        badly = Class(server, seconds)
        before = usage(server.process.pid)[0]
        with Watch(server) as watch:
            badly.run()
        spent = usage(server.process.pid)[0] - before
        kept = any("mine" in text for text in Visitor(server.url, page="Evidence", cookie=OWNER).visit().texts)
        idle, left = idle_after(server.process.pid), _settled(server.process.pid, REST - 50, rest)
        first = _high(badly.answers)
        checks = {
            "visitors lost": bool(badly.trouble) or None in badly.answers or not badly.answers,
            "the upload": not kept,
            "first answer": first is None or first > 10.0,
            "memory": watch.peak > LIMIT,
            f"{left:.0f} MB afterwards": rest > 0 and left > REST,
            "idle": idle is None or idle > 3.0,
        }
        if badly.trouble:
            print(*badly.trouble, server.log()[-5000:], sep="\n")
        who = f"{len(badly.answers)}, beside a class that behaves badly for {seconds:.0f} s ({left:.0f} MB afterwards)"
        asked = f"all served ≤ 10 s, the upload kept, memory ≤ {LIMIT} MB, later ≤ {REST} MB, idle ≤ 3 s"
        missed = tuple(name for name, bad in checks.items() if bad)
        return Soak(who, first, None, spent, watch.health, watch.peak, idle, _ended(server), asked, missed)
    finally:
        server.stop()


OWNER = "theta_visitor=the-owner-of-an-upload-0001"
OWN_FILE = b"a,b\n" + b"".join(b"%d,%d\n" % (i % 7, i % 5) for i in range(60))
TRAINING = {"o_paper": "deep", "data": "digits", "o_deep_view": "here", "o_deep_epochs": 500}


def after_tabs_were_closed():
    """As many trainings as there are places are begun and their tabs closed: when does the next one train?"""
    server = Server()
    try:
        for seed in range(max(2, CORES)):
            _training(server.url, seed).close()
        before, began = usage(server.process.pid)[0], time.monotonic()
        with Watch(server) as watch:
            next_one = _training(server.url, 99)
            waited = time.monotonic() - began
            next_one.close()
        spent = usage(server.process.pid)[0] - before
        ended = _ended(server)
        missed = ("first answer",) if waited > 30.0 else ()
        asked = "trains ≤ 30 s"
        who = f"1, after {max(2, CORES)} tabs were closed while they trained"
        return Soak(who, waited, None, spent, watch.health, watch.peak, None, ended, asked, missed)
    finally:
        server.stop()


def _training(url, seed):
    """A visitor who has begun a training and looks on until it has a process of its own."""
    visitor = Visitor(url, urlencode(TRAINING | {"shuffle_seed": seed}), page="Paper")
    visitor.open(300.0)
    visitor.watch()
    visitor.click("Train it here")
    while "getting ready" not in visitor.progress and "epoch " not in visitor.progress:
        time.sleep(1.0)
        visitor.look()
    return visitor


def class_on_phones(count):
    """A teacher with a browser leads a room; after every key, how long until each phone knows where the lesson is?"""
    server = Server()
    phones = []
    try:
        with _teacher(server.url) as page:
            page.get_by_test_id("learn-share").click()
            page.get_by_test_id("learn-room-open").click()
            page.locator('[data-testid="learn"]:not([data-room=""])').wait_for()
            code = page.get_by_test_id("learn").get_attribute("data-room")
            page.get_by_test_id("learn-share-close").click()
            phones = [Phone(server.url, code) for _ in range(count)]
            before = usage(server.process.pid)[0]
            with Watch(server) as watch:
                for phone in phones:
                    phone.start()
                _until(lambda: all(phone.seen for phone in phones), page)
                waits = [wait for _ in range(8) for wait in _until_all_know(page, phones)]
            cpu = (usage(server.process.pid)[0] - before) / count
            lost = [phone for phone in phones if phone.trouble]
        for phone in phones:
            phone.leave()
        idle, ended = idle_after(server.process.pid), _ended(server)
        known, longest = _high(waits), None if None in waits else max(waits)
        checks = {
            "phones lost": bool(lost) or None in waits,
            "first answer": known is None or known > 4.0,
            "health": watch.health > 1.0,
            "idle": idle is None or idle > 3.0,
            "SIGTERM": ended is None or ended > 5.0,
        }
        asked = "8 keys, each known to 95 of 100 within 4 s, health ≤ 1 s, idle ≤ 3 s, SIGTERM ≤ 5 s"
        missed = tuple(name for name, bad in checks.items() if bad)
        who = f"{count} phones in a room of Learn"
        return Soak(who, known, longest, cpu, watch.health, watch.peak, idle, ended, asked, missed)
    finally:
        for phone in phones:
            phone.leave()
        server.stop()


@contextlib.contextmanager
def _teacher(url):
    from playwright.sync_api import sync_playwright

    from tests.browser.find_chromium import find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        page.set_default_timeout(120_000)
        page.goto(f"{url}/Learn?o_lesson=chain")
        page.get_by_test_id("learn-share").wait_for()
        settle(page)
        yield page
        browser.close()


def _until(true, page, seconds=120.0):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        page.wait_for_timeout(50)


def _until_all_know(page, phones, seconds=30.0):
    """Press Page down; seconds until each phone knows, None where it does not come to know."""
    old = [phone.seen[-1][1:] if phone.seen else None for phone in phones]
    began = time.monotonic()
    page.keyboard.press("PageDown")
    waits = [None] * len(phones)
    while None in waits and time.monotonic() < began + seconds:
        page.wait_for_timeout(50)
        for at, phone in enumerate(phones):
            news = [when for when, *where in phone.seen if when > began and tuple(where) != old[at]]
            if waits[at] is None and news:
                waits[at] = news[0] - began
    return waits


def two_hundred_sessions():
    """Sessions opened and closed one after the other: what stays behind?"""
    server = Server()
    try:
        for seed in range(20):  # what the store keeps of them is full from here on
            Visitor(server.url, urlencode(SETS[0](seed))).visit()
        before, cpu = usage(server.process.pid)[1], usage(server.process.pid)[0]
        with Watch(server) as watch:
            for i in range(200):
                Visitor(server.url, urlencode(SETS[0](i % 20))).visit()
        spent = (usage(server.process.pid)[0] - cpu) / 200
        idle = idle_after(server.process.pid)
        grown = _settled(server.process.pid, before) - before
        ended = _ended(server)
        asked = "memory back within 50 MB"
        missed = (f"{grown:+.0f} MB",) if grown > 50 else ()
        who = f"200, one after the other ({grown:+.0f} MB afterwards)"
        return Soak(who, None, None, spent, watch.health, watch.peak, idle, ended, asked, missed)
    finally:
        server.stop()


def _settled(pid, near, seconds=150.0):
    """Resident memory once sessions that were left have been forgotten, or after a while."""
    end = time.monotonic() + seconds
    while usage(pid)[1] > near + 50 and time.monotonic() < end:
        time.sleep(1.0)
    return usage(pid)[1]


def _hostile_files():
    """Small files that would become large."""
    return (
        ("attribute.xlsx", hostile.with_long_attribute()),
        ("string.xlsx", hostile.with_long_shared_string()),
        ("zeros.parquet", hostile.parquet_of_zeros()),
        ("zeros.npz", hostile.npz_of_zeros()),
        ("text.csv.gz", hostile.gz_of_text()),
    )


def _bring(url, files, trouble):
    """Upload them one after the other while the others work; each must be refused with a sentence."""
    for name, content in files:
        visitor = Visitor(url, page="Data")
        try:
            visitor.open(120.0)
            visitor.watch()
            visitor.upload(name, content)
        except Exception as error:  # whatever it is, the run goes on and the table says so
            visitor.trouble.append(repr(error))
        finally:
            visitor.close()
        if visitor.trouble or not any("still the one below" in sentence for sentence in visitor.sentences):
            trouble.append(name)


def _high(values):
    """The 95th of 100; None where one is missing."""
    if any(value is None for value in values):
        return None
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def _ended(server):
    began = time.monotonic()
    server.process.terminate()
    try:
        server.process.wait(30)
    except Exception:
        return None
    return time.monotonic() - began
