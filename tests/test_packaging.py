"""What `pip install .` takes along."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_folder_of_the_tree_is_installed():
    files = [p for p in (ROOT / "theta_app").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    folders = {".".join(p.parent.relative_to(ROOT).parts) for p in files}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders | {
        "theta_app_data",
        "theta_app_pages",
        "theta_app_pages.pages",
    }


def test_every_kind_of_file_in_the_packages_is_installed():
    patterns = set(PROJECT["tool"]["setuptools"]["package-data"]["*"])
    packaged = [p for folder in ("theta_app", "data") for p in (ROOT / folder).rglob("*") if p.is_file()]
    kinds = {f"*{p.suffix}" for p in packaged if "__pycache__" not in p.parts and p.suffix not in (".py", "")}
    assert kinds - {"*.nbi", "*.nbc", "*.pyc"} <= patterns


def test_the_app_and_the_package_ask_for_the_same_versions():
    needed = {line.strip() for line in (ROOT / "requirements.txt").read_text().splitlines() if line[:1].isalpha()}
    project = PROJECT["project"]
    assert {*project["dependencies"], *project["optional-dependencies"]["app"]} == needed
