"""Figures of the automatic answer show the numbers they are given."""

from tests.paper.quality_run import METHODS, run
from theta_app.figures import paper as figures
from theta_app.paper import quality


def test_every_method_has_a_mark_per_group_and_the_first_lies_above():
    means = quality.group_means(run())
    figure = figures.group_figure(means, METHODS)
    marks = {trace.name: trace for trace in figure.data}
    assert set(marks) == set(METHODS.values())
    for label, trace in marks.items():
        assert list(trace.x) == means[label].tolist()
        assert list(trace.y) == ["Round (2)", "Shapes (1)", "All sets (3)"]
    assert figure.data[-1].name == "ThetA", "what comes last is drawn above"
    assert marks["ThetA"].marker.size > marks["HDBSCAN"].marker.size


def test_methods_can_be_told_apart_without_colour():
    figure = figures.group_figure(quality.group_means(run()), dict.fromkeys(figures._LOOKS, "HDBSCAN"))
    looks = [trace.marker.symbol for trace in figure.data]
    assert len(set(looks)) == len(looks)


def test_the_reliability_curve_has_a_mark_per_bin_beside_the_line_of_equals():
    bins = quality.reliability(run())
    line, answers = figures.reliability_figure(bins).data
    assert list(line.x) == list(line.y) == [0, 1]
    assert list(answers.x) == bins["confidence"].tolist()
    assert list(answers.y) == bins["right"].tolist()
    assert list(answers.text) == ["2", "2"]


def test_nothing_measured_is_drawn_as_an_empty_figure():
    empty = run([], [], [], [])
    assert all(len(trace.x) == 0 for trace in figures.group_figure(quality.group_means(empty), METHODS).data)
    assert len(figures.reliability_figure(quality.reliability(empty)).data[1].x) == 0
