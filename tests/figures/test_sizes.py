"""The paper's figure of cluster sizes, read back."""

import pytest

from theta_app import selection
from theta_app.figures import paper as figures
from theta_app.paper import s_sets


def result(name, found, top=0.9, told=0.95):
    return s_sets.SetResult(name, selection.size_drop(found), 2, 0.8, top, told)


@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_each_set_has_its_line_and_its_true_number_marked(count):
    results = [result(f"S{i}", [300, 290, 20]) for i in range(count)]
    figure = figures.set_figure(results)
    assert [list(t.y) for t in figure.data] == [[300, 290, 20]] * count
    assert [shape.x0 for shape in figure.layout.shapes] == [2.5] * count
    assert len(s_sets.size_table(results)) == 3 * count
    assert len(s_sets.set_table(results)) == count
