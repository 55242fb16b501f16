"""S1 to S4 look-alikes: points drawn from the published sets' measured figures, never the published points."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from theta_app.datasets.dataset import Dataset, from_arrays
from theta_app.datasets.spec import S_SETS, Spec

_HOME = Path(__file__).resolve().parents[2]
# data/ in the project; an installed package carries the same files under a name of its own
FOLDER = next((f for f in (_HOME / "theta_app_data", _HOME / "data") if f.is_dir()), _HOME / "data")
NAMES = ("s1", "s2", "s3", "s4")


@dataclass(frozen=True)
class Bundled(Spec):
    """A look-alike that comes with the project: "s1" to "s4"."""

    name: str = "s1"

    group = S_SETS

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise ValueError(f"There is no look-alike {str(self.name)[:30]!r}; there are {', '.join(NAMES)}.")

    @property
    def key(self) -> str:
        """The name of the set in a link."""
        return self.name

    @property
    def label(self) -> str:
        """The name that the gallery shows."""
        return f"{self.name.upper()} (look-alike)"

    @property
    def help(self) -> str:
        """What the set is like, in a sentence for the gallery."""
        name = self.name.upper()
        return f"As hard as {name}: 15 clusters, 5000 points, drawn from its measured figures; works offline."

    def dataset(self) -> Dataset:
        """The points with their true classes; the same on every machine."""
        values = _values(self.name)
        return from_arrays(
            self.label,
            f"Drawn by this project from the sizes, means, covariances and radii measured on {self.name.upper()} "
            "(Fränti and Virmajoki 2006); 5000 points, 15 clusters. Not the original points.",
            values[:, :2],
            values[:, 2].astype(np.int64),
        )


@cache
def _values(name: str) -> np.ndarray:
    """Columns x, y, cluster."""
    path = FOLDER / f"{name}-lookalike.csv"
    try:
        return np.loadtxt(path, delimiter=",", skiprows=1)
    except OSError as error:
        raise LookupError(
            f"The file data/{path.name} is missing. Run python data/make_lookalikes.py in the project's folder."
        ) from error
