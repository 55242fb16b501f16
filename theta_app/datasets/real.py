"""Small real sets with known classes, from scikit-learn: they work offline."""

from dataclasses import dataclass

from theta_app.datasets.dataset import Dataset, from_arrays
from theta_app.datasets.spec import REAL, Spec

MIXED = "mixed units"


@dataclass(frozen=True)
class RealSet:
    """What is known about a set of scikit-learn's."""

    label: str  # what it is called
    load: str  # the name of scikit-learn's function that reads it
    unit: str  # what one unit of θ means
    origin: str  # what was measured, and by whom; a sentence without its full stop


SETS = {
    "iris": RealSet("Iris", "load_iris", "cm", "150 iris flowers of three species, four lengths each (Fisher 1936)"),
    "wine": RealSet(
        "Wine",
        "load_wine",
        MIXED,
        "178 wines of three growers, 13 chemical measurements (Forina 1988)",
    ),
    "breast_cancer": RealSet(
        "Breast cancer",
        "load_breast_cancer",
        MIXED,
        "569 tumours, 30 measurements of their cell nuclei (Wolberg, Street and Mangasarian 1993)",
    ),
    "digits": RealSet(
        "Digits",
        "load_digits",
        "grey levels",
        "1797 handwritten digits, 8 × 8 pixels each (Alpaydin 1998)",
    ),
}


@dataclass(frozen=True)
class RealData(Spec):
    """One of scikit-learn's bundled sets, by name: iris, wine, breast_cancer or digits (the keys of `SETS`)."""

    name: str = "iris"

    group = REAL

    def __post_init__(self) -> None:
        if self.name not in SETS:
            raise ValueError(f"There is no real set {str(self.name)[:30]!r}; there are {', '.join(SETS)}.")

    @property
    def key(self) -> str:
        """The name of the set in a link."""
        return self.name

    @property
    def label(self) -> str:
        """The name that the gallery shows."""
        return SETS[self.name].label

    @property
    def help(self) -> str:
        """Where the set comes from, in a sentence for the gallery."""
        return f"{SETS[self.name].origin}."

    def dataset(self) -> Dataset:
        """The rows with their true classes, as scikit-learn has them."""
        from sklearn import datasets as sklearn_datasets  # takes a second, which reading an upload need not wait for

        chosen = SETS[self.name]
        bunch = getattr(sklearn_datasets, chosen.load)()
        return from_arrays(
            chosen.label,
            f"{chosen.origin}; as distributed with scikit-learn.",
            bunch.data,
            bunch.target,
            [str(name) for name in bunch.target_names],
            [str(name) for name in bunch.feature_names],
            chosen.unit,
        )
