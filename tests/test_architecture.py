"""Imports go one way, and only the pages and theta_app/ui know Streamlit."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "theta_app"

# From the ground up. A part imports from layers below its own, and inside its layer as long as nothing goes in circles.
LAYERS = (
    {"engine", "workers"},
    {"datasets", "metrics"},
    {"selection"},
    {"clustering", "marks"},
    {"deep"},
    {"estimators", "compare", "distributed"},
    {"figures", "lessons", "report"},
    {"ui"},
    {"pages", "command", "widget"},
)
MODELS = 5  # where any other module of the package belongs: it computes, and knows neither figures nor pages
EVERY_FILE = sorted([*PACKAGE.rglob("*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"])


def part_of(path: Path) -> str:
    """engine, datasets, ..., pages; the package's own __init__ is "theta_app"."""
    relative = path.relative_to(ROOT).parts
    if relative[0] != "theta_app":
        return "pages"
    part = relative[1].removesuffix(".py")
    return "theta_app" if part == "__init__" else part


def imported(path: Path) -> set[str]:
    """Full names of every module and name a file imports, wherever in the file it does."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def layer(part: str) -> int:
    return next((i for i, parts in enumerate(LAYERS) if part in parts), MODELS)


ALLOWED = {PACKAGE / "selection" / "plotting.py": {"figures"}}
"""Imports against the way: `.plot()` of a result is its figure, imported when it is called and in this file alone."""


def parts_imported(path: Path) -> set[str]:
    """The other parts of the package a file imports."""
    known = {part_of(file) for file in EVERY_FILE}
    names = {name.split(".")[1] for name in imported(path) if name.startswith("theta_app.")}
    return (names & known) - {part_of(path)} - ALLOWED.get(path, set())


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path):
    part = part_of(path)
    if part == "theta_app":  # what `from theta_app import TDG` needs, and no more
        assert parts_imported(path) <= {"estimators", "engine", "clustering", "files"}
        return
    upward = {other for other in parts_imported(path) if layer(other) > layer(part)}
    assert not upward, f"{part} must not import {sorted(upward)}"


def test_nothing_goes_in_circles():
    needs: dict[str, set[str]] = {}
    for path in EVERY_FILE:
        needs.setdefault(part_of(path), set()).update(parts_imported(path))
    while needs:
        free = [part for part, others in needs.items() if not others & set(needs)]
        assert free, f"these import each other: {sorted(needs)}"
        for part in free:
            del needs[part]


DRAWN = sorted([*(PACKAGE / "figures").rglob("*.py"), *(PACKAGE / "ui" / "pages").rglob("*.py")])


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_figures_and_pages_do_not_compute(path):
    """What they show comes from selection and compare: so that another page shows the same."""
    found = {name for name in imported(path) if name.split(".")[0] in ("sklearn", "numba", "scipy")}
    found |= {name for name in imported(path) if name.startswith("theta_app.engine")}
    assert not found


def page_of(path: Path) -> str:
    """explore, learn, ...: the page that a module under ui/pages belongs to."""
    return path.relative_to(PACKAGE / "ui" / "pages").parts[0].removesuffix(".py")


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "ui" / "pages").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT))
)
def test_pages_do_not_import_each_other(path):
    others = {name.split(".")[3] for name in imported(path) if name.startswith("theta_app.ui.pages.")}
    assert others <= {page_of(path)}


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_pages_and_ui_import_streamlit(path):
    if part_of(path) not in ("ui", "pages"):
        assert not {name for name in imported(path) if name.split(".")[0] == "streamlit"}


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_distributed_imports_dask(path):
    """It is an extra: nothing else may need it. Others import `theta_app.distributed` inside a function."""
    if part_of(path) != "distributed":
        assert not {name for name in imported(path) if name.split(".")[0] in ("dask", "distributed")}


def test_results_are_computed_without_plotly():
    code = "import sys, theta_app.clustering, theta_app.estimators, theta_app.files, theta_app.report\n"
    code += "assert not {'plotly', 'streamlit'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_nothing_imports_dask_unless_it_is_asked_for():
    code = "import sys, theta_app, theta_app.selection, theta_app.estimators, theta_app.datasets\n"
    code += "assert not {'dask', 'distributed'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_an_import_that_points_upwards_is_found(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f():\n    from theta_app.ui import session\n")
    assert imported(wrong) == {"theta_app.ui.session"}
