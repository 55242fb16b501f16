"""Imports go one way, and only the pages and theta_app/ui know Streamlit."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import LONG

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "theta_app"

# From the ground up. A part imports from layers below its own, and inside its layer as long as nothing goes in circles.
LAYERS = (
    {"engine", "workers", "sklearn_internals"},
    {"datasets", "metrics"},
    {"selection"},
    {"clustering", "marks"},
    {"deep"},
    {"estimators", "compare", "paper", "distributed"},
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


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """Full names of every module and name a file imports, wherever in the file it does."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def libraries(path: Path) -> set[str]:
    """The first words of the names that a file imports: numba, streamlit, theta_app, ..."""
    return {name.split(".")[0] for name in imported(path)}


def layer(part: str) -> int:
    return next((i for i, parts in enumerate(LAYERS) if part in parts), MODELS)


KNOWN = {part_of(file) for file in EVERY_FILE}

ALLOWED = {PACKAGE / "selection" / "plotting.py": {"figures"}}
"""Imports against the way: `.plot()` of a result is its figure, imported when it is called and in this file alone."""


def parts_imported(path: Path) -> set[str]:
    """The other parts of the package a file imports."""
    names = {name.split(".")[1] for name in imported(path) if name.startswith("theta_app.")}
    return (names & KNOWN) - {part_of(path)} - ALLOWED.get(path, set())


def faults(files, wrong) -> dict[str, list[str]]:
    """The files of which `wrong` finds something, and what: so that one run of a test names them all."""
    found = {str(path.relative_to(ROOT)): sorted(wrong(path)) for path in files}
    return {path: names for path, names in found.items() if names}


def test_imports_point_one_way():
    def upward(path):
        part = part_of(path)
        if part == "theta_app":  # what `from theta_app import TDG` needs, and no more
            return parts_imported(path) - {"estimators", "engine", "clustering", "files"}
        return {other for other in parts_imported(path) if layer(other) > layer(part)}

    assert not faults(EVERY_FILE, upward)


def test_nothing_goes_in_circles():
    needs: dict[str, set[str]] = {}
    for path in EVERY_FILE:
        needs.setdefault(part_of(path), set()).update(parts_imported(path))
    while needs:
        free = [part for part, others in needs.items() if not others & set(needs)]
        assert free, f"these import each other: {sorted(needs)}"
        for part in free:
            del needs[part]


PAGES = sorted((PACKAGE / "ui" / "pages").rglob("*.py"))


def test_figures_and_pages_do_not_compute():
    """What they show comes from selection and compare: so that another page shows the same."""

    def computing(path):
        engine = {name for name in imported(path) if name.startswith("theta_app.engine")}
        return engine | libraries(path) & {"sklearn", "numba", "scipy"}

    assert not faults([*(PACKAGE / "figures").rglob("*.py"), *PAGES], computing)


def test_pages_do_not_import_each_other():
    def others(path):
        own = path.relative_to(PACKAGE / "ui" / "pages").parts[0].removesuffix(".py")  # explore, learn, ...
        return {name.split(".")[3] for name in imported(path) if name.startswith("theta_app.ui.pages.")} - {own}

    assert not faults(PAGES, others)


def test_only_pages_and_ui_import_streamlit():
    below = [path for path in EVERY_FILE if part_of(path) not in ("ui", "pages")]
    assert not faults(below, lambda path: libraries(path) & {"streamlit"})


def test_only_distributed_imports_dask():
    """It is an extra: nothing else may need it. Others import `theta_app.distributed` inside a function."""
    others = [path for path in EVERY_FILE if part_of(path) != "distributed"]
    assert not faults(others, lambda path: libraries(path) & {"dask", "distributed"})


def test_results_are_computed_without_plotly_streamlit_and_dask():
    parts = "clustering", "datasets", "estimators", "files", "report", "selection"
    code = f"import sys, theta_app, {', '.join(f'theta_app.{part}' for part in parts)}\n"
    code += "print(*{'plotly', 'streamlit', 'dask', 'distributed'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == []


def undocumented(files) -> dict[str, list[str]]:
    """The public functions and methods without a docstring; one that replaces a documented method has that one's."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    classes = {node.name: node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}

    def inherits(owner, name):
        for base in (classes.get(ast.unparse(base).split(".")[-1]) for base in owner.bases):
            own = [one for one in getattr(base, "body", ()) if getattr(one, "name", "") == name]
            if base is not None and (any(map(ast.get_docstring, own)) or inherits(base, name)):
                return True
        return False

    def missing(body, owner=None):
        for node in body:
            if getattr(node, "name", "_").startswith("_"):
                continue
            if isinstance(node, ast.ClassDef):
                yield from (f"{node.name}.{name}" for name in missing(node.body, node))
            elif not ast.get_docstring(node) and not (owner and inherits(owner, node.name)):
                yield node.name

    return faults(files, lambda path: missing(trees[path].body))


def test_public_functions_say_what_they_return():
    assert not undocumented([*PACKAGE.rglob("*.py")]), "these have no docstring"


def test_a_missing_docstring_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.py").write_text(
        "class Base:\n    def said(self):\n        'Said.'\n    def unsaid(self): ...\n"
        "class More(Base):\n    def said(self): ...\n    def unsaid(self): ...\n"
        "def plain(): ...\ndef _own(): ...\n"
    )
    assert undocumented([tmp_path / "a.py"]) == {"a.py": ["Base.unsaid", "More.unsaid", "plain"]}


PRIVATE = {
    "streamlit": (
        PACKAGE / "ui" / "streamlit_internals.py",
        r"_stcore|streamlit\.(?:runtime|web)|import.* runtime\b|cli_util|get_script_run_ctx|is_history_nav",
    ),
    "numba": (PACKAGE / "engine" / "numba_internals.py", r"numba\.core|numba\._(?!_)|\._rebuild|\._reduce\("),
    "sklearn": (PACKAGE / "sklearn_internals.py", r"sklearn\.[\w.]*\b_(?!_)\w+|from sklearn.* import .*\b_(?!_)\w+"),
}
"""Where the names of a library live that it does not promise to keep, and how to know one."""


def test_private_names_of_libraries_live_in_one_module_each():
    def private(path):
        text = path.read_text(encoding="utf-8")
        return {hit for own, known in PRIVATE.values() if path != own for hit in re.findall(known, text)}

    assert not faults(EVERY_FILE, private)
    assert all(re.search(known, own.read_text(encoding="utf-8")) for own, known in PRIVATE.values())


def test_what_make_quick_leaves_out_is_there():
    assert [name for name in LONG if not (ROOT / "tests" / name).exists()] == []


def test_an_import_that_points_upwards_is_found(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def f():\n    from theta_app.ui import session\n")
    assert imported(wrong) == {"theta_app.ui.session"}
    assert layer("ui") > layer("figures") > layer("engine")
