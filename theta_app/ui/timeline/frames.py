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
    """The clustering at one value of the parameter, in what is drawn.

    value : float
    labels : int array of shape (n,)
        Group of each drawn point, 0 to G - 1: clusters, the largest first, and after them groups of outliers.
    sizes : int array of shape (G,)
        Points in each group.
    centroids : float array of shape (m, 2), or (m, 3) in 3-D
        Where to draw the centroids; m = G, or more when clusters are chains of centroids.
    readouts : dict of id -> (text, words)
        What the read-outs show: a figure, and what it means in words.
    centroid_cluster : int array of shape (m,), optional
        The cluster of each centroid; by default centroid k is of cluster k.
    segments : int array of shape (s, 2), optional
        Pairs of centroids to join by a line: the chaining graph.
    pair : four floats, in 3-D six, optional
        x, y, x, y of two points to join by a line: the closest pair of different clusters.
    elbow : int, optional
        After how many clusters, largest first, the sizes drop most.
    outliers : int
        How many groups, the last ones, are outliers.
    distances : float array of shape (n,), optional
        Distance of each point to its centroid, where the picture cannot tell (more than two features).
    strands : float array of shape (s, k, 3), optional
        Where points are drawn as lines in 3-D: lines of centroids. Frames that have the same array share it.
    strand_order : int array of shape (m,), optional
        Which of them is that of each centroid; by default centroid k has line k.
    spoken : str, optional
        What a screen reader says and a saved picture is headed; by default the value and the number of clusters.
    """

    value: float
    labels: np.ndarray
    sizes: np.ndarray
    centroids: np.ndarray
    readouts: dict[str, tuple[str, str]] = field(default_factory=dict)
    centroid_cluster: np.ndarray | None = None
    segments: np.ndarray | None = None
    pair: tuple[float, ...] | None = None
    elbow: int | None = None
    outliers: int = 0
    distances: np.ndarray | None = None
    strands: np.ndarray | None = None
    strand_order: np.ndarray | None = None
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
    """What is known about each drawn row.

    features : sequence of m names
    values : array of shape (n, m)
        NaN where missing.
    count : int
        Features in all; m may be fewer where they would be too much to send.
    texts : sequence of (name, codes (n,), words)
        Columns of texts: row i says ``words[codes[i]]``.
    image : (height, width, low, high), optional
        Where rows are pictures: their shape, and the values drawn white and black.
    """

    features: Sequence[str]
    values: np.ndarray
    count: int
    texts: Sequence[tuple[str, np.ndarray, Sequence[str]]] = ()
    image: tuple[int, int, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn.

    points : array of shape (n, 2), or (n, 3) in 3-D
        Where to draw the points.
    frames : sequence of Frame
        One per value, in any order, at least one.
    axis : Axis
    curves : sequence of Curve
        Each with one value per frame, in ascending order of the frames' values.
    ranges : sequence of Range
    recommended : float, optional
        Where a double-click goes.
    circles : "value", float or None
        Radius of the circles around centroids: the parameter itself, a fixed length, or none. On the track of ε it is
        half of ε, so that circles meet where centroids are chained.
    norm : float
        What a circle is: all places as far from its centre, in the norm p. 1 is a diamond, infinity a square.
    globe : float, optional
        On a map the radius of the sphere, in the unit of the parameter: circles are as they are there.
    plain : bool
        Whether distances in the picture are distances in the data.
    rows : int array of shape (n,), optional
        The number by which a person knows each drawn point; by default its index.
    stretch : bool
        Whether the axes have units of their own, and so scales of their own.
    aspect : float
        Else how wide one unit across is drawn, in units up: less than 1 for degrees of longitude on a map.
    solid : three names, or none
        Of the axes in 3-D.
    strands : array of shape (n, k, 3), optional
        In 3-D the k places of each point that is drawn as a line; ``points`` are their middles.
    about : RowNotes, optional
        What the tooltip says about a row.
    waiting : bool
        Whether the group of outliers, where a frame has one, are points that have not come yet: they are faint.
    pace : float, optional
        Milliseconds per value while it plays by itself.
    """

    points: np.ndarray
    frames: Sequence[Frame]
    axis: Axis
    curves: Sequence[Curve] = ()
    ranges: Sequence[Range] = ()
    recommended: float | None = None
    circles: float | str | None = "value"
    norm: float = 2.0
    globe: float | None = None
    plain: bool = True
    rows: np.ndarray | None = None
    stretch: bool = False
    aspect: float = 1.0
    solid: Sequence[str] = ()
    strands: np.ndarray | None = None
    about: RowNotes | None = None
    waiting: bool = False
    pace: float | None = None


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
    """Which sweep it is, how far it has come, and what the person may ask for.

    data : str
        Digest of the data set: when it changes, highlight and selection are forgotten.
    series : str
        Tells sweeps apart: in one series, a value always has the same labels.
    planned : int, optional
        How many values there will be when the sweep is complete; by default as many as there are.
    complete : bool
        Whether this is all there will be.
    sweeps, selects : bool
        Whether to offer wider and finer sweeps, and box and lasso.
    tells : tuple of str
        What Python wants to be told beside the value: "cluster" (a point of the one chosen), "pinned".
    """

    data: str = ""
    series: str = ""
    planned: int | None = None
    complete: bool = True
    sweeps: bool = True
    selects: bool = True
    tells: tuple[str, ...] = ()
