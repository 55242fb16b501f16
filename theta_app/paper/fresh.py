"""Is what was measured still true? Every stored value carries a digest of the code and settings it rests on.

A digest is of the source without comments, docstrings and annotations (`source`), so that a rewording makes nothing
stale. Code is named as
``theta_app.engine.tdg`` (a module), ``theta_app.compare.methods:_birch`` (one name in it) or ``weights.json`` by its
path; a module of the engine brings along what it imports of the engine.

Figures in documents stand under a comment ``<!-- rests on: NAME DIGEST -->``; a dash for a digest that was not kept.
"""

import ast
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from theta_app.compare import METHODS
from theta_app.paper.experiments import EXPERIMENTS
from theta_app.paper.source import stripped

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "docs/*.md", "benchmarks/*.md")
_MARK = re.compile(r"<!-- rests on: ([\w-]+) (\S+) -->")
_MISSING = "missing"
_NO_RESULT = {f"theta_app.engine.{name}" for name in ("ahead", "compiled", "files", "stopping", "validation")}
_OURS = ("theta_app.engine.algorithms",)
_VERDICT = ("theta_app.selection", "theta_app/selection/weights.json", "theta_app.compare.start")
TRAINED = (
    *_OURS,
    *(f"theta_app.deep.{name}" for name in ("training", "network", "starts")),
    "theta_app.paper.deep:_Seed",
)
"""What deep runs rest on."""
_EXTRA = {
    "s-sets": ("theta_app.selection.sizes",),
    "shapes": ("theta_app.paper.tuning",),
    "shapes-untuned": ("theta_app.paper.tuning", *_VERDICT),
}


@dataclass(frozen=True)
class Measured:
    """Something that is measured as a whole: what it rests on, and the command that measures it again."""

    name: str
    code: tuple[str, ...]
    command: str

    @property
    def digest(self):
        return digest(self.code)


def _of(names, command, *code):
    return {name: Measured(name, code, command.format(name)) for name in names}


WHOLE = {
    **_of(("deep-10k", "deep-70k", "deep-short"), "python -m theta_app.paper {} --fresh", *TRAINED),
    **_of(("mnist-maps",), "make mnist", *_OURS, *_VERDICT, "theta_app.engine.neighbour_map", "benchmarks.mnist"),
    **_of(("quality",), "make quality", *_OURS, *_VERDICT, "benchmarks.quality.sets", "benchmarks.quality.methods"),
    **_of(("bench-engine",), "make bench", *_OURS, "theta_app.selection.sweeping", "benchmarks.engine"),
    **_of(("bench-distributed",), "make bench", *_OURS, "theta_app.distributed", "benchmarks.distributed"),
    **_of(("bench-ui",), "make bench", "theta_app.ui.sweeps", "theta_app.ui.jobs", "benchmarks.ui"),
    **_of(("bench-soak",), "make soak", "theta_app.ui.sweeps", "theta_app.ui.jobs", "benchmarks.soak"),
}
"""What is stored or written down as a whole, by name; experiments carry a digest per row instead."""


# ---- digests --------------------------------------------------------------------------------------------------------


def digest(code, settings=()):
    """Eight letters that change when the code named, or the settings (anything with a stable ``repr``), do."""
    return hashlib.sha256(repr((_code_digest(ROOT, tuple(code)), settings)).encode()).hexdigest()[:8]


@lru_cache(maxsize=256)  # a program does not change while it runs
def _code_digest(root, code):
    parts = {part for name in code for part in _parts(root, name)}
    return hashlib.sha256(repr(sorted(parts)).encode()).hexdigest()


def step_digest(experiment, step):
    """Of a row of an experiment: the code of all its methods, so that all rows of a table are of one age."""
    settings = (step.data, step.repeat, step.variant.method, step.variant.parameters, step.variant.keep, step.shuffle)
    return digest(_code_of(experiment), settings)


def _code_of(experiment):
    methods = {variant.method for case in experiment.cases for variant in case.variants}
    functions = sorted({_function(METHODS[method].function) for method in methods})
    data = ("theta_app.datasets.generated", "theta_app.metrics", "theta_app.compare.measure:_timed")
    return (*_OURS, *data, *functions, *_EXTRA.get(experiment.key, ()))


def _function(function):
    """A method's own code; what it was made by, where it is a closure."""
    name = function.__qualname__.split(".")[0]
    return f"{function.__module__}:{name}"


def _parts(root, name):
    """(name, digest) of a module with what it imports of the engine, of one name in a module, or of a file."""
    if name.endswith(".json"):
        path = root / name
        return [(name, hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else _MISSING)]
    module, _, wanted = name.partition(":")
    if wanted:
        tree = stripped(_file(root, module))
        return [(name, next((_dumped(node) for node in tree.body if getattr(node, "name", "") == wanted), _MISSING))]
    found, todo = {}, [module]
    while todo:
        module = todo.pop()
        if module in found or module in _NO_RESULT:
            continue
        file = _file(root, module)
        tree = stripped(file)
        found[module] = _dumped(tree)
        todo += [other for other in _imports(root, tree) if other.startswith("theta_app.engine.")]
        if file.name == "__init__.py":
            todo += [f"{module}.{path.stem}" for path in file.parent.glob("*.py") if path != file]
    return list(found.items())


def _file(root, module):
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _dumped(node):
    return hashlib.sha256(ast.dump(node).encode()).hexdigest()


def _imports(root, tree):
    """Modules that a source imports by name, packages aside."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return sorted(name for name in found if root.joinpath(*name.split(".")).with_suffix(".py").exists())


# ---- what is stale --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stale:
    """Something that rests on code or settings which have changed since.

    name : str
        Of an experiment, or of `WHOLE`.
    where : str
        The stored table, or the document and line.
    values : str
        How much of it, in words.
    command : str
        What measures it again.
    """

    name: str
    where: str
    values: str
    command: str


def stale_rows(experiment, results):
    """Rows of stored `Results` that are not as today's code and settings would measure them, as places."""
    today = {step.place: step_digest(experiment, step) for step in experiment.steps()}
    places = ((row, (row["case"], row["repeat"], row["label"])) for row in results.rows)
    return [place for row, place in places if row.get("rests_on") != today.get(place)]


def is_stale(name, rests_on):
    """Whether something of `WHOLE` that was stored with this digest is stale."""
    return rests_on != WHOLE[name].digest


def stale_tables():
    """A `Stale` per stored table that is not fresh, or not complete."""
    from theta_app.paper import deep_results, maps, quality, results

    found = []
    for key, experiment in EXPERIMENTS.items():
        stored = results.stored(key)
        planned = experiment.steps()
        old, missing = len(stale_rows(experiment, stored)), len({s.place for s in planned} - stored.places())
        if old or missing:
            words = f"{old} of {len(planned)} rows stale, {missing} missing"
            found.append(Stale(key, f"stored/{key}.json", words, f"python -m theta_app.paper {key}"))
    whole = {key: deep_results.stored(key) for key in ("deep-10k", "deep-70k")}
    whole |= {"mnist-maps": maps.stored(), "quality": quality.stored()}
    for name, stored in whole.items():
        if stored is None or is_stale(name, stored.rests_on):
            found.append(Stale(name, f"stored/{name}.json", "all", WHOLE[name].command))
    return found


def marks(text):
    """Of a document: (line, name, digest) of every figure that comes from a run."""
    return [
        (number, *match.groups()) for number, line in enumerate(text.splitlines(), 1) for match in _MARK.finditer(line)
    ]


def mark(name):
    """The comment that a document carries above figures measured now."""
    return f"<!-- rests on: {name} {_today(name)} -->"


def _today(name):
    if name in WHOLE:
        return WHOLE[name].digest
    experiment = EXPERIMENTS[name]
    return digest(_code_of(experiment), (experiment.cases, experiment.repeats))


def stale_documents(root=None):
    """A `Stale` per figure in a document whose digest is not today's."""
    root, found = root or ROOT, []
    for path in sorted(path for pattern in DOCUMENTS for path in root.glob(pattern)):
        for line, name, kept in marks(path.read_text(encoding="utf-8")):
            if kept != _today(name):
                command = WHOLE[name].command if name in WHOLE else f"python -m theta_app.paper {name}"
                found.append(Stale(name, f"{path.relative_to(root)}:{line}", "figures", command))
    return found
