"""Where the person stands: the clusters that are shown, what they are called, and which one is chosen."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from theta_app import datasets, profiles, selection
from theta_app.clustering import OUTLIER, Clustering
from theta_app.engine import Progress
from theta_app.ui import scheduled, store
from theta_app.ui.timeline import Frame
from theta_app.ui.timeline.look import row_positions

_CHOSEN = "inside.chosen"  # (data, row number or None): the cluster of that row is looked at
_PUT = "inside.put"  # (data, row number or None, serial): what the picture was last told about it
_BOX = "inside.box"


@dataclass(frozen=True, eq=False)
class ClusterView:
    """The clustering that is shown. Groups are counted 0, 1, ... as in ``frame.labels``."""

    clustering: Clustering  # the answer itself
    sample: selection.Sample  # the points that are drawn
    frame: Frame
    positions: np.ndarray  # (n, 2): where the points are drawn
    # callable(i, j) -> str: a sentence: what would make one cluster of those of two drawn points
    joins: Callable[[int, int], str]
    at: str  # where the person stands, for names of files: "theta=3.6"
    merges: bool = True  # whether clusters may be joined by hand here

    @property
    def labels(self) -> np.ndarray:
        """The group of every row on the screen."""
        return self.frame.labels

    @cached_property
    def numbers(self) -> np.ndarray:
        """The row number of each drawn point, as the file has it."""
        return self.data.numbers[self.sample.rows]

    @cached_property
    def told(self) -> tuple[tuple[str, ...], np.ndarray]:
        """What says what the drawn rows are: names, and a value of each row."""
        return profiles.told(self.data, self.sample.rows)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the columns of ``values``."""
        return self.told[0]

    @property
    def values(self) -> np.ndarray:
        """The drawn rows in the units of the file."""
        return self.told[1]

    @property
    def data(self) -> datasets.Dataset:
        """The data set that was clustered."""
        return self.clustering.data

    @property
    def names(self) -> dict[int, str]:
        """What the person calls clusters."""
        return self.clustering.names

    def number(self, group: int) -> int:
        """The number that exports have for a group."""
        return int(group) if group < self.clustering.n_clusters else OUTLIER

    def called(self, group: int) -> str:
        """What a group is called in a sentence: its name if it has one, else its number."""
        name, first = self.names.get(group), self.clustering.n_clusters
        number = f"cluster {group}" if group < first else f"outlier group {group - first + 1}"
        return f"{name} ({number})" if name else number

    def rows_of(self, cluster: int) -> np.ndarray:
        """The row numbers of a cluster."""
        return self.numbers[self.labels == cluster]

    @property
    def chosen(self) -> int | None:
        """The cluster that is looked at."""
        digest, row = st.session_state.get(_CHOSEN, ("", None))
        if digest != self.data.digest or row is None:
            return None
        at = row_positions({row}, self.data, self.sample)
        return int(self.labels[at[row]]) if at else None

    @cached_property
    def neighbour(self) -> profiles.Neighbour | None:
        """The nearest cluster of the chosen one."""
        if self.chosen is None:
            return None
        return profiles.nearest_cluster(self.sample.X, self.labels, self.chosen, self.sample.metric)

    def typical(self, cluster: int, count: int) -> np.ndarray:
        """Positions of the most typical rows of a cluster."""
        return profiles.typical_rows(self.sample.X, self.labels == cluster, count, self.sample.metric)

    def silhouettes(self, progress: Progress | None = None) -> np.ndarray:
        """Of every drawn point, as far as they are not too many; kept."""
        points, labels = self.sample, self.labels
        many = len(labels) > selection.MOST_POINTS
        of = profiles.silhouettes_of_many if many else profiles.point_silhouettes
        work = lambda report, cancel: of(points.X, labels, metric=points.metric)  # noqa: E731
        key = (self.sample.key, "silhouettes of", hashlib.sha256(labels.tobytes()).digest())
        return scheduled.run(key, work, progress, store.PICTURES)


def choose(data: datasets.Dataset, row: int | None, *, told: bool) -> None:
    """Look at the cluster of a row. ``told``: whether the picture has to be told, because it was not chosen there."""
    row = None if row is None else int(row)
    st.session_state[_CHOSEN] = (data.digest, row)
    if not told:
        st.session_state[_BOX] = box() + 1
    else:
        serial = st.session_state.get(_PUT, ("", None, 0))[2]
        st.session_state[_PUT] = (data.digest, row, serial + 1)


def box() -> int:
    """Which box of clusters it is: another after each choice in the picture.

    A browser that has not yet seen a run's new value sends the old one again, which would pass for a choice in the box.
    """
    return st.session_state.get(_BOX, 0)


def chosen_point(points: selection.Sample, data: datasets.Dataset) -> tuple[int, int] | None:
    """(index of a drawn point, serial) of the cluster last chosen outside the picture; index -1 for none."""
    digest, row, serial = st.session_state.get(_PUT, ("", None, 0))
    if digest != data.digest:
        return None
    at = {} if row is None else row_positions({row}, data, points)
    return at.get(row, -1), serial


def marked(points: selection.Sample, data: datasets.Dataset, i: int | None) -> None:
    """A cluster has been chosen in the picture, by the index of one of its points; None: no longer."""
    known = i is not None and i < len(points.rows)
    choose(data, data.numbers[points.rows][i] if known else None, told=False)
