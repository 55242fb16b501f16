"""Look-alikes of S1 to S4: as hard as the real sets, and never called by their name alone."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

from tests import shared_data
from theta_app.datasets import Bundled, load
from theta_app.datasets.bundled import FOLDER, NAMES
from theta_app.engine import tdg
from theta_app.selection import size_elbow

# K-Means with the true K on the real sets: NMI
REAL = {"s1": 0.987, "s2": 0.946, "s3": 0.795, "s4": 0.721}


@pytest.mark.parametrize("name", NAMES)
def test_a_look_alike_has_5000_points_15_clusters_and_an_honest_name(name):
    data = load(Bundled(name))
    assert data.X.shape == (5000, 2)
    assert len(data.truth_names) == 15
    assert data.name == f"{name.upper()} (look-alike)"
    assert "Not the original points" in data.source


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_script_makes_the_committed_files(name):
    location = importlib.util.spec_from_file_location("make_lookalikes", FOLDER / "make_lookalikes.py")
    script = importlib.util.module_from_spec(location)
    location.loader.exec_module(script)
    made = script.look_alike(name)
    committed = pd.read_csv(FOLDER / f"{name}-lookalike.csv")
    # the last bit of a cosine differs between machines, and may turn a rounding
    assert np.abs(made - committed).to_numpy().max() <= 1
    sizes = pd.read_csv(FOLDER / "s-set-parameters.csv").query("set == @name")["size"]
    assert np.bincount(committed["cluster"]).tolist() == sizes.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_k_means_finds_a_look_alike_as_hard_as_the_real_set(name):
    data = load(Bundled(name))
    labels = KMeans(15, n_init=8, random_state=0).fit_predict(data.X)
    assert normalized_mutual_info_score(data.truth, labels) == pytest.approx(REAL[name], abs=0.02)


@pytest.mark.parametrize("name", NAMES[:3])
def test_the_sizes_drop_after_the_fifteenth_cluster(name):
    X = load(Bundled(name)).X
    assert size_elbow(tdg(X, 1e5).sizes) == 15
    # and mostly whatever the shuffles
    assert sum(size_elbow(tdg(X, 1e5, seed=seed).sizes) == 15 for seed in range(1, 6)) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_a_look_alike_shares_no_more_points_with_the_real_set_than_chance(name):
    real, _ = shared_data.points(f"s-sets/{name}")
    ours = load(Bundled(name)).X.astype(int)
    assert len(pd.DataFrame(ours).merge(pd.DataFrame(real))) <= 2
