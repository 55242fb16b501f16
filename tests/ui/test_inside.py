"""What is in a cluster, on the page Explore, without a browser."""

import hashlib
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.ui.conftest import VISITOR
from tests.ui.helpers import by_size, complaints
from theta_app import datasets, selection
from theta_app.engine import tdg
from theta_app.ui import session, store
from theta_app.ui.widgets.words import short

QUERY = {"data": "iris", "scaling": "standard", "shuffles": "5", "theta": "1.6", "algorithm": "TDG"}
IRIS = datasets.load(datasets.RealData("iris"))
SCALED = datasets.prepare(IRIS, datasets.Preparation(scaling="standard"))
LABELS = by_size(tdg(SCALED.X, 1.6, 5, 0).labels)


@pytest.fixture
def page(open_page):
    def run(**query):
        at = open_page(query={**QUERY, **query})
        assert not complaints(at)
        return at

    return run


def widget(at, kind, label):
    return next(one for one in at.get(kind) if one.label == label)


def html_of(at, testid):
    return next((e.proto.body for e in at.get("html") if f'data-testid="{testid}"' in e.proto.body), None)


def major(labels):
    sizes = np.unique(labels, return_counts=True)[1]
    return len(sizes) - selection.count_outlier_clusters(sizes)


def marks(at):
    return at.session_state["theta_app.state"].settings.marks


def test_a_cluster_is_profiled_in_the_units_of_the_file_the_most_telling_feature_first(page):
    at = page()
    assert html_of(at, "profile") is None
    widget(at, "selectbox", "Cluster").select(0).run()
    assert not complaints(at)
    frame = pd.DataFrame(IRIS.X, columns=list(IRIS.features))
    group = frame[LABELS == 0]
    apart = ((group.mean() - frame.mean()) / frame.std(ddof=0)).sort_values(key=np.abs, ascending=False)
    shown = html_of(at, "profile")
    assert re.findall(r'<span title="([^"]+)">', shown) == list(apart.index)
    for name in IRIS.features:
        assert f"{short(group[name].mean())} ± {short(group[name].std(ddof=0))}" in shown
        assert f"{apart[name]:+.2f} sd" in shown
    facts = " ".join(text.value for text in at.markdown)
    assert f"**{len(group)} points**" in facts
    assert "Nearest: **cluster" in facts
    assert "They merge from θ" in facts
    mix = html_of(at, "label-mix")
    assert f"({(IRIS.truth[LABELS == 0] == 0).sum()} of 50)" in mix or "setosa" not in mix


def test_names_colours_and_merges_reach_picture_and_link_and_are_undone(page):
    at = page()
    k = LABELS.max() + 1
    assert k > 2
    widget(at, "selectbox", "Cluster").select(1).run()
    widget(at, "text_input", "Name").set_value("long petals").run()
    assert [name for _, name in marks(at).names] == ["long petals"]
    row = marks(at).names[0][0]
    assert LABELS[row - 1] == 1
    assert "long petals" in str(at.query_params["marks"])
    widget(at, "color_picker", "Colour").set_value("#123456").run()
    assert marks(at).colours == ((row, "#123456"),)
    widget(at, "button", "Merge").click().run()
    assert not complaints(at)
    ((one, other),) = marks(at).merges
    joined = np.where(LABELS[other - 1] == LABELS, LABELS[one - 1], LABELS)
    assert len(np.unique(joined)) == k - 1
    assert f'data-k="{major(joined)}"' in html_of(at, "findings")
    widget(at, "button", "Undo the merge").click().run()
    assert f'data-k="{major(LABELS)}"' in html_of(at, "findings")
    assert marks(at).merges == ()
    assert "merges" not in code_of(at)


def code_of(at) -> str:
    at.session_state["export-code"] = True  # the section is open
    return at.run().code[0].value


def test_merged_labels_and_a_part_of_the_rows_are_in_the_snippet_too(page):
    at = page(marks="m1+150", rows=str(session.RowSet.of(np.arange(1, 151, 2).tolist() + [150])))
    assert "Only **76 of 150 rows**" in " ".join(text.value for text in at.markdown)
    names: dict = {}
    exec(code_of(at), names)
    assert len(names["labels"]) == 76
    assert names["labels"][0] == names["labels"][-1]


def test_a_cluster_is_kept_alone_or_left_out_and_both_are_undone(page):
    at = page()
    widget(at, "selectbox", "Cluster").select(0).run()
    widget(at, "button", "Cluster this cluster only").click().run()
    assert not complaints(at)
    state = at.session_state["theta_app.state"]
    assert state.settings.rows.numbers().tolist() == (1 + np.flatnonzero(LABELS == 0)).tolist()
    assert state.settings.theta is None  # it was chosen for other points
    assert f"Only **{(LABELS == 0).sum()} of" in " ".join(text.value for text in at.markdown)
    widget(at, "button", "Undo").click().run()
    assert at.session_state["theta_app.state"].settings == session.Settings(algorithm="TDG", theta=1.6, shuffles=5)
    widget(at, "selectbox", "Cluster").select(0).run()
    widget(at, "button", "Leave this cluster out").click().run()
    left = at.session_state["theta_app.state"].settings.rows.numbers()
    assert left.tolist() == (1 + np.flatnonzero(LABELS != 0)).tolist()
    widget(at, "button", "Bring all rows back").click().run()
    assert at.session_state["theta_app.state"].settings.rows is None
    assert not complaints(at)


def test_all_clusters_are_a_table_of_means_and_a_heat_map(page):
    at = page(o_inside="All clusters")
    table = next(t.value for t in at.dataframe if "silhouette" in t.value.columns)
    expected = pd.DataFrame(IRIS.X, columns=list(IRIS.features)).groupby(LABELS).mean()
    np.testing.assert_allclose(table[list(IRIS.features)], expected)
    k = major(LABELS)
    assert table["cluster"].tolist() == [*range(k), *[-1] * (len(expected) - k)]
    assert table["points"].tolist() == sorted(np.bincount(LABELS), reverse=True)
    assert len(at.get("plotly_chart")) == 1


@pytest.mark.parametrize(
    ("query", "said"),
    [({"colour_by": "silhouette"}, None), ({"colour_by": "=petal length (cm)"}, None), ({"colour_by": "truth"}, None)]
    + [({"projection": "none", "across": "petal length (cm)", "up": "sepal width (cm)"}, "Up")],
)
def test_colours_and_axes_come_with_the_link(page, query, said):
    at = page(**query)
    assert widget(at, "selectbox", "Colour by").value == query.get("colour_by", "cluster")
    if said:
        assert widget(at, "selectbox", "Across").value == query["across"]
        assert widget(at, "selectbox", "Up").value == query["up"]


def test_points_are_coloured_by_any_column_of_the_file_used_or_not(open_page):
    table = pd.DataFrame({"x": np.arange(40.0) % 7, "y": np.arange(40.0) % 5, "town": ["Ulm", "Bonn"] * 20})
    table["code"] = np.arange(1000, 1040)
    content = table.to_csv(index=False).encode()
    spec = datasets.Upload(hashlib.sha256(content).hexdigest())
    store.UPLOADS.put((VISITOR, spec.digest), replace(datasets.parse_upload("t.csv", content), spec=spec))
    for column in ("x", "town", "code"):
        chosen = datasets.preparation_to_query(datasets.Preparation(columns=("x", "y")))
        query = {**datasets.spec_to_query(spec), **chosen, "shuffles": "4", "colour_by": f"={column}"}
        at = open_page(query=query, visitor=VISITOR)
        assert complaints(at) == []
        box = widget(at, "selectbox", "Colour by")
        assert (box.value, {"town", "code"} <= set(box.options)) == (f"={column}", True)


def test_a_row_is_found_by_number_and_by_text(page):
    at = page()
    box = widget(at, "text_input", "Find a row")
    box.set_value("virgin").run()
    assert "50 rows found" in " ".join(text.value for text in at.caption)
    widget(at, "text_input", "Find a row").set_value("149").run()
    assert "1 row found" in " ".join(text.value for text in at.caption)
    widget(at, "text_input", "Find a row").set_value("nobody").run()
    assert "No row has" in " ".join(text.value for text in at.caption)


def test_digits_are_shown_as_pictures_and_a_shape_can_be_stated(open_page):
    X = np.random.default_rng(0).integers(0, 9, (60, 24)).astype(float)
    at = open_page(X=X, shuffles=5, theta=20.0, algorithm="TDG", image="4x6")
    widget(at, "selectbox", "Cluster").select(0).run()
    assert not complaints(at)
    assert html_of(at, "thumbnails").count("<img") >= 4
    widget(at, "text_input", "Rows are pictures of").set_value("").run()
    assert html_of(at, "thumbnails") is None
    widget(at, "text_input", "Rows are pictures of").set_value("3 x 9").run()
    assert at.session_state["theta_app.state"].settings.image == ""
