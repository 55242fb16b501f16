"""From the first shuffles of TDG at one θ to what the shuffle slider shows: one frame per number of shuffles."""

from dataclasses import replace
from typing import Any

import numpy as np

from theta_app import datasets, selection
from theta_app.engine import Progress
from theta_app.ui import answers, store, sweeps
from theta_app.ui.timeline.frames import Axis, Frame, Options, Picture, Texts
from theta_app.ui.timeline.look import usual_look
from theta_app.ui.timeline.of_theta import ShownSweep, readouts, theta_frame
from theta_app.ui.timeline.wire import Packed, pack
from theta_app.ui.widgets.words import count, short

_SOME = (1, 2, 5, 10, 20)  # numbers of shuffles that are shown where more points are drawn than swept


def shuffle_frames(
    sweep: ShownSweep, data: datasets.Dataset, theta: float, shown: Packed, progress: Progress | None = None
) -> Packed:
    """A frame per number of shuffles at θ, its clusters in the colours they have on the timeline ``shown``."""
    points, settings = sweep.sample, sweep.settings
    found = sweeps.prefixes(points, theta, settings, progress)
    key = (shown.digest, "shuffles", theta)
    return store.PICTURES.get_or_make(key, lambda: _make(sweep, data, theta, shown, found))


def _make(
    sweep: ShownSweep, data: datasets.Dataset, theta: float, shown: Packed, found: list[selection.ThetaPoint]
) -> Packed:
    points, settings = sweep.sample, sweep.settings
    # the ε of a chain is the one that stands on the page, whatever the first shuffles alone would suggest
    if settings.algorithm == "TNC":
        settings = replace(settings, epsilon=answers.epsilon_of(points, settings, sweep.points[theta]))
    look = sweep.look or usual_look(points, settings.projection)
    sweep = replace(sweep, settings=settings, look=look)
    if sweep.more is not None:
        found = [point for point in found if point.row["shuffles"] in (*_SOME, settings.shuffles)]
    frames = [_frame(sweep.frame_of(point, data.unit).frame, point, settings.shuffles) for point in found]
    axis = Axis("shuffles", "shuffles", "", 1, max(settings.shuffles, 2), "linear")
    picture = Picture(sweep.drawn_at, frames, axis, circles=None, strands=look.strands)
    at_theta = theta_frame(points, sweep.points[theta], settings, data.unit, look).frame
    series, last, colours = f"shuffles at {theta!r}", frames[-1].value, shown.colours[theta]
    known: dict[str, Any] = {
        "colours": {last: colours},
        "marks": {last: shown.marks[theta]},
        "anchor": (at_theta.labels, colours),
    }
    boxes = [box for box in readouts(points, settings.algorithm) if box.id in frames[0].readouts]
    before = replace(shown, series=series, **known)
    if sweep.more is not None:
        before = replace(before, anchor=(at_theta.labels, colours, points.rows))
    return pack(picture, Texts(boxes), Options(shown.data, series), before)


def _frame(frame: Frame, point: selection.ThetaPoint, most: int) -> Frame:
    """A frame of θ as one of a number of shuffles."""
    used = point.row["shuffles"]
    clusters = f"{count(len(frame.sizes), 'cluster')}, order agreement {frame.readouts['agreement'][0]}"
    spoken = f"θ = {short(point.theta)}, {used} of {count(most, 'shuffle')}: {clusters}"
    labels = frame.labels.astype(np.int32, copy=False)
    return replace(frame, value=float(used), labels=labels, distances=None, spoken=spoken)
