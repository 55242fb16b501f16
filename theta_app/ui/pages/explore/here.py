"""Where the person stands: the clusters at the θ that is shown, what they are called, and which one is chosen."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from theta_app import datasets, profiles
from theta_app.ui import cache, session, store
from theta_app.ui.timeline import Frame
from theta_app.ui.timeline.look import row_numbers, row_places
from theta_app.ui.timeline.of_theta import ShownSweep

_CHOSEN = "explore.chosen"  # (data, row number or None): the cluster of that row is looked at
_PUT = "explore.put"  # (data, row number or None, serial): what the picture was last told about it


@dataclass(frozen=True, eq=False)
class Here:
    """The clustering that is shown at θ. Clusters are counted 0, 1, ... as in ``frame.labels``."""

    shown: ShownSweep
    data: datasets.Dataset
    theta: float
    frame: Frame

    @property
    def labels(self) -> np.ndarray:
        return self.frame.labels

    @cached_property
    def numbers(self) -> np.ndarray:
        """The row number of each drawn point, as the file has it."""
        return row_numbers(self.data, self.shown.sample.rows)

    @cached_property
    def values(self) -> np.ndarray:
        """The drawn rows in the units of the file."""
        return profiles.original_values(self.data)[self.shown.sample.rows]

    @cached_property
    def names(self) -> dict[int, str]:
        """What the person calls clusters."""
        names = dict(session.settings().marks.names)
        return profiles.names_of(self.labels, names, row_places(set(names), self.data, self.shown.sample))

    def number(self, cluster: int) -> int:
        """The number that downloads have for a cluster."""
        return int(cluster if self.frame.names is None else self.frame.names[cluster])

    def called(self, cluster: int) -> str:
        name = self.names.get(cluster)
        return f"{name} (cluster {self.number(cluster)})" if name else f"cluster {self.number(cluster)}"

    def rows_of(self, cluster: int) -> np.ndarray:
        """The row numbers of a cluster."""
        return self.numbers[self.labels == cluster]

    @property
    def chosen(self) -> int | None:
        """The cluster that is looked at."""
        digest, row = st.session_state.get(_CHOSEN, ("", None))
        if digest != self.data.digest or row is None:
            return None
        at = row_places({row}, self.data, self.shown.sample)
        return int(self.labels[at[row]]) if at else None

    @cached_property
    def neighbour(self) -> profiles.Neighbour | None:
        """The nearest cluster of the chosen one."""
        return None if self.chosen is None else profiles.nearest_cluster(self.shown.sample.X, self.labels, self.chosen)

    def silhouettes(self, progress=None) -> np.ndarray:
        """Of every drawn point; kept."""
        X, labels = self.shown.sample.X, self.labels
        key = (self.shown.sample.key, "silhouettes of", hashlib.sha256(labels.tobytes()).digest())
        return cache.run(key, lambda report, cancel: profiles.point_silhouettes(X, labels), progress, store.PICTURES)


def here(shown: ShownSweep, data: datasets.Dataset, theta: float) -> Here | None:
    """None while nothing has been swept at θ."""
    found = shown.frame_at(theta, data.unit)
    return None if found is None else Here(shown, data, theta, found.frame)


def choose(data: datasets.Dataset, row: int | None, *, told: bool) -> None:
    """Look at the cluster of a row. ``told``: whether the picture has to be told, because it was not chosen there."""
    row = None if row is None else int(row)
    st.session_state[_CHOSEN] = (data.digest, row)
    if told:
        serial = st.session_state.get(_PUT, ("", None, 0))[2]
        st.session_state[_PUT] = (data.digest, row, serial + 1)


def chosen_row(shown: ShownSweep, data: datasets.Dataset) -> tuple[int, int] | None:
    """(index of a drawn point, serial) of the cluster last chosen outside the picture; index -1 for none."""
    digest, row, serial = st.session_state.get(_PUT, ("", None, 0))
    if digest != data.digest:
        return None
    at = {} if row is None else row_places({row}, data, shown.sample)
    return at.get(row, -1), serial
