"""The site of docs/: built without a warning, and every link inside it leads somewhere."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs import make

ROOT = Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    """The links, anchors and texts of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.loaded, self.words = [], set(), [], ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors |= {attrs[name] for name in ("id", "name") if name in attrs}
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        if tag in ("img", "link", "script", "iframe"):
            self.loaded.append(attrs.get("src", attrs.get("href")))

    def handle_data(self, data):
        self.words += data


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the site, each of its pages, and what was said while it was made."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "docs/make.py", "--to", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return folder, {path: Page(path) for path in folder.rglob("*.html")}, done


def test_it_is_made_without_a_warning(built):
    assert (built[2].returncode, built[2].stderr) == (0, "")


def test_every_link_inside_it_leads_somewhere(built):
    folder, pages, _ = built
    wrong = []
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = to.is_file() and (not parts.fragment or unquote(parts.fragment) in pages[to].anchors)
            if not there:
                wrong.append(f"{path.relative_to(folder)}: {link}")
    assert not wrong


def test_it_needs_no_network(built):
    for path, page in built[1].items():
        assert not [link for link in page.loaded if link and urlsplit(link).scheme not in ("", "data")], path
    assert "url(http" not in (built[0] / "site.css").read_text(encoding="utf-8")


def test_every_page_has_the_same_navigation(built):
    folder, pages, _ = built
    wanted = {folder / make.Site(ROOT, folder).address(source) for source in make.PAGES.values()}
    assert wanted <= set(pages)
    for path, page in pages.items():
        assert wanted == {(path.parent / link).resolve() for link in page.links[: len(make.PAGES)]}, path


def test_every_page_of_docs_is_part_of_it(built):
    site = make.Site(ROOT, built[0])
    sources = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/teach/*.md"), *ROOT.glob("docs/gallery/*.ipynb")]
    assert [
        path for path in sources if built[0] / site.address(path.relative_to(ROOT).as_posix()) not in built[1]
    ] == []


def test_the_reference_has_every_public_name(built):
    for part in make.PUBLIC:
        name = f"theta_app.{part}".rstrip(".")
        page = built[1][built[0] / "api" / f"{name.replace('.', '/')}.html"]
        public = {one for one in getattr(make.offered(name), "__all__", ()) if not one.startswith("_")}
        assert public <= page.anchors, name
    assert {"TDG", "TDG.predict", "ThetA.fit", "read"} <= built[1][built[0] / make.API].anchors


def test_parameters_stand_under_a_heading(built):
    """Without one pdoc would run them together in one paragraph."""
    pages = {path: path.read_text(encoding="utf-8") for path in (built[0] / "api").rglob("*.html")}
    assert {path.stem: hits for path, text in pages.items() if (hits := re.findall(r"<p>[\w, ]+ : .+", text))} == {}


def test_a_notebook_is_shown_with_what_it_printed(built):
    words = built[1][built[0] / "gallery" / "customers.html"].words
    assert "3 clusters in 338 rows of customers.csv" in words
    assert "<svg" in (built[0] / "gallery" / "customers.html").read_text(encoding="utf-8")


def test_a_link_to_nowhere_is_told(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\n[there](b.md#there)")
    (tmp_path / "b.md").write_text("# B\n\n## There\n\n![no picture](c.png)")
    site = make.Site(tmp_path, tmp_path / "site", {"A": "a.md"})
    with pytest.raises(make.Broken, match=r"b\.md: no file c\.png"):
        site.build()
