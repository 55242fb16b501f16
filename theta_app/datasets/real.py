"""Small real sets with known classes, from scikit-learn: they work offline."""

from dataclasses import dataclass

from sklearn import datasets as sklearn_datasets

from theta_app.datasets.dataset import from_arrays

# name -> label shown, loader, unit of θ, where it came from
SETS = {
    "iris": ("Iris", "load_iris", "cm", "150 iris flowers of three species, four lengths each (Fisher 1936)"),
    "wine": ("Wine", "load_wine", "mixed units", "178 wines of three growers, 13 chemical measurements (Forina 1988)"),
    "breast_cancer": (
        "Breast cancer",
        "load_breast_cancer",
        "mixed units",
        "569 tumours, 30 measurements of their cell nuclei (Wolberg, Street and Mangasarian 1993)",
    ),
    "digits": ("Digits", "load_digits", "grey levels", "1797 handwritten digits, 8 × 8 pixels each (Alpaydin 1998)"),
}


@dataclass(frozen=True)
class RealData:
    """One of scikit-learn's bundled sets, by name: iris, wine, breast_cancer or digits."""

    name: str = "iris"

    def __post_init__(self):
        if self.name not in SETS:
            raise ValueError(f"There is no real set {str(self.name)[:30]!r}; there are {', '.join(SETS)}.")

    @property
    def key(self):
        return self.name

    @property
    def label(self):
        return SETS[self.name][0]

    def dataset(self):
        label, loader, unit, origin = SETS[self.name]
        bunch = getattr(sklearn_datasets, loader)()
        notes = ()
        if unit == "mixed units":
            notes = ("The columns have different units: standardise them, or the largest one decides every distance.",)
        return from_arrays(
            label,
            f"{origin}; as distributed with scikit-learn.",
            bunch.data,
            bunch.target,
            [str(name) for name in bunch.target_names],
            [str(name) for name in bunch.feature_names],
            unit,
            notes,
        )
