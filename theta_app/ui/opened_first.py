"""What everybody opens first is made before somebody waits for it, and kept on disk."""

import importlib
import pkgutil

from theta_app import datasets
from theta_app.ui import cache, disk, pages
from theta_app.ui.session import Settings
from theta_app.ui.timeline import of_shuffles, of_theta

_LATE = ("pandas.io.formats.style", "plotly.graph_objects", "sklearn.cluster", "streamlit.emojis", "PIL.ImageFile")
"""What libraries import on first use."""


def make_ready() -> None:
    """The sweep of the default data set (from disk, or computed and kept there), its timeline, the pages' imports."""
    data = cache.dataset(datasets.DEFAULT, datasets.Preparation())
    points, settings = cache.sample(data), Settings()
    sweep = cache.complete(points, settings)
    if not disk.is_kept(key := cache.disk_key(points, settings)):
        disk.keep(key, sweep)
    import_pages()
    _draw(points, settings, data)


def import_pages() -> None:
    """Import what the pages are made of: most of a first opening would be imports."""
    for page in pkgutil.iter_modules(pages.__path__, f"{pages.__name__}."):
        importlib.import_module(page.name)
    for lazily in _LATE:
        importlib.import_module(lazily)


def _draw(points, settings: Settings, data: datasets.Dataset) -> None:
    """What Explore shows first, as far as it is kept for everybody."""
    shown = of_theta.shown_sweep(points, settings)
    packed = of_theta.theta_timeline(shown, data)
    if shown.start in shown.points:
        of_shuffles.shuffle_frames(shown, data, shown.start, packed)
