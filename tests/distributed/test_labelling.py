"""Every row of Parquet files labelled: the command, going on after a stop, and what cannot be read."""

import numpy as np
import pandas as pd
import pytest

from tests.distributed.conftest import written
from theta_app import engine
from theta_app.command import main
from theta_app.distributed import BY_PART, BY_SHUFFLE, DistributedError
from theta_app.distributed.labelling import Task, label
from theta_app.distributed.parquet import Source


@pytest.fixture
def few(hard):
    return hard[:3000]


@pytest.fixture
def no_new_cluster(here, monkeypatch):
    """The command uses the cluster of the tests: starting one takes seconds."""
    from contextlib import nullcontext

    monkeypatch.setattr("theta_app.distributed.connect", lambda address: nullcontext(here))


def run(*arguments):
    return main(["cluster", *map(str, arguments), "--scheduler", "of the tests"])


@pytest.mark.parametrize("way", [BY_SHUFFLE, BY_PART])
def test_the_command_labels_every_row_beside_its_own_index(no_new_cluster, few, tmp_path, capsys, way):
    index = pd.Index([f"row {i}" for i in range(len(few))], name="id")
    points = few.copy()
    points[17, 1] = np.nan
    path, output = written(tmp_path / "points.parquet", points, index), tmp_path / "labels.parquet"
    settings = ("--columns", "x,y", "--shuffles", 5, "--rows", 1000, "--way", way)
    assert run(path, "--theta", 3.6, "--output", output, *settings) == 0
    found = pd.read_parquet(output)
    assert found["id"].tolist() == index.tolist()
    assert np.flatnonzero(found["cluster"].isna()).tolist() == [17]
    if way == BY_SHUFFLE:
        expected = engine.tdg(np.delete(points, 17, axis=0), 3.6, 5).labels
        assert found["cluster"].dropna().astype(int).tolist() == expected.tolist()
    said = capsys.readouterr()
    assert f"{found['cluster'].nunique()} clusters of 3,000 rows at θ = 3.6, {way}." in said.out
    assert "have no cluster: 1." in said.out
    assert said.err == "", "progress is for a terminal"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.parquet", "points.parquet"]


def test_without_theta_it_takes_the_verdict_of_a_sample_and_rows_are_numbered(no_new_cluster, tmp_path, capsys):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(centre, 0.3, size=(40, 2)) for centre in (0, 5, 10)])
    path = written(tmp_path / "points.parquet", X, row_group_size=50)
    assert run(path, "--output", tmp_path / "labels.parquet", "--shuffles", 5) == 0
    assert "3 clusters of 120 rows" in capsys.readouterr().out
    found = pd.read_parquet(tmp_path / "labels.parquet")
    assert found["row"].tolist() == list(range(120))
    assert [len(set(part)) for part in np.split(found["cluster"].to_numpy(), 3)] == [1, 1, 1]


@pytest.mark.parametrize("way", [BY_SHUFFLE, BY_PART])
def test_a_run_that_was_stopped_goes_on_where_it_was(here, few, tmp_path, way):
    source = Source.open(written(tmp_path / "points.parquet", few), rows=500)
    task, output = Task(source, 3.6, shuffles=8, way=way), tmp_path / "labels.parquet"

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label(task, output, here, stop)
    assert not output.exists()
    done = []
    found = label(task, output, here, lambda done_now, total: done.append((done_now, total)))
    assert found.resumed == 2
    assert done[0][0] == 2
    assert done[-1][0] == done[-1][1]
    straight = label(task, tmp_path / "straight.parquet", here)
    assert straight.resumed == 0
    assert output.read_bytes() == straight.path.read_bytes()


def test_another_theta_or_a_changed_file_is_not_taken_up(here, few, tmp_path):
    path, output = written(tmp_path / "points.parquet", few), tmp_path / "labels.parquet"
    task = Task(Source.open(path, rows=1000), 3.6, shuffles=4, way=BY_PART)

    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    for change in (lambda: Task(task.source, 3.5, shuffles=4, way=BY_PART), lambda: written(path, few + 1.0) and task):
        with pytest.raises(KeyboardInterrupt):
            label(task, output, here, stop)
        assert label(change(), output, here).resumed == 0


def test_a_part_that_cannot_be_read_ends_with_a_sentence_and_the_others_are_kept(here, few, tmp_path):
    folder, output = tmp_path / "points", tmp_path / "labels.parquet"
    folder.mkdir()
    for number, part in enumerate(np.split(few, 3)):
        written(folder / f"part-{number}.parquet", part)
    broken = folder / "part-1.parquet"
    whole = broken.read_bytes()
    broken.write_bytes(b"PAR1" + bytes(200) + whole[204:])  # its description, at the end, is still there
    task = Task(Source.open(folder), 3.6, shuffles=4, way=BY_PART)
    with pytest.raises(DistributedError, match=r"part-1.parquet, rows 1,000 to 1,999 cannot be read.*other parts"):
        label(task, output, here)
    assert not output.exists()
    broken.write_bytes(whole)
    assert label(task, output, here).resumed == 2
    assert len(pd.read_parquet(output)) == 3000


def test_a_result_that_cannot_be_finished_is_not_there(here, few, tmp_path, monkeypatch):
    task = Task(Source.open(written(tmp_path / "points.parquet", few)), 3.6, shuffles=3)
    monkeypatch.setattr(Source, "read_index", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        label(task, tmp_path / "labels.parquet", here)
    assert not (tmp_path / "labels.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nowhere.parquet",), "There is no file"),
        (("empty",), "There is no file *.parquet in the folder"),
        (("text.parquet",), "is no Parquet file, or is damaged"),
        (("points.parquet", "--columns", "x,z"), "There is no column 'z'. The columns are: x, y."),
        (("points.parquet", "--missing", "median"), "Gaps are filled from the sample."),
        (("points.parquet", "--algorithm", "TSG"), "Use TDG."),
    ],
)
def test_what_cannot_be_labelled_gets_a_sentence(no_new_cluster, few, tmp_path, capsys, arguments, sentence):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.parquet").write_text("not at all")
    written(tmp_path / "points.parquet", few)
    name, *rest = arguments
    assert run(tmp_path / name, "--theta", 1, "--output", tmp_path / "labels.parquet", *rest) == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "labels.parquet").exists()


def test_the_output_is_never_the_input(no_new_cluster, few, tmp_path, capsys):
    folder = tmp_path / "points"
    folder.mkdir()
    path = written(folder / "part.parquet", few)
    before = path.read_bytes()
    assert run(folder, "--theta", 1, "--output", path) == 1
    assert "Name another" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_text_is_read_in_parts_and_scaled_as_its_sample(no_new_cluster, few, tmp_path, capsys):
    table = pd.DataFrame(few, columns=["x", "y"]).assign(y=few[:, 1] * 1000, note="a")
    path, output = tmp_path / "points.csv", tmp_path / "labels.csv"
    table.to_csv(path, index=False, sep=";")
    assert run(path, "--theta", 0.3, "--shuffles", 4, "--output", output) == 0
    assert "Columns: x, y, scaled as" in capsys.readouterr().out
    standard = (table[["x", "y"]] - table[["x", "y"]].mean()) / table[["x", "y"]].std(ddof=0)
    expected = engine.tdg(np.ascontiguousarray(standard), 0.3, 4).labels
    assert pd.read_csv(output)["cluster"].tolist() == expected.tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.csv", "points.csv"]
