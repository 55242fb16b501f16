"""What `pip install .` takes along."""

import json
import tomllib
from pathlib import Path

from theta_app.ui import command

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_folder_of_the_tree_is_installed():
    files = [p for p in (ROOT / "theta_app").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    folders = {".".join(p.parent.relative_to(ROOT).parts) for p in files}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders | {
        "theta_app_data",
        "theta_app_pages",
        "theta_app_pages.pages",
        "theta_app_pages.teach",
    }


def test_every_kind_of_file_in_the_packages_is_installed():
    patterns = set(PROJECT["tool"]["setuptools"]["package-data"]["*"])
    packaged = [p for folder in ("theta_app", "data") for p in (ROOT / folder).rglob("*") if p.is_file()]
    kinds = {f"*{p.suffix}" for p in packaged if "__pycache__" not in p.parts and p.suffix not in (".py", "")}
    assert kinds - {"*.nbi", "*.nbc", "*.pyc"} <= patterns


def test_the_app_and_the_package_ask_for_the_same_versions():
    needed = {line.strip() for line in (ROOT / "requirements.txt").read_text().splitlines() if line[:1].isalpha()}
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    assert {*project["dependencies"], *extras["app"], *extras["deep"]} == needed


def test_the_image_gets_what_it_is_made_of():
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    taken = {line[1:] for line in lines if line.startswith("!")}
    folders = {"theta_app", *PROJECT["tool"]["setuptools"]["package-dir"].values()} - {"."}
    assert taken == folders | {".streamlit", "LICENSE", "README.md", "app.py", "pyproject.toml", "requirements.txt"}
    assert all((ROOT / name).exists() for name in taken)


def test_the_image_starts_the_command_with_options_it_has():
    last = (ROOT / "Dockerfile").read_text().strip().splitlines()[-1]
    name, *options = json.loads(last.removeprefix("CMD "))
    assert name in PROJECT["project"]["scripts"]
    assert command._parser().parse_args(options).port == 8501
