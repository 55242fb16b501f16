"""S1 to S4: sizes, their drop, and who is closer to the truth."""

import pytest
from sklearn.metrics import normalized_mutual_info_score

from theta_app import datasets, selection
from theta_app.compare import METHODS
from theta_app.engine import tdg
from theta_app.paper.s_sets import TRUE_K, set_result, set_table, size_table

S1 = datasets.load(datasets.Bundled("s1"))
RESULT = set_result("S1", S1.X, S1.truth, 1e5, shuffles=20)


def test_a_set_is_clustered_by_tdg_by_its_largest_and_by_k_means():
    voted = tdg(S1.X, 1e5, 20)
    largest = selection.keep_largest(S1.X, voted, TRUE_K)
    told = METHODS["kmeans++"].run(S1.X, 0, k=TRUE_K, starts=10)
    assert RESULT.drop.sizes.tolist() == sorted(voted.sizes.tolist(), reverse=True)
    expected = [normalized_mutual_info_score(S1.truth, found.labels) for found in (voted, largest, told)]
    assert [RESULT.nmi_all, RESULT.nmi_top, RESULT.nmi_kmeans] == pytest.approx(expected)


def test_the_tables_have_one_row_per_set_and_per_cluster():
    table = set_table([RESULT])
    assert table["n_clusters"].tolist() == [len(RESULT.drop.sizes)]
    assert table["suggested"].tolist() == [RESULT.drop.suggested]
    assert table["difference"].tolist() == [RESULT.nmi_top - RESULT.nmi_kmeans]
    sizes = size_table([RESULT, RESULT])
    assert sizes.columns.tolist() == ["set", "rank", "size"]
    assert len(sizes) == 2 * len(RESULT.drop.sizes)
    assert len(set_table([])) == len(size_table([])) == 0


def test_what_cannot_run_is_told_in_a_sentence():
    with pytest.raises(ValueError, match="only 3 points"):
        set_result("few", S1.X[:3], S1.truth[:3], 1e5, shuffles=2)
