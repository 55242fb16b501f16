"""The stored runs on MNIST: at once, with what is missing said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from theta_app.datasets import mnist, originals
from theta_app.deep import STARTS
from theta_app.paper import deep, deep_results
from theta_app.ui import store
from theta_app.ui.pages.paper import views as shared
from theta_app.ui.pages.paper.deep import views
from theta_app.ui.widgets import closed, controls, links
from theta_app.ui.widgets.words import count

if TYPE_CHECKING:
    import pandas as pd


_LEVELS = {"accuracy": tuple((value, f"{name} {100 * value:.3g} %") for name, value in deep.PUBLISHED.items())}


def show() -> None:
    """Draw the stored runs of a trial."""
    trial = _choose()
    found = deep_results.stored(trial.key)
    if not found.rows:
        st.info(f"There is no stored run. `python -m theta_app.paper {trial.key}` makes one, in an hour or more.")
        return
    _provenance(trial, found)
    shared.say_if_stale(found, trial.key, "these runs")
    frame = found.frame()
    views.answer(frame)
    _reached(frame)
    views.curves(frame, trial.key, _LEVELS)
    seeds = "Lines are medians over the seeds; bands go from the lowest to the highest. "
    st.caption(
        f"{seeds if frame['seed'].nunique() > 1 else ''}DEC and IDEC are as their own papers report them, started from "
        "K-Means."
    )
    views.table(frame, trial.key)
    _vote(found)
    if box := closed.section("The space, before and after", "deep-spaces", "bubble_chart"):
        with box:
            _spaces(found)
    if box := closed.section("What's in each cluster?", "deep-members", "photo_library"):
        with box:
            _members(found)


def _choose() -> deep.Trial:
    listed = {key: trial.title for key, trial in deep.TRIALS.items() if trial.listed}
    return deep.TRIALS[controls.one_of("deep_trial", listed, "Run")]


def _provenance(trial: deep.Trial, found: deep_results.DeepResults) -> None:
    plan = found.plan
    if found.share < 1:
        st.warning(
            f"This run is not complete: {found.share:.0%} of its epochs are done. `python -m theta_app.paper "
            f"{trial.key}` continues it.",
            icon=":material/hourglass_top:",
        )
    widths = "-".join(map(str, (*plan["recipe"]["hidden"], plan["recipe"]["latent"])))
    st.caption(
        f"{plan['images']:,} images, {len(found.whole_seeds())} of {count(plan['seeds'], 'seed')}; encoder {widths}; "
        f"{plan['layer_epochs']} epochs per layer, {plan['pretrain_epochs']} of the autoencoder, {plan['epochs']} from "
        f"each start; images moved by up to {plan['recipe']['shift']} pixels. Measured {found.made} on "
        f"{found.machine['processor']}, one core; jax {found.versions['jax']}."
    )


def _reached(frame: pd.DataFrame) -> None:
    """How K-Means did beside what was published of it."""
    ends = deep_results.summary(frame).set_index("start")["accuracy_end"]
    if "k-means" not in ends:
        return
    value = ends["k-means"]
    levels = ((name, deep.PUBLISHED[name]) for name in ("DEC", "IDEC"))
    told = " and ".join(
        f"{'at least' if value >= level else 'less than'} the {100 * level:.3g} % of {name}" for name, level in levels
    )
    st.markdown(f"K-Means reached {100 * value:.1f} % here, {told}, which started from K-Means, too.")


def _vote(found: deep_results.DeepResults) -> None:
    if not found.votes:
        return
    with st.expander("How TDG's start was found without labels"):
        st.markdown(
            "θ depends on the scale of the space, so the paper's 4.724 does not fit here. Going down from large θ, "
            "every θ whose 10 largest clusters hold at least half of the images votes with their 10 centroids. TDG "
            "groups these centroids, and its 10 largest groups are the start. The rule was chosen because it is "
            "steady, before its scores were seen."
        )
        for vote in found.votes:
            thetas = [one["theta"] for one in vote["tried"]]
            st.markdown(
                f"Seed {vote['seed']}: {len(thetas)} values of θ from {min(thetas):.3g} to {max(thetas):.3g} voted; at "
                f"{vote['theta']:.3g} the images lie nearest to the centroids."
            )


def _spaces(found: deep_results.DeepResults) -> None:
    pictures = {picture.start: picture for picture in found.pictures}
    if not pictures:
        return
    by = views.coloured_by(True)
    order = [name for name in ("", *STARTS) if name in pictures]
    drawn = {name: views.Drawn(pictures[name].places, pictures[name].labels) for name in order}
    truth = next(iter(pictures.values())).truth
    views.spaces(drawn, truth, [f"digit {digit}" for digit in range(10)], by, found.trial)
    st.caption(f"{len(truth):,} images of seed 0 by t-SNE, which keeps neighbours together and distorts distances.")


def _members(found: deep_results.DeepResults) -> None:
    pictures = {picture.start: picture for picture in found.pictures if picture.most is not None}
    known = {name: pictures[name] for name in STARTS if name in pictures}
    if not known:
        return
    start = st.segmented_control(
        "Clusters started from",
        list(known),
        format_func=STARTS.get,
        default=next(iter(known)),
        required=True,
        key="deep-members-start",
    )
    images = _images()
    if images is None:
        st.info("The images themselves are not part of this project.")
        links.page_link("pages/Data.py", "Download MNIST on the Data page to see them", ":material/cloud_download:")
        return
    views.members(images[known[start].most], images[known[start].least], mnist.SHAPE)


def _images() -> np.ndarray | None:
    """MNIST's pictures, where they have been downloaded to this machine; None otherwise."""
    try:
        return store.DATA.get_or_make("mnist pictures", lambda: originals.all_images()[0])
    except (LookupError, ValueError):
        return None
