"""Progress of libraries that only print it."""

import io
import re

from theta_app.engine.stopping import Progress


class PrintedSteps(io.TextIOBase):
    """A file that takes what a library prints, and tells ``progress(done, total)`` of the steps it counts.

    ``pattern`` finds the number of steps done, and their total where that is not given.
    """

    def __init__(self, progress: Progress | None, pattern: str, total: int = 0) -> None:
        self.progress, self.pattern, self.total = progress, re.compile(pattern), total

    def write(self, text: str) -> int:
        """Report the steps that a line of another library's output names."""
        for match in self.pattern.finditer(text) if self.progress else ():
            numbers = [int(number) for number in match.groups()]
            self.progress(numbers[0], self.total or numbers[-1])  # type: ignore[misc]
        return len(text)
