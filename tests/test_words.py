"""Words and sentences that people stumbled over, and that must not come back where people read."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# What must not be said: what is said instead.
GONE = {
    r"stragglers?|strays?|crumbs?": "outliers, outlier groups",
    r"rivals?": "alternative",
    r"clusters stand": "keep all clusters",
    r"take it away": "Export",
    r"a link to this": "Share link",
    r"a second file gets": "Apply these clusters to another file",
    r"runs on other orders agree": "reordering the rows gives the same result",
    r"what is in a cluster": "What's in each cluster?",
    r"the others are told": "other methods use K = 4",
    r"values are there": "all values computed",
    r"up to [\d,]+ are tried": "tested up to",
    r"times as strong as chance": "× stronger than expected by chance",
    r"would not be true here": "circles are hidden: this projection distorts distances",
    r"apart, 0 touching": "1 = well separated, 0 = overlapping",
    r"second witness": "cluster sizes support this",
    r"the stronger the better": "darker bands score higher",
    r"puts it in use": "applies it",
    r"nothing learnt anew": "without refitting",
    r"another value in every row": "every value is unique",
    r"which of the paper's claims hold": "the paper's claims, checked",
    r"more where the answer moved": "more shuffles where results varied",
    r"rows are no pictures": "rows are not images",
    r"opens? a cluster": "starts a new cluster",
    r"founds a(?: new)? cluster|were founded": "starts a cluster",
    r"finds the same again": "reproduces this result",
    r"has been started anew": "has restarted",
    r"what was done (?:is|stays|until then)": "finished work is kept; results so far are shown",
    r"computes? meanwhile|shown meanwhile": "does the work for now; is shown instead",
    r"all told k|told the true k": "given K",
    r"than chance gives": "than expected by chance",
    r"broke off": "failed, was interrupted",
    r"parts (?:clusters|them|clouds)|can part": "separates, splits",
    r"deserves? a look": "worth a look",
    r"what is alike": "similar things",
    r"though one sees": "though you can see",
    r"not so: you": "not quite: you",
    r"of the 1 other": "this order also gave",
    r"one of the best starts": "the best of 20 random starts",
    r"labels drawn at random": "random labels",
    r"takes neighbours for one": "merges neighbouring clusters",
    r"hangs together": "everything linked together",
    r"neither likes": "both struggle",
    r"how much room is there": "which values work",
    r"the others are heard": "compare with the density clusterings",
    r"a chip off": "unbalanced splits need wider ranges",
    r"too many to be any": "too many to be meaningful",
    r"nobody would answer": "the event loop would starve",
    r"a courtesy": "best effort",
    r"it need not be told": "no update is sent",
    r"who is near whom": "neighbour graph",
    r"manifold": "neighbour map",
}
_GONE = re.compile("|".join(rf"\b(?:{words})\b" for words in GONE), re.IGNORECASE)


def found(text: str) -> list[str]:
    """What must not be said in a text; names of code, in backticks, are no words."""
    plain = re.sub(r"`[^`\n]+`", "", text)
    return [hit.lower() for hit in _GONE.findall(re.sub(r"\s+", " ", plain))]


def strings(path: Path) -> str:
    """The docstrings and other strings of a Python file, an f-string without its values. One word alone is a key."""
    values = (getattr(node, "value", None) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return "\n\n".join(value for value in values if isinstance(value, str) and " " in value.strip())


def quoted(path: Path) -> str:
    """The strings of a JavaScript file."""
    text = re.sub(r"^\s*(//|\*|/\*).*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "\n\n".join(re.findall(r'"[^"\n]*"|`[^`]*`', text)).replace("`", "")


def cells(path: Path) -> str:
    """The sentences of a notebook."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in found if cell["cell_type"] == "markdown")


def unreleased() -> str:
    """What CHANGELOG says of the next version."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]


def faults(files, words) -> dict[str, list[str]]:
    """The files that say what must not be said, and what."""
    said = {str(path.relative_to(ROOT)): found(words(path)) for path in files}
    return {path: hits for path, hits in said.items() if hits}


def as_text(path: Path) -> str:
    """A file of text as it is."""
    return path.read_text(encoding="utf-8")


def test_strings_and_docstrings():
    assert not faults([ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("theta_app/**/*.py")], strings)


def test_strings_of_the_browser():
    assert not faults(ROOT.glob("theta_app/**/*.js"), quoted)


def test_documents():
    assert not faults([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")], as_text)
    assert not faults(ROOT.glob("docs/**/*.ipynb"), cells)


def test_what_is_new():
    assert found(unreleased()) == []


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("Five stragglers\nand a rival.", ["stragglers", "rival"]),
        ("Whatever hangs\n  together.", ["hangs together"]),
        ("`strays_` is `outliers_` now; an arrival, in astray.", []),
        ("Everything K up to 2,000 are tried", ["up to 2,000 are tried"]),
    ],
)
def test_a_word_is_found_and_a_name_is_not(text, hits):
    assert found(text) == hits


def test_every_kind_of_file_is_read(tmp_path):
    (tmp_path / "a.py").write_text('"""A stray."""\nx = f"a rival {x} of"  # crumbs\ny = "stray"\n')
    (tmp_path / "a.js").write_text('// a rival\nconst x = "crumbs"; const y = `a ${x} stray`;\n')
    assert found(strings(tmp_path / "a.py")) == ["stray", "rival"]
    assert found(quoted(tmp_path / "a.js")) == ["crumbs", "stray"]
