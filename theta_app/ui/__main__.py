"""Make what everybody opens first, before somebody waits for it: ``python -m theta_app.ui``."""

from theta_app import datasets
from theta_app.ui import cache, disk
from theta_app.ui.session import Settings


def main():
    data = cache.dataset(datasets.DEFAULT, datasets.Preparation())
    points, settings = cache.sample(data), Settings()
    key = cache._disk_key(points, settings)
    if not disk.is_kept(key):
        disk.keep(key, cache.complete(points, settings))


if __name__ == "__main__":
    main()
