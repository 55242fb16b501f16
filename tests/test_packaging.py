"""What `pip install .` takes along."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from theta_app.command import dashboard

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_kind_of_file_in_the_packages_is_installed():
    patterns = set(PROJECT["tool"]["setuptools"]["package-data"]["*"])
    packaged = [p for folder in ("theta_app", "data") for p in (ROOT / folder).rglob("*") if p.is_file()]
    kinds = {f"*{p.suffix}" for p in packaged if "__pycache__" not in p.parts and p.suffix not in (".py", "")}
    assert kinds - {"*.nbi", "*.nbc", "*.pyc"} <= patterns


def test_the_app_and_the_package_ask_for_the_same_versions():
    needed = {line.strip() for line in (ROOT / "requirements.txt").read_text().splitlines() if line[:1].isalpha()}
    project = PROJECT["project"]
    extras = {name: set(lines) for name, lines in project["optional-dependencies"].items()}
    own = "theta-app[files,download,map]"
    app = extras["app"] - {own} | extras["files"] | extras["download"] | extras["map"]
    assert own in extras["app"]
    assert {*project["dependencies"], *app, *extras["deep"]} == needed


_BARE = """
import sys
for name in ("openpyxl", "pyarrow", "requests", "umap", "jax", "dask", "streamlit", "plotly", "PIL", "segno"):
    sys.modules[name] = None  # as if it were not installed
from theta_app import TDG, ThetA
from theta_app.datasets import FetchError, UploadError, fetch, parse_upload
data = parse_upload("a.csv", b"x,y\\n" + b"0,0\\n0,1\\n9,9\\n9,8\\n" * 9)
print(TDG(theta=3.0).fit(data.X).n_clusters_, ThetA(space="features").fit(data.X).n_clusters_)
packed, published = lambda: parse_upload("a.parquet", b"PAR1PAR1"), lambda: fetch("s1", folder=sys.argv[1])
for kind, read in ((UploadError, packed), (FetchError, published)):
    try:
        read()
    except kind as error:
        print(error)
"""


def test_a_notebook_does_without_the_extras_and_is_told_what_one_would_bring(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", _BARE, str(tmp_path)], capture_output=True, text=True, env=env)
    assert done.stdout.splitlines() == [
        "2 2",
        "This needs pyarrow: pip install 'theta-app[files]'",
        "This needs requests: pip install 'theta-app[download]'",
    ], done.stderr


def test_the_image_gets_what_it_is_made_of():
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    taken = {line[1:] for line in lines if line.startswith("!")}
    folders = {"theta_app", "data", "docs/teach", "pages", ".streamlit"}
    assert taken == folders | {"LICENSE", "README.md", "app.py", "pyproject.toml", "requirements.txt", "setup.py"}
    assert all((ROOT / name).exists() for name in taken)


def test_the_image_starts_the_command_with_options_it_has():
    last = (ROOT / "Dockerfile").read_text().strip().splitlines()[-1]
    name, *options = json.loads(last.removeprefix("CMD "))
    assert name in PROJECT["project"]["scripts"]
    assert dashboard.parser().parse_args(options).port == 8501
