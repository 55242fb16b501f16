"""The figures of the page Nonlinear, on usual, empty and extreme input."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from theta_app import datasets, selection
from theta_app.engine import tdg
from theta_app.figures import chains as figures
from theta_app.figures import palette, raster


@pytest.fixture(scope="module")
def tried():
    X = datasets.load(datasets.Moons(per_shape=80)).X
    return [selection.Chaining.of(theta, tdg(X, theta, 10)) for theta in (0.3, 0.1, 0.15)]


def test_the_map_names_the_numbers_that_cover_it_and_the_suggested_one():
    counts = np.array([[1.0, 2.0, 2.0], [3.0, np.nan, 40.0]])
    found = selection.ChainMap(np.arange(3.0), np.arange(2.0), counts, np.array([9.0, 9.0, 9.0]))
    assert figures.named_counts(found, 25) == [1, 2, 3, 25]  # 40 chains at a θ with 36 small clusters are no chains
    figure = figures.chain_map_figure(found, (1.0, 2, 0.5, 0.2, 1.0), (2.0, 1.0), "cm")
    assert figure.data[0].colorbar.ticktext == ("other", "1", "2", "3")
    assert figure.data[0].z[1][2] == 0
    assert [trace.name for trace in figure.data[2:]] == ["widest range", "where you are"]
    assert figure.layout.xaxis.title.text == "θ in cm"


def test_the_map_is_drawn_where_nothing_was_tried():
    figure = figures.chain_map_figure(selection.chain_map([]))
    assert len(figure.data[0].x) == 0


def test_the_picture_draws_every_point_every_centroid_and_every_link(tried):
    one = tried[1]
    links = one.tree.edges[: one.tree.links(0.25)]
    labels = one.at(0.25).labels
    positions = np.random.default_rng(0).normal(size=(len(labels), 2))
    figure = figures.chain_figure(figures.ChainPicture(positions, labels, one.tdg.centroids, links, "title"))
    *shapes, graph, centroids = figure.data
    assert sum(len(trace.x) for trace in shapes) == len(labels)
    assert len(shapes) == len(np.unique(labels))
    assert int(np.isnan(np.asarray(graph.x, dtype=float)).sum()) == len(links)
    assert len(centroids.x) == one.n_clusters


def test_the_picture_of_one_point_has_no_links():
    picture = figures.ChainPicture(np.zeros((1, 2)), np.zeros(1, int), np.zeros((1, 2)), np.empty((0, 2)))
    figure = figures.chain_figure(picture)
    assert len(figure.data[0].x) == 1
    assert len(figure.data[1].x) == 0


def colours(source):
    """The colours that a picture in a data address has."""
    picture = Image.open(io.BytesIO(base64.b64decode(source.split(",")[1])))
    return {pixel[:3] for pixel in np.asarray(picture).reshape(-1, 4).tolist() for pixel in [tuple(pixel)] if pixel[3]}


def test_noise_and_methods_that_did_not_run_are_grey():
    positions = np.random.default_rng(1).normal(size=(4, 2))
    panels = [
        figures.Panel("TNC", np.array([0, 0, 1, 1])),
        figures.Panel("DBSCAN", np.array([0, -1, 1, 1])),
        figures.Panel("broken", None),
    ]
    figure = figures.panels_figure(positions, panels)
    first, second, grey = map(raster.rgb, (palette.COLOURS[0], palette.COLOURS[1], palette.MUTED))
    assert [colours(image.source) for image in figure.layout.images] == [{first, second}, {first, second, grey}, {grey}]
    assert [note.text for note in figure.layout.annotations] == ["TNC", "DBSCAN", "broken"]


def test_panels_are_drawn_for_nothing_and_for_nothing_but_noise():
    assert len(figures.panels_figure(np.empty((0, 2)), []).data) == 0
    figures.panels_figure(np.zeros((3, 2)), [figures.Panel("all noise", np.full(3, -1))])
