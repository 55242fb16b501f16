"""The timeline in a notebook: ``theta_app.widget.explore(X)``, the same picture and track as on the page Explore.

It is the page's own component (`theta_app.ui.timeline`) and its own frames; this file hands them to anywidget instead
of Streamlit. Needs the extra ``notebook``.
"""

import base64
import html
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from theta_app import datasets, selection
from theta_app.clustering import Clustering
from theta_app.datasets.prepare import codes as codes_of
from theta_app.files import read
from theta_app.ui import components, sweeps
from theta_app.ui.loading import sample
from theta_app.ui.session import ALGORITHMS, Settings
from theta_app.ui.timeline import inside, is_polygon, of_theta
from theta_app.ui.timeline.look import usual_look

try:
    import anywidget
    import traitlets
    from IPython import display
except ImportError as error:
    raise ImportError("The timeline in a notebook needs anywidget: pip install 'theta-app[notebook]'") from error

_FOLDER = Path(of_theta.__file__).parent


# A page of its own is light or dark as its reader likes it.
_OWN_COLOURS = """
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  body { --foreground: #e8edf2; --background: #11161c; --muted: #1d2630; --border: #384450; background: #11161c; }
}
"""

# A model without a Python behind it.
_STILL = """
const values = VALUES;
values._content = new DataView(Uint8Array.from(atob(CONTENT), (letter) => letter.charCodeAt(0)).buffer);
const model = { get: (name) => values[name], set() {}, save_changes() {}, on() {}, off() {} };
widget.render({ model, el: document.getElementById(PLACE) });
"""

# In a page that nbconvert has made, the state of every widget is stored, for a script of another server to show them.
# This shows the timeline from what is stored there, in its own place; in a notebook it finds nothing and does nothing.
_IN_EXPORT = """<script>
addEventListener("DOMContentLoaded", async () => {
  const kind = (name) => `script[type="application/vnd.jupyter.widget-${name}+json"]`;
  const stored = document.querySelector(kind("state"));
  const views = [...document.querySelectorAll(kind("view"))];
  const view = views.find((one) => JSON.parse(one.textContent).model_id === MODEL);
  if (!stored || !view) return;
  const { state, buffers } = JSON.parse(stored.textContent).state[MODEL];
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
  for (const { path, data } of buffers) state[path[0]] = bytes(data);
  const model = { get: (name) => state[name], set() {}, save_changes() {}, on() {}, off() {} };
  const el = view.parentElement;
  view.remove();
  document.head.append(Object.assign(document.createElement("style"), { textContent: state._css }));
  const script = URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" }));
  (await import(script)).default.render({ model, el });
});
</script>"""


class Explorer(anywidget.AnyWidget):
    """The timeline of one data set. Drag the handle, or set ``theta``, ``epsilon`` or ``algorithm``.

    Attributes
    ----------
    theta : float
        Where the handle stands, in the units of the (prepared) data.
    epsilon : float or None
        For TNC; None takes what fits each θ.
    algorithm : "TDG", "TSG" or "TNC"
    selected : int or None
        A row (by position) of the cluster that was clicked.
    selection : list of int
        The rows (by position) inside the box or lasso.
    """

    _esm = _script = components.joined(_FOLDER / "js" / "notebook.js")
    _css = _style = "".join((_FOLDER / name).read_text(encoding="utf-8") for name in ("timeline.css", "notebook.css"))
    _markup = traitlets.Unicode((_FOLDER / "timeline.html").read_text(encoding="utf-8")).tag(sync=True)
    _content = traitlets.Bytes().tag(sync=True)
    _told = traitlets.Dict().tag(sync=True)
    theta = traitlets.Float()
    epsilon = traitlets.Float(None, allow_none=True)
    algorithm = traitlets.Enum(ALGORITHMS)
    selected = traitlets.Int(None, allow_none=True)
    selection = traitlets.List(traitlets.Int())

    def __init__(self, data: datasets.Dataset, settings: Settings, **options: Any) -> None:
        self._asked: tuple[float, ...]
        self.data, self._settings, self._serial, self._asked = data, settings, 0, ()
        self._points = sample(data)
        sweeps.complete(self._points, settings)
        self._shown = of_theta.shown_sweep(self._points, settings, look=usual_look(self._points, settings.projection))
        self.verdict = self._shown.verdict
        content = self._packed(self._shown.start)  # type: ignore[arg-type]
        found = {"theta": self._shown.start, "algorithm": self._shown.settings.algorithm, "epsilon": settings.epsilon}
        super().__init__(_content=content, **found, **options)
        self.observe(self._was_told, "_told")
        self.observe(self._was_set, ["theta", "epsilon", "algorithm"])

    @property
    def clustering(self) -> Clustering:
        """What is shown, as a `theta_app.clustering.Clustering`: labels, sizes, table, export."""
        return of_theta.clustering_at(self._shown, self.data, self.theta)  # type: ignore[return-value]

    @property
    def labels(self) -> np.ndarray:
        """The cluster of each row, the largest first; -1 for outliers."""
        return self.clustering.labels

    def save(self, path: str | Path) -> None:
        """Write the timeline as one page of HTML that still drags: no Python, no network."""
        head = f"<!doctype html><meta charset=utf-8><title>{html.escape(self.data.name)}</title>"
        Path(path).write_text(head + f"<style>{_OWN_COLOURS}</style>" + self._still(), encoding="utf-8")

    def _still(self) -> str:
        """The timeline as a piece of HTML that needs nothing else."""
        place = f"timeline-{self.model_id}"
        content = base64.b64encode(self._content).decode()
        values = json.dumps({"_markup": self._markup}).replace("</", "<\\/")
        script = type(self)._script.replace("</", "<\\/").replace("export default {", "const widget = {", 1)
        model = _STILL.replace("PLACE", f'"{place}"').replace("VALUES", values).replace("CONTENT", f'"{content}"')
        return (
            f"<style>{type(self)._style}</style><div id={place}></div><script>(() => {{{script}\n{model}}})()</script>"
        )

    def _repr_mimebundle_(self, **asked: Any) -> tuple[dict, dict]:
        """The live timeline, and the one that needs no Python, for pages where none runs."""
        bundle = super()._repr_mimebundle_(**asked)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return data | {"text/html": self._still()}, metadata  # type: ignore[operator]

    def _ipython_display_(self) -> None:
        data, metadata = self._repr_mimebundle_()
        display.publish_display_data(data, metadata)
        in_export = _IN_EXPORT.replace("MODEL", json.dumps(self.model_id))
        display.publish_display_data({"text/html": in_export, "text/plain": ""})

    def _packed(self, theta: float) -> bytes:
        self._timeline = of_theta.theta_timeline(self._shown, self.data, getattr(self, "_timeline", None))
        return self._timeline.state_at(theta, str(self._serial))

    def _was_told(self, change: dict) -> None:
        """The browser says that the handle was released, something selected, or more of the sweep is wanted."""
        name, value = change["new"].get("name"), change["new"].get("value")
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if name == "value" and number and value in self._shown.points:
            self._by_hand = value
            self.theta = value
        elif name == "cluster":
            known = isinstance(value, int) and 0 <= value < len(self._shown.drawn.rows)
            self.selected = int(self._shown.drawn.rows[value]) if known else None
        elif name == "selection":
            within: Any = inside(value, self._shown.positions) if is_polygon(value) else []
            self.selection = self._shown.drawn.rows[np.flatnonzero(within)].tolist()
        elif name == "wider":
            self._settings = sweeps.wider(self._points, self._settings)
            sweeps.complete(self._points, self._settings)
            self._update()
        elif name == "finer" and number and value > 0:
            thetas = np.array([theta for theta in self._shown.points if theta > 0])
            below, above = thetas[thetas < value], thetas[thetas > value]
            ends = [*below[-1:], *above[:1]]
            self._update(*(float(selection.log_middle(value, end)) for end in ends))

    def _was_set(self, change: dict) -> None:
        """Send what was set; nothing for what the browser shows already."""
        if change["name"] == "theta" and getattr(self, "_by_hand", None) == change["new"]:
            self._by_hand = None
        else:
            self._update()

    def _update(self, *asked: float) -> None:
        """Compute what is missing at the θ in use and at those asked for, and send it."""
        settings = replace(self._settings, algorithm=self.algorithm, epsilon=self.epsilon)  # type: ignore[arg-type]
        for theta in {self.theta, *asked}.difference(self._shown.points):
            sweeps.theta_point(self._points, theta, settings)
            self._asked = (*self._asked, theta)
        look = usual_look(self._points, settings.projection)
        self._shown = of_theta.shown_sweep(self._points, settings, self._asked, look)
        self._serial += 1
        self._content = self._packed(self.theta)


def explore(
    X: Any,
    labels: Sequence | np.ndarray | None = None,
    *,
    algorithm: str | None = None,
    shuffles: int = 50,
    seed: int = 0,
    name: str = "your data",
) -> Explorer:
    """The timeline of points, a frame, a file or a `Dataset`, to show in Jupyter, JupyterLab, VS Code or marimo.

    Parameters
    ----------
    X : array of shape (n, d), DataFrame, path, Spec or Dataset
        A frame gives its columns of numbers; a file is read and prepared as on the Data page.
    labels : (n,) array, optional
        Known classes, to judge by.
    algorithm : optional
        By default the verdict's.
    shuffles, seed : int
    """
    return Explorer(_dataset(X, labels, name), Settings(algorithm=algorithm, shuffles=shuffles, seed=seed))  # type: ignore[arg-type]


def _dataset(X: Any, labels: Sequence | np.ndarray | None, name: str) -> datasets.Dataset:
    if isinstance(X, (str, Path, datasets.Spec, datasets.Dataset)):
        return read(X)
    if hasattr(X, "columns"):
        X = (X.to_pandas() if hasattr(X, "to_pandas") else X).select_dtypes("number")
    codes, names = (None, ()) if labels is None else codes_of(labels)
    columns = [str(column) for column in getattr(X, "columns", ())]
    values = np.asarray(X, dtype=np.float64)
    return datasets.from_arrays(name, "Points given as an array.", values, codes, names, features=columns or None)
