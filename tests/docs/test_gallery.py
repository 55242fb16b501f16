"""The gallery's notebooks run, and their sentences say what their cells print."""

import json
import re

import pytest

from tests.docs import make

MOST = 300_000  # bytes of a notebook with its pictures
EACH = pytest.mark.parametrize("path", make.GALLERY, ids=lambda path: path.stem)


def printed(notebook) -> list[str]:
    """What each output of a notebook says as text."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]


def numbers(text: str) -> set[str]:
    """The numbers in a text, without what is part of a name."""
    return set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w*_)", text.replace(",", "")))


@EACH
def test_it_runs_and_prints_what_is_stored(path):
    import nbformat  # it takes a second

    stored, new = nbformat.read(path, as_version=4), make.run(path)
    assert [cell.source for cell in new.cells] == [cell.source for cell in stored.cells]
    if "NeighbourMap" not in path.read_text(encoding="utf-8"):  # of umap-learn, which may change with its version
        assert printed(new) == printed(stored), "run python docs/make.py --gallery"


@EACH
def test_its_sentences_say_what_its_cells_print(path):
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    said = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    code = " ".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert numbers(said) <= numbers(" ".join(printed(notebook))) | numbers(code)


@EACH
def test_it_is_small_and_was_run(path):
    assert path.stat().st_size < MOST
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    kinds = {kind for cell in cells for output in cell["outputs"] for kind in output.get("data", ())}
    assert kinds <= {"text/plain", "text/html", "image/svg+xml", "image/png"}


def test_there_are_six_cases():
    assert {path.stem for path in make.GALLERY} == {"cells", "customers", "embeddings", "images", "places", "sensors"}
