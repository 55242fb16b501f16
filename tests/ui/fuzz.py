"""Links by the thousand, opened on a running server: python -m tests.ui.fuzz --seconds 600

A link may say anything. Whatever it says, the page comes with its menu, and what it cannot use is a sentence on it; the
server answers the next visitor.
"""

import time
import urllib.request
from urllib.parse import urlencode

import numpy as np

from benchmarks.visitors import Visitor
from tests.browser.helpers import Server
from tests.datasets.fuzz import arguments
from theta_app import datasets
from theta_app.ui.shell import MENU

SECONDS = 60.0  # for one page on a busy machine
PAGES = ["", *(page.file.removeprefix("pages/").removesuffix(".py") for page in MENU[1:])]
FATAL_BEFORE = [  # each of these ended the process or took the page down once
    {"data": "grid", "norm": "1000"},
    {"data": "grid", "norm": "1e308"},
    {"data": "grid", "norm": "150"},
]

_TEXTS = ["", "-1", "0", "1", "2", "1e-320", "1e308", "-1e308", "inf", "-inf", "nan", "1e999", "0x10", "1_000", "٣"]
_TEXTS += [
    "9" * 400,
    "1,2,3",
    "a;=1+1",
    "\\",
    ",",
    ";",
    "+",
    "\x00",
    "\ufeff=1",
    "θ",
    "<b>",
    "None",
    "true",
    "../../etc",
]
_NUMBERS = ("theta", "epsilon", "theta_low", "theta_high", "pinned", "norm")
_CHOICES = {
    "algorithm": ("TDG", "TSG", "TNC", "tdg"),
    "projection": ("pca", "features", "tsne"),
    "scaling": (*datasets.SCALINGS,),
    "missing": ("rows", "median", "zero"),
    "colour_by": ("cluster", "truth", "silhouette", "=x", "=feature 1"),
    "columns": ("x", "y,x", "x,x", "feature 1,feature 2", "x\\"),
    "label": ("x", "label", ""),
    "across": ("x", "feature 2"),
    "up": ("y", "feature 3"),
    "image": ("8x8", "0x0", "99999999x99999999", ""),
    "marks": ("n1:a", "m1+2", "c1:ff0000", "m0+99999999999", "n0:" + "x" * 60),
    "rows": ("0-10", "1", "AAAA", "0-99999999999"),
    "read": ("x", "label,x"),
    "shuffles": ("2", "50", "500", "501", "1"),
    "shuffle_seed": ("0", "2147483647", "2147483648"),
}
_OPTIONS = ("o_finer", "o_selection", "o_colours", "o_keep", "o_inside", "o_others", "o_paper", "o_cmp_source")
_OPTIONS += ("o_cmp_experiment", "o_sets", "o_sets_theta", "o_cmp_methods", "o_kept_view", "o_deep_k", "o_deep_epochs")
_OPTIONS += ("o_lesson",)


def link(rng, largest=20_000):
    """(page, query): a data set of at most about `largest` points, with settings as a link has them or cannot have."""
    query = _data(rng, largest) if rng.random() < 0.95 else {}
    for name in rng.choice(_NUMBERS, int(rng.integers(0, 4)), replace=False):
        query[name] = _number(rng, least=0 if name == "norm" else -30)
    for name in rng.choice([*_CHOICES], int(rng.integers(0, 4)), replace=False):
        query[name] = str(rng.choice(_CHOICES[name])) if rng.random() < 0.8 else str(rng.choice(_TEXTS))
    for name in rng.choice(_OPTIONS, int(rng.integers(0, 3)), replace=False):
        query[name] = str(rng.choice(_TEXTS))
    return str(rng.choice(PAGES)), query


def _data(rng, largest):
    specs = [spec for spec in datasets.CATALOGUE.values() if not isinstance(spec, datasets.Original)]
    spec = specs[int(rng.integers(len(specs)))]
    query = {"data": spec.key}
    if rng.random() < 0.1:
        length = int(rng.integers(0, 60))
        letters = "".join(rng.choice([*"ABCDEFGHIJabcdef0123-_"], length))
        return {"data": "drawn", "data_points": letters[: length // 6 * 6] if rng.random() < 0.8 else letters}
    for parameter in spec.parameters():
        if rng.random() < 0.4:
            high = min(parameter.high, largest // 100) if parameter.kind is int else parameter.high
            value = rng.uniform(parameter.low, max(high, parameter.low))
            wild = rng.random() < 0.2
            query[f"data_{parameter.name}"] = str(rng.choice(_TEXTS)) if wild else repr(parameter.kind(value))
    return query


def _number(rng, least):
    if rng.random() < 0.3:
        return str(rng.choice(_TEXTS))
    return repr(float(10.0 ** rng.uniform(least, 308 if rng.random() < 0.5 else 4)))


def open_link(server, page, query):
    """Open a link as a browser does; AssertionError where the page breaks or the server no longer answers."""
    visitor = Visitor(server.url, urlencode(query), page)
    visitor.visit(SECONDS, leave=True)
    assert server.process.poll() is None, f"the server has ended ({server.process.returncode}): /{page}?{query}"
    assert not visitor.trouble, f"{visitor.trouble} on /{page}?{urlencode(query)}\n{server.log()[-3000:]}"
    answer = urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=30).read()
    assert answer == b"ok", answer


def fuzz(seed, links=None, seconds=None, largest=20_000, fatal_on=PAGES):
    """Open links on one server until their number or the time is reached; the number opened.

    Those that were fatal once are opened first, on the pages `fatal_on`.
    """
    started, opened = time.monotonic(), 0
    server = Server()
    try:
        for query in FATAL_BEFORE:
            for page in fatal_on:
                open_link(server, page, query)
        while (links is None or opened < links) and (seconds is None or time.monotonic() - started < seconds):
            open_link(server, *link(np.random.default_rng([seed, opened]), largest))
            opened += 1
    finally:
        server.stop()
    return opened


if __name__ == "__main__":
    print(
        f"{fuzz(**arguments('Open broken and extreme links on a running server.')):,} links opened, the server is well"
    )
