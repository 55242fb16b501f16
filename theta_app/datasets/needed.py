"""Libraries that a notebook does without: imported when they are first used, a sentence where they are missing."""

import importlib
from typing import Any


class Needed:
    """A module of a library that comes with an extra of this package; its names are this object's attributes.

    module : str
    extra : str
        ``pip install 'theta-app[extra]'`` brings it.
    error : type
        Of the exception, which says that.
    """

    def __init__(self, module: str, extra: str, error: type[Exception]) -> None:
        self._module, self._extra, self._error = module, extra, error

    def __getattr__(self, name: str) -> Any:
        try:
            found = importlib.import_module(self._module)
        except ModuleNotFoundError as missing:
            library = self._module.partition(".")[0]
            raise self._error(f"This needs {library}: pip install 'theta-app[{self._extra}]'") from missing
        return getattr(found, name)
