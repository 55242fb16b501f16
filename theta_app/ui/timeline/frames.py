"""What a timeline is made of: an axis, one frame per value of it, curves, ranges, texts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from theta_app.figures.palette import COLOURS


@dataclass(frozen=True)
class Axis:
    """The parameter that is dragged: ``Axis("theta", "θ", "cm", 0.1, 40.0)``; ``counts`` is what ranges count."""

    id: str
    symbol: str
    unit: str
    low: float
    high: float
    scale: str = "log"
    counts: str = "K"

    @property
    def label(self) -> str:
        """Its symbol with the unit, where there is one."""
        return f"{self.symbol} in {self.unit}" if self.unit else self.symbol


@dataclass(frozen=True, eq=False)
class Frame:
    """The clustering at one value of the parameter, in what is drawn."""

    value: float
    # (n,) of int: group of each drawn point, 0 to G - 1: clusters, the largest first, and after them groups of outliers
    labels: np.ndarray
    sizes: np.ndarray  # (G,) of int: points in each group
    # (m, 2), or (m, 3) in 3-D: where to draw the centroids; m = G, or more when clusters are chains of centroids
    centroids: np.ndarray
    # id -> (text, words): what the read-outs show: a figure, and what it means in words
    readouts: dict[str, tuple[str, str]] = field(default_factory=dict)
    # (m,) of int: the cluster of each centroid; by default centroid k is of cluster k
    centroid_cluster: np.ndarray | None = None
    segments: np.ndarray | None = None  # (s, 2) of int: pairs of centroids to join by a line: the chaining graph
    # four floats, in 3-D six: x, y, x, y of two points to join by a line: the closest pair of different clusters
    pair: tuple[float, ...] | None = None
    elbow: int | None = None  # after how many clusters, largest first, the sizes drop most
    outliers: int = 0  # how many groups, the last ones, are outliers
    # (n,): distance of each point to its centroid, where the picture cannot tell (more than two features)
    distances: np.ndarray | None = None
    # (s, k, 3): where points are drawn as lines in 3-D: lines of centroids. Frames that have the same array share it
    strands: np.ndarray | None = None
    # (m,) of int: which of them is that of each centroid; by default centroid k has line k
    strand_order: np.ndarray | None = None
    # what a screen reader says and a saved picture is headed; by default the value and the number of clusters
    spoken: str | None = None


@dataclass(frozen=True)
class Curve:
    """A number over the parameter. Panel "k" has its own scale, logarithmic when it must; panel "unit" is 0 to 1."""

    label: str
    values: Sequence[float]
    panel: str = "unit"
    colour: str = COLOURS[0]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    dash: tuple[int, ...] = ()


@dataclass(frozen=True)
class Range:
    """A range on the track where the number of clusters holds. Strength (0 to 1) says how boldly it is painted."""

    low: float
    high: float
    middle: float
    k: int
    strength: float = 0.5
    recommended: bool = False


@dataclass(frozen=True)
class Readout:
    """A box above the picture; its texts are in the frames under the same id."""

    id: str
    label: str
    wide: bool = False


@dataclass(frozen=True, eq=False)
class RowNotes:
    """What is known about each drawn row."""

    features: Sequence[str]  # m names
    values: np.ndarray  # (n, m): NaN where missing
    count: int  # features in all; m may be fewer where they would be too much to send
    # (name, codes (n,), words): columns of texts: row i says ``words[codes[i]]``
    texts: Sequence[tuple[str, np.ndarray, Sequence[str]]] = ()
    # (height, width, low, high): where rows are pictures: their shape, and the values drawn white and black
    image: tuple[int, int, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn."""

    points: np.ndarray  # (n, 2), or (n, 3) in 3-D: where to draw the points
    frames: Sequence[Frame]  # one per value, in any order, at least one
    axis: Axis
    curves: Sequence[Curve] = ()  # each with one value per frame, in ascending order of the frames' values
    ranges: Sequence[Range] = ()
    recommended: float | None = None  # where a double-click goes
    # radius of the circles around centroids: the parameter itself ("value"), a fixed length, or none. On the track of ε
    # it is half of ε, so that circles meet where centroids are chained
    circles: float | str | None = "value"
    # what a circle is: all places as far from its centre, in the norm p. 1 is a diamond, infinity a square
    norm: float = 2.0
    # on a map the radius of the sphere, in the unit of the parameter: circles are as they are there
    globe: float | None = None
    plain: bool = True  # whether distances in the picture are distances in the data
    # (n,) of int: the number by which a person knows each drawn point; by default its index
    rows: np.ndarray | None = None
    stretch: bool = False  # whether the axes have units of their own, and so scales of their own
    # else how wide one unit across is drawn, in units up: less than 1 for degrees of longitude on a map
    aspect: float = 1.0
    solid: Sequence[str] = ()  # three names of the axes in 3-D, or none
    # (n, k, 3): in 3-D the k places of each point that is drawn as a line; ``points`` are their middles
    strands: np.ndarray | None = None
    about: RowNotes | None = None  # what the tooltip says about a row
    # whether the group of outliers, where a frame has one, are points that have not come yet: they are faint
    waiting: bool = False
    pace: float | None = None  # milliseconds per value while it plays by itself


@dataclass(frozen=True)
class Texts:
    """What is said: read-outs (the first of the parameter), words on the picture and by it, the name of files."""

    readouts: Sequence[Readout] = ()
    caption: str = ""
    note: str = ""
    hint: str = ""
    name: str = "picture"


@dataclass(frozen=True)
class Options:
    """Which sweep it is, how far it has come, and what the person may ask for."""

    data: str = ""  # digest of the data set: when it changes, highlight and selection are forgotten
    series: str = ""  # tells sweeps apart: in one series, a value always has the same labels
    # how many values there will be when the sweep is complete; by default as many as there are
    planned: int | None = None
    complete: bool = True  # whether this is all there will be
    # sweeps, selects: whether to offer wider and finer sweeps, and box and lasso
    sweeps: bool = True
    selects: bool = True
    # what Python wants to be told beside the value: "cluster" (a point of the one chosen), "pinned"
    tells: tuple[str, ...] = ()
