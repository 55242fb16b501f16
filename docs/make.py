"""The site: the pages of docs/, the gallery's notebooks and the API reference, as HTML that needs no network.

    python docs/make.py             the site in docs/_site
    python docs/make.py --gallery   first runs the notebooks of docs/gallery again and keeps what they print

It begins with the pages of `PAGES` and takes along every page and file that they link to. It ends with an error where a
link leads nowhere or pdoc warns of something.
"""

import argparse
import ast
import html
import importlib
import os
import re
import shutil
import sys
import tempfile
import types
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import jinja2
import mistune
import pdoc.doc
import pdoc.render
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

DOCS = Path(__file__).resolve().parent
TEMPLATES = DOCS / "templates"
GALLERY = sorted((DOCS / "gallery").glob("*.ipynb"))
API = "api/theta_app.html"
PAGES = {
    "Start": "docs/README.md",
    "Tour": "docs/tour.md",
    "Gallery": "docs/gallery/README.md",
    "API": API,
    "Teaching": "docs/teach/README.md",
    "Deployment": "docs/deploy.md",
    "Scale": "docs/scale.md",
    "Verdict": "docs/verdict.md",
    "Comparisons": "docs/compare.md",
    "Deep": "docs/deep.md",
    "How it is built": "docs/architecture.md",
    "Joining in": "CONTRIBUTING.md",
    "Changes": "CHANGELOG.md",
}
"""What stands at the top of every page: its name and its source, or its place in the site."""

PUBLIC = ("", "engine", "selection", "datasets", "compare", "metrics", "clustering", "deep", "distributed", "widget")
"""The modules of theta_app whose names the version policy covers, with those that their results belong to."""


class Broken(Exception):
    """A link that leads nowhere."""


class Site:
    """Pages as they are made, from one root: what is linked is added to what is still to be made."""

    def __init__(self, root: Path, folder: Path, pages=None):
        self.root, self.folder = root, folder
        self.pages = PAGES if pages is None else pages
        self.made = set()
        templates = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True)
        self.template = templates.get_template("page.html.jinja2")

    def build(self) -> None:
        """Every page that can be reached, and the files beside them."""
        wanted = [source for source in self.pages.values() if source != API]
        while wanted:
            source = wanted.pop()
            if source in self.made:
                continue
            self.made.add(source)
            if source.endswith((".md", ".ipynb")):
                wanted += self._page(source)
            if not source.endswith(".md"):
                self._keep(source)

    def write(self, address: str, title: str, body: str) -> None:
        """A page with the navigation of all of them."""
        pages = [(name, self.address(source)) for name, source in self.pages.items()]
        up = "../" * address.count("/")
        page = self.template.render(
            title=title, up=up, pages=pages, here=address, body=jinja2.utils.markupsafe.Markup(body)
        )
        path = self.folder / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")

    def address(self, source: str) -> str:
        """Where a source stands in the site: docs/ is its root, what lies beside docs/ is in project/."""
        inside = source.removeprefix("docs/") if source.startswith("docs/") or source == API else f"project/{source}"
        inside = re.sub(r"(^|/)README\.md$", r"\1index.md", inside)
        return re.sub(r"\.(md|ipynb)$", ".html", inside)

    def _page(self, source: str) -> list[str]:
        """Writes the page of a source. What it links to."""
        text = _Text(self, source)
        path = self.root / source
        content = path.read_text(encoding="utf-8")
        body = notebook_body(content, text, path.name) if path.suffix == ".ipynb" else text.html(content)
        self.write(self.address(source), text.title or path.stem, f"<main>{body}</main>")
        return text.linked

    def _keep(self, source: str) -> None:
        to = self.folder / self.address(source)
        if source.endswith(".ipynb"):  # its page is beside it
            to = to.with_suffix(".ipynb")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / source, to)


class _Text(mistune.HTMLRenderer):
    """Markdown as GitHub shows it: headings have anchors, links lead to the pages of the site."""

    def __init__(self, site: Site, source: str):
        super().__init__(escape=False)
        self.site, self.source, self.title, self.linked, self.anchors = site, source, "", [], {}
        self._markdown = mistune.create_markdown(renderer=self, plugins=["table", "strikethrough", "url"])

    def html(self, text: str) -> str:
        """Of a whole page or of a cell."""
        return self._markdown(text)

    def heading(self, text, level, **attrs):
        """With GitHub's anchor; the first one is the title of the page."""
        plain = html.unescape(re.sub(r"<[^>]+>", "", text))
        self.title = self.title or plain
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        self.anchors[anchor] = before = self.anchors.get(anchor, -1) + 1
        return f'<h{level} id="{anchor}{f"-{before}" if before else ""}">{text}</h{level}>\n'

    def link(self, text, url, title=None):
        """To a page of the site, or out of it."""
        return super().link(text, self._target(url), title)

    def image(self, text, url, title=None):
        """A picture of the site."""
        return super().image(text, self._target(url), title)

    def block_code(self, code, info=None):
        """Coloured, where its language is named."""
        return coloured(code, (info or "text").split()[0])

    def table(self, text):
        """It scrolls by itself on a phone."""
        return f'<div class="wide"><table>{text}</table></div>\n'

    def _target(self, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme or parts.netloc or not parts.path:
            return url
        if parts.path == API:  # pdoc writes it, under the site's root as docs/ is
            return url
        path = (self.site.root / self.source).parent.joinpath(parts.path).resolve()
        if not path.is_file() or not path.is_relative_to(self.site.root):
            raise Broken(f"{self.source}: no file {parts.path}")
        source = path.relative_to(self.site.root).as_posix()
        self.linked.append(source)
        up = "../" * self.site.address(self.source).count("/")
        return up + self.site.address(source) + (f"#{parts.fragment}" if parts.fragment else "")


def coloured(code: str, language: str) -> str:
    """Code as HTML, with Pygments' colours."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    return highlight(code, lexer, HtmlFormatter(cssclass="pdoc-code codehilite"))


def notebook_body(content: str, text: _Text, name: str) -> str:
    """A notebook's cells with what they printed when they were run."""
    import nbformat  # here and below: it takes a second, and not everything here has to do with notebooks

    parts = []
    for cell in nbformat.reads(content, as_version=4).cells:
        if cell.cell_type == "markdown":
            parts.append(text.html(cell.source))
        elif cell.source:
            parts += [coloured(cell.source, "python"), *map(_output, cell.outputs)]
    return "".join(parts) + f'<p><a href="{name}" download>This page as a notebook</a></p>'


def _output(output) -> str:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        inner = data["image/svg+xml"]
    elif "image/png" in data:
        inner = f'<img alt="" src="data:image/png;base64,{data["image/png"].strip()}">'
    elif "text/html" in data:
        inner = data["text/html"]
    else:
        inner = f"<pre>{html.escape(data.get('text/plain', output.get('text', '')))}</pre>"
    return f'<div class="output">{inner}</div>'


def offered(name: str):
    """A module whose ``__all__`` is what it offers: of a package without one, what its ``__init__`` imports from us."""
    module = importlib.import_module(name)
    if hasattr(module, "__path__"):
        if not hasattr(module, "__all__"):
            tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
            imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
            own = [alias for node in imports if node.module.startswith("theta_app.") for alias in node.names]
            module.__all__ = [alias.asname or alias.name for alias in own]
        names = {one: getattr(module, one) for one in module.__all__}
        vars(module).update(names)  # some are imported only when they are asked for
        module.__all__ = [one for one, value in names.items() if not isinstance(value, types.ModuleType)]
    return module


def write_api(site: Site) -> None:
    """The reference of the public modules, by pdoc."""
    pdoc.render.configure(docformat="numpy", show_source=False, search=False, template_directory=TEMPLATES)
    names = [f"theta_app.{part}".rstrip(".") for part in PUBLIC]
    modules = {name: pdoc.doc.Module(offered(name)) for name in names}
    for name, module in modules.items():
        body = pdoc.render.html_module(module, modules)
        site.write(f"api/{name.replace('.', '/')}.html", name, body)


def write_style(folder: Path) -> None:
    """One style sheet for all pages: our own, pdoc's for its content, Pygments' colours in light and dark."""
    own = (TEMPLATES / "site.css").read_text(encoding="utf-8")
    content = (Path(pdoc.__file__).parent / "templates" / "content.css").read_text(encoding="utf-8")
    light, dark = (HtmlFormatter(style=style).get_style_defs(".codehilite") for style in ("default", "github-dark"))
    text = f"{content}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n{own}"
    (folder / "site.css").write_text(text, encoding="utf-8")


def build(folder: Path) -> None:
    """The whole site, in a folder made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    site = Site(DOCS.parent, folder)
    site.build()
    write_api(site)
    write_style(folder)


def run(path: Path):
    """A notebook, run from top to bottom in a folder of its own, where it may write files."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    paths = os.pathsep.join(filter(None, (str(DOCS.parent), os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory() as folder:
        options = {"resources": {"metadata": {"path": folder}}, "record_timing": False, "coalesce_streams": True}
        client = NotebookClient(notebook, timeout=300, kernel_name="python3", **options)
        client.execute(env={**os.environ, "PYTHONPATH": paths})
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        if "image/svg+xml" in output.get("data", {}):
            output.data.pop("text/plain", None)  # an address in memory
    notebook.metadata.language_info = {"name": "python"}  # nor whose Python it was
    return notebook


def main(arguments=None) -> int:
    """The number of warnings, each of them printed."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--gallery", action="store_true", help="run the notebooks again first")
    options.add_argument("--to", type=Path, default=DOCS / "_site", help="the folder to write")
    chosen = options.parse_args(arguments)
    if chosen.gallery:
        import nbformat

        for path in GALLERY:
            nbformat.write(run(path), path)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        # Of members that our tables have from pandas, and that no page shows.
        warnings.filterwarnings("ignore", r"Error parsing type annotation .* for pandas\.")
        build(chosen.to)
    for warning in said:
        print(warning.message, file=sys.stderr)
    print(f"{chosen.to / 'index.html'}: open it in a browser")
    return len(said)


if __name__ == "__main__":
    sys.path.insert(0, str(DOCS.parent))
    sys.exit(min(main(), 1))
