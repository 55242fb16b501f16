"""CHANGELOG has a section per version, the last at the top, each with the name of its tag."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_versions_stand_once_each_the_last_first():
    first, *versions = re.findall(r"^## (.+)$", TEXT, flags=re.MULTILINE)
    assert first == "Unreleased"
    assert all(re.fullmatch(r"(\d+\.\d+\.\d+), tag `v\1`", version) for version in versions), versions
    numbers = [tuple(map(int, version.split(",")[0].split("."))) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)


def test_the_last_version_is_that_of_the_package():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert re.search(r"^## (\d\S+),", TEXT, flags=re.MULTILINE)[1] == version


def test_every_section_is_a_list():
    for section in TEXT.split("\n## ")[1:]:
        title, _, rest = section.partition("\n")
        lines = rest.strip().splitlines()
        assert lines, title
        assert all(line.startswith(("- ", "  ")) for line in lines), title
