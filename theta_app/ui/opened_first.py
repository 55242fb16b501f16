"""What everybody opens first is made before somebody waits for it, and kept on disk."""

from theta_app import datasets
from theta_app.ui import cache, disk
from theta_app.ui.session import Settings


def make_ready() -> None:
    """The sweep of the default data set: from disk, or computed and kept there."""
    data = cache.dataset(datasets.DEFAULT, datasets.Preparation())
    points, settings = cache.sample(data), Settings()
    sweep = cache.complete(points, settings)
    if not disk.is_kept(key := cache.disk_key(points, settings)):
        disk.keep(key, sweep)
