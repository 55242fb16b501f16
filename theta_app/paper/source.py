"""Source as far as it can change a result: without comments, docstrings, annotations and what serves them alone."""

import ast
from functools import lru_cache

_TYPING = {"__future__", "typing", "typing_extensions", "numpy.typing", "collections.abc"}
_FIELDS = {"dataclass", "NamedTuple"}  # where an annotation makes a field
_SHAPES = {"Protocol", "TypedDict"}


@lru_cache(maxsize=1024)  # a program does not change while it runs
def stripped(path):
    """The syntax tree of a file, bare of what cannot change a result; empty where there is no file."""
    return bare(path.read_text(encoding="utf-8") if path.exists() else "")


def bare(text):
    """The syntax tree of a source, bare of what cannot change a result."""
    tree = ast.parse(text)
    bared = _Bare()
    tree = bared.visit(tree)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    tree = _WithoutNames(bared.annotated - used).visit(tree)
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            node.body = node.body or [ast.Pass()]
    return tree


class _Bare(ast.NodeTransformer):
    """Drops docstrings and annotations; remembers the names that annotations use."""

    def __init__(self):
        self.annotated = set()
        self._fields = False

    def _forget(self, annotation):
        for node in ast.walk(annotation) if annotation is not None else ():
            if isinstance(node, ast.Name):
                self.annotated.add(node.id)
            elif _is_text(node):  # an annotation in quotes
                try:
                    self._forget(ast.parse(node.value, mode="eval").body)
                except SyntaxError:
                    continue

    def visit_ClassDef(self, node):
        around, self._fields = self._fields, bool(_FIELDS & {_called(n) for n in (*node.decorator_list, *node.bases)})
        if _SHAPES & {_called(base) for base in node.bases}:
            self.annotated.add(node.name)
        node = self.generic_visit(node)
        self._fields = around
        return node

    def visit_FunctionDef(self, node):
        if any(_called(decorator) == "overload" for decorator in node.decorator_list):
            return None
        self._forget(node.returns)
        around, self._fields, node.returns = self._fields, False, None
        node = self.generic_visit(node)
        self._fields = around
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node):
        self._forget(node.annotation)
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node):
        self._forget(node.annotation)
        if self._fields:
            value = self.visit(node.value) if node.value is not None else None
            return ast.AnnAssign(node.target, ast.Constant(None), value, node.simple)
        return ast.Assign([node.target], self.visit(node.value)) if node.value is not None else None

    def visit_Expr(self, node):
        return None if _is_text(node.value) else self.generic_visit(node)

    def visit_If(self, node):
        if "TYPE_CHECKING" not in ast.dump(node.test):
            return self.generic_visit(node)
        imported = [alias for inner in ast.walk(node) for alias in getattr(inner, "names", ())]
        self.annotated |= {alias.asname or alias.name for alias in imported}
        return [self.visit(inner) for inner in node.orelse] or None

    def visit_Call(self, node):
        if _called(node) == "cast" and isinstance(node.func, ast.Name) and len(node.args) == 2:
            self._forget(node.args[0])
            return self.visit(node.args[1])
        return self.generic_visit(node)


class _WithoutNames(ast.NodeTransformer):
    """Drops the imports, aliases and protocols of a module that only annotations use."""

    def __init__(self, names):
        self._names = names

    def visit_Import(self, node):
        if getattr(node, "module", None) in _TYPING:
            return None
        node.names = [alias for alias in node.names if (alias.asname or alias.name.split(".")[0]) not in self._names]
        return node if node.names else None

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node):
        return None if getattr(node.targets[0], "id", None) in self._names else node

    def visit_ClassDef(self, node):
        return None if node.name in self._names and _SHAPES & {_called(base) for base in node.bases} else node

    def visit_FunctionDef(self, node):
        return node


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _called(node):
    """The last name of what is called or named: ``dataclass`` of ``@dataclasses.dataclass(frozen=True)``."""
    node = node.func if isinstance(node, ast.Call) else node
    node = node.value if isinstance(node, ast.Subscript) else node
    return getattr(node, "attr", getattr(node, "id", None))
