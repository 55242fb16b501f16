"""Source as far as it can change a result: without comments, docstrings, sentences and annotations."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_TYPING = {"__future__", "typing", "typing_extensions", "numpy.typing", "collections.abc"}
_FIELDS = {"dataclass", "NamedTuple"}  # where an annotation makes a field
_SHAPES = {"Protocol", "TypedDict"}
_SENTENCE = 3  # spaces in what is said to a person; names and keys have fewer
_ELSEWHERE = ""


def stripped(path: Path) -> ast.Module:
    """The syntax tree of a file, bare of what cannot change a result; empty where there is no file."""
    return bare(path.read_text(encoding="utf-8") if path.exists() else "")


@lru_cache(maxsize=1024)
def bare(text: str) -> ast.Module:
    """The syntax tree of a source, bare of what cannot change a result."""
    tree: Any
    tree = ast.parse(text)
    bared = _Bare()
    tree = bared.visit(tree)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    tree = _WithoutNames(bared.annotated - used).visit(tree)
    node: Any
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            node.body = node.body or [ast.Pass()]
    return tree


class _Bare(ast.NodeTransformer):
    """Drops docstrings, annotations and what sentences say; remembers the names that annotations use."""

    def __init__(self) -> None:
        self.annotated: set = set()
        self._fields = False

    def _forget(self, annotation: ast.AST | None) -> None:
        node: Any
        for node in ast.walk(annotation) if annotation is not None else ():
            if isinstance(node, ast.Name):
                self.annotated.add(node.id)
            elif _is_text(node):  # an annotation in quotes
                try:
                    self._forget(ast.parse(node.value, mode="eval").body)
                except SyntaxError:
                    continue

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        around, self._fields = self._fields, bool(_FIELDS & {_called(n) for n in (*node.decorator_list, *node.bases)})
        if _SHAPES & {_called(base) for base in node.bases}:
            self.annotated.add(node.name)
        node = self.generic_visit(node)
        self._fields = around
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        if any(_called(decorator) == "overload" for decorator in node.decorator_list):
            return None
        self._forget(node.returns)
        around, self._fields, node.returns = self._fields, False, None
        node = self.generic_visit(node)
        self._fields = around
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> ast.arg:
        self._forget(node.annotation)
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self._forget(node.annotation)
        if self._fields:
            value = self.visit(node.value) if node.value is not None else None
            return ast.AnnAssign(node.target, ast.Constant(None), value, node.simple)
        return ast.Assign([node.target], self.visit(node.value)) if node.value is not None else None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if _is_text(node.value) else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("") if _is_sentence(node) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant("") if _is_sentence(*node.values) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> Any:
        if "TYPE_CHECKING" not in ast.dump(node.test):
            return self.generic_visit(node)
        imported = [alias for inner in ast.walk(node) for alias in getattr(inner, "names", ())]
        self.annotated |= {alias.asname or alias.name for alias in imported}
        return [self.visit(inner) for inner in node.orelse] or None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if _called(node) == "cast" and isinstance(node.func, ast.Name) and len(node.args) == 2:
            self._forget(node.args[0])
            return self.visit(node.args[1])
        return self.generic_visit(node)


class _WithoutNames(ast.NodeTransformer):
    """Drops the imports, aliases and protocols of a module that only annotations use."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Import(self, node: Any) -> Any:
        if getattr(node, "module", None) in _TYPING:
            return None
        node.names = [alias for alias in node.names if (alias.asname or alias.name.split(".")[0]) not in self._names]
        return node if node.names else None

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        return None if getattr(node.targets[0], "id", None) in self._names else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | None:
        return None if node.name in self._names and _SHAPES & {_called(base) for base in node.bases} else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node


def _is_text(node: Any) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_sentence(*parts: Any) -> bool:
    return sum(part.value.count(" ") for part in parts if _is_text(part)) >= _SENTENCE


def _called(node: Any) -> str | None:
    """The last name of what is called or named: ``dataclass`` of ``@dataclasses.dataclass(frozen=True)``."""
    node = node.func if isinstance(node, ast.Call) else node
    node = node.value if isinstance(node, ast.Subscript) else node
    return getattr(node, "attr", getattr(node, "id", None))


# ---- what a piece of code reaches -----------------------------------------------------------------------------------


class Sources:
    """The definitions of some packages in a folder, and what each of them uses; libraries are not followed.

    ``left_out`` are packages, modules and definitions (``module:name``) that cannot change a result, with all they
    would lead to.
    """

    def __init__(self, root: Path, packages: tuple[str, ...], left_out: Iterable[str] = ()) -> None:
        self._root, self._packages, self._left_out = root, packages, set(left_out)
        self._definitions: dict
        self._modules: dict
        self._modules, self._definitions = {}, {}

    def reached(self, starts: Iterable[str]) -> dict[str, str | None]:
        """{``module:name``: digest} of definitions reached from modules, packages or definitions, None for no such."""
        found, todo = {}, list(starts)
        while todo:
            name = todo.pop()
            if name in found or self._is_left_out(name):
                continue
            if ":" not in name:
                found[name] = None if not self._file(name).exists() else ""
                todo += self._all_of(name)
                continue
            if name not in self._definitions:
                self._definitions[name] = self._defined(*name.split(":"))
            content, uses = self._definitions[name]
            if content != _ELSEWHERE:
                found[name] = content
            todo += uses
        return found

    def _defined(self, module: str, name: str) -> tuple[str | None, Iterable[str]]:
        """(digest of a definition, what it uses); `_ELSEWHERE` and where, for an imported name, also of a library."""
        known = self._module(module)
        if name in known.definitions:
            nodes = known.definitions[name]
            return hashlib.sha256(ast.dump(ast.Module(nodes, [])).encode()).hexdigest(), set(self._used(module, nodes))
        if name in known.libraries:
            return _ELSEWHERE, ()
        made_when_asked = f"{module}:__getattr__" if "__getattr__" in known.definitions else None
        other = known.imports.get(name, made_when_asked)
        return (None, ()) if other is None else (_ELSEWHERE, (other,))

    def _is_left_out(self, name: str) -> bool:
        parts = name.partition(":")[0].split(".")
        return not self._left_out.isdisjoint({name, *(".".join(parts[: n + 1]) for n in range(len(parts)))})

    def _all_of(self, module: str) -> list[str]:
        """All definitions of a module; of a package all its modules, too."""
        file = self._file(module)
        inner = sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else []
        modules = [f"{module}.{path.stem}" for path in inner if path.stem not in ("__init__", "__main__")]
        return [f"{module}:{name}" for name in self._module(module).definitions] + modules

    def _used(self, module: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """Names (``module:name``, or a module as a whole) that some syntax of a module uses."""
        known = self._module(module)
        for top in nodes:
            attributes = set()
            for node in ast.walk(top):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    other = known.imports.get(node.value.id, "")
                    if self._is_module(other):
                        attributes.add(node.value)
                        inner = f"{other}.{node.attr}"
                        yield inner if self._is_module(inner) else f"{other}:{node.attr}"
            for node in ast.walk(top):
                if isinstance(node, ast.Name) and node not in attributes:
                    if node.id in known.definitions:
                        yield f"{module}:{node.id}"
                    elif node.id in known.imports:
                        yield known.imports[node.id]

    def _is_module(self, name: str) -> bool:
        return bool(name) and ":" not in name and name.split(".")[0] in self._packages and self._file(name).exists()

    def _file(self, module: str) -> Path:
        path = self._root.joinpath(*module.split("."))
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")

    def _module(self, name: str) -> _Module:
        if name not in self._modules:
            self._modules[name] = self._read(stripped(self._file(name)))
        return self._modules[name]

    def _read(self, tree: ast.Module) -> _Module:
        definitions: dict
        definitions, imports, libraries = {}, {}, set()
        for node in tree.body:
            for bound in _bound(node):
                definitions.setdefault(bound, []).append(node)
        for node in ast.walk(tree):  # those in functions, too
            for alias in getattr(node, "names", ()) if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                origin = node.module or "" if isinstance(node, ast.ImportFrom) else ""
                whole = f"{origin}.{alias.name}" if origin else alias.name
                if whole.split(".")[0] in self._packages:
                    imports[alias.asname or alias.name] = whole if self._is_module(whole) else f"{origin}:{alias.name}"
                else:
                    libraries.add(alias.asname or alias.name)
        return _Module(definitions, imports, libraries)


@dataclass(frozen=True)
class _Module:
    """definitions : name -> its statements; imports : name -> ``module:name`` or a module, of followed packages;
    libraries : names that come from other packages."""

    definitions: dict
    imports: dict
    libraries: set


def _bound(node: Any) -> set[str]:
    """Names that a statement at the top of a module makes, imports aside."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return set()
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.name for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    changed = [n.value for n in ast.walk(node) if isinstance(n, (ast.Attribute, ast.Subscript))]
    return names or {n.id for n in changed if isinstance(n, ast.Name)}  # what a bare call or item changes
