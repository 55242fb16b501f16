"""Is what was measured still true? Every stored value carries a digest of the code and settings it rests on.

A digest is of every definition that the code named reaches, in whatever module, without comments, docstrings, sentences
and annotations (`source`): a rewording makes nothing stale, nor does a page. Code is named as ``theta_app.metrics`` (a
module), ``theta_app.compare.methods:_birch`` (one name in it) or ``weights.json`` by its path.

Figures in documents stand under a comment ``<!-- rests on: NAME DIGEST -->``; a dash for a digest that was not kept.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from theta_app.compare import METHODS
from theta_app.compare.steps import Step
from theta_app.paper.experiments import EXPERIMENTS, Experiment
from theta_app.paper.results import Results
from theta_app.paper.source import Sources
from theta_app.paper.studies import STUDIES, Study, StudyResults

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("README.md", "docs/*.md", "benchmarks/*.md")
_MARK = re.compile(r"<!-- rests on: ([\w-]+) (\S+) -->")
_NO_RESULT = (
    *(f"theta_app.engine.{name}" for name in ("ahead", "compiled", "files", "stopping", "validation")),
    *(f"theta_app.{name}" for name in ("figures", "paper.results", "paper.fresh", "selection.plotting")),
    "theta_app.selection.wording",
    "theta_app.ui.widgets.words",
    # tables of what there is, in words: what is used of them is named beside
    "theta_app.compare.methods:METHODS",
    "theta_app.metrics:SCORES",
    "theta_app.compare.measure:_kept",  # only in "s-sets", which names it
)
_QUALITY = "benchmarks.quality.sets", "benchmarks.quality.methods"
_VERDICT = (
    *(f"theta_app.selection:{name}" for name in ("verdict", "suggest", "recommend")),
    "theta_app/selection/weights.json",
    "theta_app.compare.start",
)
TRAINED = (
    *(f"theta_app.deep.{name}" for name in ("training", "network", "starts")),
    "theta_app.paper.deep:_Seed",
)
"""What deep runs rest on."""
_EXTRA = {
    "s-sets": ("theta_app.selection:size_elbow", "theta_app.selection:keep_largest"),
    "shapes": ("theta_app.paper.tuning:tries", "theta_app.paper.tuning:best_parameters"),
    "shapes-untuned": ("theta_app.paper.tuning:opening_parameters", *_VERDICT),
}


@dataclass(frozen=True)
class Measured:
    """Something that is measured as a whole: what it rests on, and the command that measures it again."""

    name: str
    code: tuple[str, ...]
    command: str

    @property
    def digest(self) -> str:
        """The digest of the code that the value rests on."""
        return digest(self.code)


def _of(names: Iterable[str], command: str, *code: str) -> dict[str, Measured]:
    return {name: Measured(name, code, command.format(name)) for name in names}


WHOLE = {
    **_of(("deep-10k", "deep-70k", "deep-short"), "python -m theta_app.paper {} --fresh", *TRAINED),
    **_of(("mnist-maps",), "make mnist", *_VERDICT, "theta_app.estimators", "benchmarks.mnist"),
    **_of(("quality",), "make quality", *_VERDICT, "theta_app.estimators", *_QUALITY),
    **_of(("bench-engine",), "make bench", "theta_app.estimators", "benchmarks.engine"),
    **_of(("bench-distributed",), "make bench", "benchmarks.distributed"),
    **_of(("bench-ui",), "make bench", "theta_app.ui.sweeps", "theta_app.ui.jobs", "benchmarks.ui"),
    **_of(("bench-soak",), "make soak", "theta_app.ui.sweeps", "theta_app.ui.jobs", "benchmarks.soak"),
}
"""What is stored or written down as a whole, by name; experiments carry a digest per row instead."""


# ---- digests --------------------------------------------------------------------------------------------------------


def digest(code: Iterable[str], settings: object = ()) -> str:
    """Eight letters that change when the code named, or the settings (anything with a stable ``repr``), do."""
    return hashlib.sha256(repr((_code_digest(ROOT, tuple(code)), settings)).encode()).hexdigest()[:8]


@lru_cache(maxsize=256)  # a program does not change while it runs
def _code_digest(root: Path, code: tuple[str, ...]) -> str:
    files = {name for name in code if name.endswith(".json")}
    parts = _sources(root).reached(sorted(set(code) - files)) | {name: _content(root / name) for name in files}
    return hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()


@lru_cache(maxsize=8)
def _sources(root: Path) -> Sources:
    return Sources(root, ("theta_app", "benchmarks"), _NO_RESULT)


def _content(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def step_digest(experiment: Experiment, step: Step) -> str:
    """Of a row of an experiment: the code of all its methods, so that all rows of a table are of one age."""
    settings = (step.data, step.repeat, step.variant.method, step.variant.parameters, step.variant.keep, step.shuffle)
    return digest(_code_of(experiment), settings)


def _code_of(experiment: Experiment) -> tuple[str, ...]:
    methods = {variant.method for case in experiment.cases for variant in case.variants}
    functions = {_named(METHODS[method].function) for method in methods}
    data = {_named(type(case.spec)) for case in experiment.cases}
    return (
        *sorted(functions | data),
        "theta_app.metrics",
        "theta_app.compare.measure:_timed",
        *_EXTRA.get(experiment.key, ()),
    )


def _named(thing: Any) -> str:
    """A class or function by its name; what it was made by, where it is a closure."""
    return f"{thing.__module__}:{thing.__qualname__.split('.')[0]}"


def study_digest(study: Study) -> str:
    """Of the rows of a study, each of which says its place itself."""
    return digest([_named(study.measure)], study.places)


# ---- what is stale --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stale:
    """Something that rests on code or settings which have changed since."""

    name: str  # of an experiment, or of `WHOLE`
    where: str  # the stored table, or the document and line
    values: str  # how much of it, in words
    command: str  # what measures it again


def stale_rows(experiment: Experiment, results: Results) -> list[tuple[str, int, str]]:
    """Rows of stored `Results` that are not as today's code and settings would measure them, as places."""
    today = {step.place: step_digest(experiment, step) for step in experiment.steps()}
    places = ((row, (row["case"], row["repeat"], row["label"])) for row in results.rows)
    return [place for row, place in places if row.get("rests_on") != today.get(place)]


def stale_places(study: Study, found: StudyResults) -> list[dict]:
    """Places of a study whose stored row is missing, or not as today's code would measure it."""
    today = study_digest(study)
    return [place for place in study.places if (found.at(place) or {}).get("rests_on") != today]


def is_stale(name: str, rests_on: str) -> bool:
    """Whether something of `WHOLE` that was stored with this digest is stale."""
    return rests_on != WHOLE[name].digest


def stale_tables() -> list[Stale]:
    """A `Stale` per stored table that is not fresh, or not complete."""
    from theta_app.paper import deep_results, maps, quality, results, studies

    found = []
    for key, experiment in EXPERIMENTS.items():
        stored = results.stored(key)
        planned = experiment.steps()
        old, missing = len(stale_rows(experiment, stored)), len({s.place for s in planned} - stored.places())
        if old or missing:
            words = f"{old} of {len(planned)} rows stale, {missing} missing"
            found.append(Stale(key, f"stored/{key}.json", words, f"python -m theta_app.paper {key}"))
    for key, study in STUDIES.items():
        if count := len(stale_places(study, studies.stored(key))):
            words = f"{count} of {len(study.places)} rows stale or missing"
            found.append(Stale(key, f"stored/{key}.json", words, f"python -m theta_app.paper {key}"))
    whole: dict[str, Any] = {key: deep_results.stored(key) for key in ("deep-10k", "deep-70k")}
    whole |= {"mnist-maps": maps.stored(), "quality": quality.stored()}
    for name, stored in whole.items():
        if stored is None or is_stale(name, stored.rests_on):
            found.append(Stale(name, f"stored/{name}.json", "all", WHOLE[name].command))
    return found


def marks(text: str) -> list[tuple[Any, ...]]:
    """Of a document: (line, name, digest) of every figure that comes from a run."""
    return [
        (number, *match.groups()) for number, line in enumerate(text.splitlines(), 1) for match in _MARK.finditer(line)
    ]


def mark(name: str) -> str:
    """The comment that a document carries above figures measured now."""
    return f"<!-- rests on: {name} {_today(name)} -->"


def _today(name: str) -> str:
    if name in WHOLE:
        return WHOLE[name].digest
    if name in STUDIES:
        return study_digest(STUDIES[name])
    experiment = EXPERIMENTS[name]
    return digest(_code_of(experiment), (experiment.cases, experiment.repeats))


def stale_documents(root: Path | None = None) -> list[Stale]:
    """A `Stale` per figure in a document whose digest is not today's."""
    root, found = root or ROOT, []
    for path in sorted(path for pattern in DOCUMENTS for path in root.glob(pattern)):
        for line, name, kept in marks(path.read_text(encoding="utf-8")):
            if kept != _today(name):
                command = WHOLE[name].command if name in WHOLE else f"python -m theta_app.paper {name}"
                found.append(Stale(name, f"{path.relative_to(root)}:{line}", "figures", command))
    return found
