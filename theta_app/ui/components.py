"""Components of our own: plain JavaScript in small files, and no build step.

A component starts from one file, which imports what it needs from others::

    import { Stage, mount } from "./stage.js";

Each file is a module that an editor and ESLint understand. The browser gets one text: the files in the order of their
imports, without the words ``import`` and ``export``. All then share one scope, so a top-level name may stand in one
file only, and an import may not rename.
"""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[^"]+\.js)";\n', re.MULTILINE)
_ANY_IMPORT = re.compile(r"^import\b.*", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)
_BAD_EXPORT = re.compile(r"^export (?!default\b|(?:const|let|class|function|async function)\b).*", re.MULTILINE)
_DEFAULT = re.compile(r"^export default\b", re.MULTILINE)
_NAME = re.compile(r"^(export )?(?:const|let|var|class|(?:async )?function\*?) +([\w$]+)", re.MULTILINE)


def component(name: str, entry: Path, *, css: Path | None = None, html: Path | None = None, **options: Any) -> Callable:
    """A function that mounts the component where it is called, as the one of ``st.components.v2.component`` does.

    Streamlit calls the ``export default`` of the file ``entry``; there is one component of a name per server.
    """

    def mount(**arguments: Any) -> Any:
        # Registered at each use: Streamlit keeps one definition per server, and tests start several in one process.
        texts: dict[str, Any] = {"css": css and _text(css), "html": html and _text(html)}
        return st.components.v2.component(name, js=joined(entry), **texts, **options)(**arguments)

    return mount


@functools.cache
def joined(entry: Path) -> str:
    """The text of a file and of all it imports, each after what it needs. ValueError where they cannot be joined."""
    files = _in_order(entry.resolve())
    _check_names(files)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(file))) for file in files)


@functools.cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _in_order(entry: Path) -> list[Path]:
    done: list[Path] = []

    def visit(file: Path, above: tuple[Path, ...]) -> None:
        if file in above:
            circle = [*above[above.index(file) :], file]
            raise ValueError(f"these files import each other: {' -> '.join(f.name for f in circle)}")
        if file in done:
            return
        for other in _imports(file):
            visit(other, (*above, file))
        done.append(file)

    visit(entry, ())
    return done


def _imports(file: Path) -> dict[Path, list[str]]:
    """The names a file imports, by the file they are from."""
    found: dict
    text, found = _text(file), {}
    for names, path in _IMPORT.findall(text):
        listed = [name.strip() for name in names.split(",") if name.strip()]
        for name in listed:
            if not re.fullmatch(r"[\w$]+", name):
                raise ValueError(f"{file.name} imports {name!r}: a name cannot change when files are joined")
        found.setdefault((file.parent / path).resolve(), []).extend(listed)
    other = _ANY_IMPORT.search(_IMPORT.sub("", text))
    if other:
        raise ValueError(f'{file.name}: write {other[0]!r} as import {{ name }} from "./file.js";')
    return found


def _check_names(files: list[Path]) -> None:
    """Every name once, every imported name exported, and a default from the last file alone."""
    owner: dict[str, Path] = {}
    exported: dict[Path, set[str]] = {}
    for file in files:
        text = _text(file)
        bad = _BAD_EXPORT.search(text)
        if bad:
            raise ValueError(f"{file.name}: {bad[0]!r} must stand at what it exports")
        if bool(_DEFAULT.search(text)) != (file == files[-1]):
            raise ValueError(f"{file.name}: the file that is mounted has an export default, and no other")
        for export, name in _NAME.findall(text):
            if name in owner:
                raise ValueError(f"{name} stands in {owner[name].name} and in {file.name}")
            owner[name] = file
            if export:
                exported.setdefault(file, set()).add(name)
        for other, names in _imports(file).items():
            missing = set(names) - exported.get(other, set())
            if missing:
                raise ValueError(f"{file.name} imports what {other.name} does not export: {', '.join(sorted(missing))}")
