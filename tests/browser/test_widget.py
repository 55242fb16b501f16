"""The timeline in a notebook, in the browser: `render` gets a model and a place, as anywidget calls it."""

import base64
import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.helpers import ROOT
from theta_app.datasets import GridBlobs, load
from theta_app.widget import Explorer, explore

# A model as a notebook has it: what was set is told to Python when it is saved.
MOUNT = """async ([script, style, markup, content]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const values = { _markup: markup, _content: bytes(content) }, listeners = {};
  const model = { get: (name) => values[name], set: (name, value) => { values[name] = value; },
    on: (name, f) => { listeners[name] = f; }, off: (name) => { delete listeners[name]; },
    save_changes: () => { (window.told ??= []).push(values._told); } };
  window.send = (text) => { values._content = bytes(text); listeners["change:_content"]?.(); };
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  window.leave = (await import(url)).default.render({ model, el: document.querySelector("#cell") });
}"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(address: str) -> None:
    for _ in range(120):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=2).close()
            return
        time.sleep(0.5)


@pytest.fixture
def jupyter(tmp_path):
    """The address of a JupyterLab whose folder is empty, and that folder."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed: pip install jupyterlab")
    port = free_port()
    options = [
        f"--port={port}",
        "--ServerApp.token=",
        "--no-browser",
        "--allow-root",
        f"--ServerApp.root_dir={tmp_path}",
    ]
    kept = {f"JUPYTER_{name}_DIR": str(tmp_path / ".jupyter") for name in ("CONFIG", "RUNTIME")}
    begun = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **kept},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield f"http://localhost:{port}", tmp_path
    begun.kill()  # asked nicely it would wait for the kernel, which ends with it
    begun.wait()


CELLS = (
    "from theta_app.datasets import GridBlobs\nfrom theta_app.widget import explore\n"
    "w = explore(GridBlobs(side=3, spacing=6.0, per_cluster=30), shuffles=5)\nw",
    "print('Python has', w.clustering.n_clusters)",
)


def test_in_jupyterlab_python_follows_the_handle(jupyter, page):
    import nbformat  # here and below: it takes a second

    address, folder = jupyter
    python = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = list(map(nbformat.v4.new_code_cell, CELLS))
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=python), folder / "w.ipynb")
    wait_for(f"{address}/api")
    page.goto(f"{address}/lab/tree/w.ipynb")
    cells = page.locator(".jp-CodeCell .cm-content")
    kernel = page.get_by_text("| Idle")
    expect(kernel).to_be_visible(timeout=60_000)
    cells.first.click()
    page.keyboard.press("Shift+Enter")
    readout = page.get_by_test_id("readout-k")
    expect(readout).to_have_text("9", timeout=90_000)
    page.get_by_test_id("theta-timeline").press("Home")
    expect(readout).not_to_have_text("9")
    said = page.get_by_text("Python has ").last
    for _ in range(30):  # the kernel may be told of the handle after it has run the cell
        cells.nth(1).click()
        page.keyboard.press("Control+Enter")
        with contextlib.suppress(AssertionError):
            expect(said).to_have_text(f"Python has {readout.inner_text()}", timeout=1_000)
            break
    else:
        pytest.fail(f"{said.inner_text()}, the page {readout.inner_text()}")


IN_MARIMO = """
import marimo

app = marimo.App()

@app.cell
def _():
    import marimo
    from theta_app.datasets import GridBlobs
    from theta_app.widget import explore

    w = marimo.ui.anywidget(explore(GridBlobs(side=3, spacing=6.0, per_cluster=30), shuffles=5))
    w
    return marimo, w

@app.cell
def _(marimo, w):
    marimo.md(f"Python has {w.clustering.n_clusters if w.value else 0}")
    return
"""


@pytest.fixture(params=["light", "dark"])
def marimo(request, tmp_path):
    """(address, theme) of a marimo that runs a notebook with the timeline."""
    pytest.importorskip("marimo", reason="marimo is not installed: pip install marimo")
    settings = f'\n[tool.marimo.display]\ntheme = "{request.param}"\n'
    (tmp_path / "pyproject.toml").write_text(settings)
    (tmp_path / "w.py").write_text(IN_MARIMO)
    port = free_port()
    begun = subprocess.Popen(
        [sys.executable, "-m", "marimo", "run", "w.py", "--headless", "--no-token", f"--port={port}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield f"http://localhost:{port}", request.param
    begun.kill()
    begun.wait()


def test_in_marimo_python_follows_the_handle_in_either_theme(marimo, page):
    address, theme = marimo
    wait_for(address)
    page.goto(address)
    readout = page.get_by_test_id("readout-k")
    expect(readout).to_have_text("9", timeout=90_000)
    text, back = page.locator(".tl").evaluate(TONES)
    assert (text < 0.3 and back > 0.9) if theme == "light" else (text > 0.7 and back < 0.2)
    page.get_by_test_id("theta-timeline").press("End")
    expect(readout).to_have_text("1")
    expect(page.get_by_text("Python has 1", exact=True)).to_be_visible()


def test_a_page_that_was_saved_drags_without_python(tmp_path, page):
    explore(load(GridBlobs(side=3, spacing=6.0, per_cluster=30)), shuffles=5).save(tmp_path / "saved.html")
    page.goto((tmp_path / "saved.html").as_uri())
    readout = page.get_by_test_id("readout-k")
    expect(readout).to_have_text("9")
    page.get_by_test_id("theta-timeline").press("End")
    expect(readout).to_have_text("1")


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The notebook with its outputs and the state of its widgets, as ``jupyter nbconvert --execute`` makes it."""
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed: pip install nbconvert")
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor

    folder = tmp_path_factory.mktemp("exported")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELLS[0])])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        ExecutePreprocessor(timeout=300).preprocess(made, {"metadata": {"path": str(folder)}})

    def export(theme: str = "light", with_state: bool = True):
        notebook = nbformat.from_dict(made)
        if not with_state:
            notebook.metadata.pop("widgets")
        path = folder / f"{theme}-{with_state}.html"
        path.write_text(nbconvert.HTMLExporter(theme=theme).from_notebook_node(notebook)[0], encoding="utf-8")
        return path.as_uri()

    return export


@pytest.fixture
def offline(new_page):
    """Opens a page without a network: scripts for formulas and other widgets, which nbconvert names, fail."""

    def open_at(address: str):
        page = new_page(offline=True)
        page.expected_errors += ["ERR_INTERNET_DISCONNECTED", "require is not defined", "dynamically imported module"]
        page.goto(address, wait_until="commit")
        return page

    return open_at


@pytest.mark.parametrize("with_state", [True, False], ids=["executed by nbconvert", "saved by JupyterLab"])
def test_what_nbconvert_makes_drags_without_a_network(executed, offline, with_state):
    page = offline(executed(with_state=with_state))
    readout = page.get_by_test_id("readout-k")
    expect(readout).to_have_text("9")
    expect(readout).to_have_count(1)
    page.get_by_test_id("theta-timeline").press("End")
    expect(readout).to_have_text("1")


# The lightness of what the timeline writes with and of what it writes on.
TONES = """(tl) => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  return ["--tl-text", "--tl-back"].map((name) => {
    context.fillStyle = "#808080"; // stays where the colour cannot be read
    context.fillStyle = getComputedStyle(tl).getPropertyValue(name);
    context.fillRect(0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, one) => sum + one) / 765;
  });
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_timeline_has_the_colours_of_the_exported_notebook(executed, offline, theme):
    page = offline(executed(theme))
    expect(page.get_by_test_id("readout-k")).to_have_text("9")
    text, back = page.locator(".tl").evaluate(TONES)
    assert (text < 0.3 and back > 0.9) if theme == "light" else (text > 0.7 and back < 0.2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_saved_page_is_as_light_as_its_reader_likes_it(tmp_path, page, theme):
    explore(load(GridBlobs(side=3, spacing=6.0, per_cluster=30)), shuffles=5).save(tmp_path / "saved.html")
    page.emulate_media(color_scheme=theme)
    page.goto((tmp_path / "saved.html").as_uri())
    expect(page.get_by_test_id("readout-k")).to_have_text("9")
    text, back = page.locator(".tl").evaluate(TONES)
    assert (text < 0.3 and back > 0.9) if theme == "light" else (text > 0.7 and back < 0.2)


def encoded(widget):
    return base64.b64encode(widget._content).decode()


def test_the_handle_moves_the_read_outs_and_python_and_python_moves_the_handle(page):
    widget = explore(load(GridBlobs(side=3, spacing=6.0, per_cluster=30)), shuffles=5)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.set_content('<div id="cell" style="width: 900px"></div>')
    page.evaluate(MOUNT, [Explorer._esm, Explorer._css, widget._markup, encoded(widget)])
    readout, track = page.get_by_test_id("readout-k"), page.get_by_test_id("theta-timeline")
    expect(readout).to_have_text("9")
    track.press("Home")
    expect(readout).not_to_have_text("9")
    page.wait_for_function("window.told?.some((one) => one.name === 'value')")
    widget._told = page.evaluate("window.told.filter((one) => one.name === 'value').at(-1)")
    expect(readout).to_have_text(f"{widget.clustering.n_clusters:,}")

    widget.theta = widget.verdict.theta
    page.evaluate("(text) => window.send(text)", encoded(widget))
    expect(readout).to_have_text("9")
    widget.theta = 2.345  # never swept before
    page.evaluate("(text) => window.send(text)", encoded(widget))
    expect(page.get_by_test_id("readout-theta")).to_have_text("2.345")
    expect(readout).to_have_text(f"{widget.clustering.n_clusters:,}")
    page.evaluate("window.leave()")
    assert wrong == []
