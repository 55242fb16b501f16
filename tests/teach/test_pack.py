"""The pack for teachers: links that open, numbers that are true, sheets that are up to date, a notebook that runs."""

import importlib.util
import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from theta_app.lessons import chain, failures, links, tryit
from theta_app.selection import runs
from theta_app.ui.pages.learn import lessons, pack

TEACH = Path(__file__).resolve().parents[2] / "docs" / "teach"
SHEETS = sorted(TEACH.glob("*.md"))


def maker():
    spec = importlib.util.spec_from_file_location("make_sheets", TEACH / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_link_opens_a_place_that_exists(sheet):
    for address in re.findall(r"\]\(([^)]+)\)", sheet.read_text(encoding="utf-8")):
        parts = urlsplit(address)
        if not parts.netloc:
            assert (TEACH / address).is_file(), address
            continue
        assert parts.netloc == "localhost:8501"
        assert parts.path == "/Learn"
        options = {name.removeprefix("o_"): value for name, value in parse_qsl(parts.query)}
        if not options:
            continue
        lesson = lessons.LESSONS[options["lesson"]]
        assert options.get(lesson.option, next(iter(lesson.stories()))) in lesson.stories(), address
        assert links.opened(options)[1] == []


def test_the_page_offers_the_whole_pack():
    assert pack.FOLDER == TEACH
    offered = set(pack.FILES)
    there = {path.name for path in TEACH.iterdir() if path.suffix in (".md", ".pdf", ".ipynb")}
    assert offered == there - {"README.md"}


@pytest.mark.parametrize("name", ["exercises", "answers"])
def test_a_sheet_is_one_page_and_made_from_its_text(name):
    content = (TEACH / f"{name}.pdf").read_bytes()
    digest = maker().document(name)[1]
    assert digest.encode() in content or digest.encode("utf-16-be") in content, "run python docs/teach/make.py"
    assert len(re.findall(rb"/Type\s*/Page[^s]", content)) == 1


def answers():
    return (TEACH / "answers.md").read_text(encoding="utf-8").replace("\n  ", " ")


def test_the_answers_on_ranges_are_true():
    data = tryit.finder_data()
    there = [run for run in runs(data["k"]) if run.value == data["target"]]
    longest = max(there, key=lambda run: run.stop - run.start)
    (single,) = [run for run in there if run is not longest]
    assert single.stop - single.start == 1
    low, high, lonely = (f"{data['thetas'][at]:.3g}" for at in (longest.start, longest.stop - 1, single.start))
    assert f"From θ = {low} to {high}. At θ = {lonely} K is 25 as well" in answers()
    before, after = (data["thetas"][single.start + step] for step in (-1, 1))
    assert f"neighbours {before:.3g} and {after:.3g} it is 26" in answers()
    assert {data["k"][single.start - 1], data["k"][single.start + 1]} == {26}
    tree = chain.chain_data("rings")["tree"]
    assert f"Any ε above {tree[-2]:.3g} and up to {tree[-1]:.3g}" in answers()
    frames = failures.failure_data("widths")["frames"]
    wrong = next(frame["value"] for frame in frames if frame["ari"] < failures.RIGHT)
    assert f"From width {wrong:.3g} on" in answers()


@pytest.mark.parametrize(
    ("letter", "order"),
    [("D", [(2, 0), (5, 1), (3.4, 0)]), ("E", [(3.4, 0), (2, 0), (5, 1)])],
)
def test_the_steps_done_by_hand_are_right(letter, order):
    text = next(line for line in answers().splitlines() if line.startswith(f"- **{letter}.**"))
    members, at = [[(0.0, 0.0)], [(6.0, 0.0)]], 0
    for point in order:
        centroids = [np.mean(one, axis=0) for one in members]
        distances = [float(np.hypot(*(centroid - point))) for centroid in centroids]
        nearest = int(np.argmin(distances))
        assert distances[nearest] <= 3
        members[nearest].append(point)
        x, y = np.mean(members[nearest], axis=0)
        for told in (*(f"{d:.3g}" for d in distances), ("first", "second")[nearest], f"({x:.3g}, {y:.3g})"):
            found = text.find(told, at)
            assert found >= 0, (letter, point, told)
        at = text.find(f"({x:.3g}, {y:.3g})", at)


def test_two_points_break_the_order_where_the_answer_puts_them():
    places = re.search(r"near \(([\d.]+), ([\d.]+)\) and \(([\d.]+), ([\d.]+)\)", answers()).groups()
    story = tryit.story_of("exercise")
    points = [*story.X.tolist(), *([float(x), float(y)] for x, y in (places[:2], places[2:]))]
    edit = {"story": "exercise", "question": 1, "theta": story.theta, "points": points}
    assert tryit.check_order_matters(edit, "exercise")[0]


def test_the_notebook_for_students_runs_from_top_to_bottom():
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(TEACH / "student.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "it is handed out empty"
    imported = {line.split()[1].split(".")[0] for cell in notebook.cells if cell.cell_type == "code"
                for line in cell.source.splitlines() if line.startswith(("import ", "from "))}  # fmt: skip
    assert imported <= {"numpy", "IPython", "theta_app"}, "nothing that pip does not bring along"
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(TEACH.parents[1])}}
    ).execute()
