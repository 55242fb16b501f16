"""The timeline in a notebook, in the browser: `render` gets a model and a place, as anywidget calls it."""

import base64

from playwright.sync_api import expect

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
