"""A person's own file: every format, every limit, every sentence."""

import gzip
import io
import json
import pickle
import struct
import time
import tracemalloc
import zipfile
import zlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.datasets.files import EVERY_FORMAT, FRAME, ROWS, X, feather, npy, npz, parquet, repacked, text, xlsx
from tests.datasets.fuzz import check, memory
from theta_app.datasets import NO_TRUTH, Preparation, UploadError, csv_bytes, parse_upload, prepare
from theta_app.datasets.uploads import limits, parse_content, records
from theta_app.datasets.uploads import text as text_reader
from theta_app.datasets.uploads import xlsx as xlsx_reader
from theta_app.datasets.uploads.content import PIECE, Content
from theta_app.datasets.uploads.limits import Allowance, WhichSheet
from theta_app.datasets.uploads.xlsx import ASK


def refusal(data, name="file.csv", **options):
    with pytest.raises(UploadError) as caught:
        parse_upload(name, data, **options)
    return str(caught.value)


@pytest.mark.parametrize("name", EVERY_FORMAT)
def test_every_format_gives_the_same_points_and_classes(name):
    data = parse_upload(name, EVERY_FORMAT[name])
    assert np.array_equal(data.X, X)
    assert data.truth.tolist() == [0, 1, 0, 1, 0, 1]
    assert name in data.source
    assert len(data.table.columns) == 3


def test_what_is_not_a_feature_is_kept_for_the_download():
    data = parse_upload("a.csv", b"who,x,y\nann,1,2\nbob,3,4\n=cmd,5,6\n")
    assert data.features == ("x", "y")
    assert data.columns == ("who", "x", "y")
    assert csv_bytes(data.table) == b"who,x,y\nann,1,2\nbob,3,4\n'=cmd,5,6\n"


def test_a_latin_1_file_keeps_its_letters():
    data = parse_upload("a.csv", "größe;höhe\n1,5;2\n3,5;4\n".encode("latin-1"))
    assert data.features == ("größe", "höhe")
    assert data.X.tolist() == [[1.5, 2], [3.5, 4]]


def test_a_gz_file_of_several_members_and_padding_is_one_text():
    members = gzip.compress(b"x,y\n1,2\n") + gzip.compress(b"") + gzip.compress(b"3,4\n5") + gzip.compress(b",6\n")
    for padding in (b"", b"\x00" * 1000, b"the end"):
        assert parse_upload("a.csv.gz", members + padding).X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert "cut short" in refusal(members[:-3])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_letters_across_the_pieces_of_a_long_text_stay_whole(encoding):
    names = ["größe", "höhe", "öööö"] if encoding == "latin-1" else ["größe", "θ€", "𝛉𝛉𝛉"]
    lines = [",".join(names)] + [f"{i * i},{i}.5,{names[i % 2]}" for i in range(150_000)]
    data = "\n".join(lines).encode(encoding)
    assert len(data) > 2 * PIECE
    pieces = [data[start : start + 99_991] for start in range(0, len(data), 99_991)]
    for content in (Content([data]), Content(pieces)):
        read = parse_content("a.csv", content, Allowance())
        assert list(read.columns) == names
        assert read.truth_names == tuple(sorted(names[:2]))
        assert read.X[-1].tolist() == [149_999**2, 149_999.5]


@pytest.mark.parametrize("name", ["label", "Class", "TARGET", "species", "ground_truth", "true label", "cluster"])
def test_the_label_column_is_guessed_from_its_name_and_correctable(name):
    data = parse_upload("a.csv", f"{name},x\n1,0.5\n2,1.5\n1,2.5\n2,3.5\n".encode())
    assert data.truth_column == name
    assert data.features == ("x",)
    assert any(name in note for note in data.notes)
    corrected = prepare(data, Preparation(columns=(name, "x"), truth=NO_TRUTH))
    assert corrected.truth is None
    assert corrected.features == (name, "x")


def test_a_target_of_measurements_is_a_feature_not_a_class():
    data = parse_upload("a.csv", b"x,target\n1,0.13\n2,0.51\n3,0.77\n")
    assert data.truth is None
    assert data.features == ("x", "target")


def test_a_file_without_header_may_end_in_words_or_codes():
    assert parse_upload(
        "iris.data", b"5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,3.0,virginica\n6.2,2.9,virginica\n"
    ).truth_names == (
        "setosa",
        "virginica",
    )
    shapes = b"15.55\t28.65\t2\r\n14.9\t27.55\t2\r\n3.5\t4.5\t10\r\n3.6\t4.75\t10\r\n"
    assert parse_upload("Aggregation.txt", shapes).truth_names == ("2", "10")


def test_an_index_that_was_saved_along_is_not_a_feature():
    data = parse_upload("a.csv", b",x,y\n0,1.5,2\n1,2.5,3\n2,4,4\n")
    assert data.features == ("x", "y")
    assert "counter" in data.raw.left_out.values()
    assert "column 1" in data.numeric_columns


def test_stray_words_are_named_with_their_rows():
    data = parse_upload("a.csv", b"x,weight\n1,2\n2,heavy\n3,4\n4,5\n5,?\n")
    assert data.features == ("x",)
    assert "Column 'weight' has a value that is not a number (row 3)." in " ".join(data.notes)
    assert "weight" not in data.numeric_columns
    assert "Column 'weight' has 2 values that are not numbers (rows 3, 5)" in refusal(b"weight\n1\nx\n2\ny\n3\n")


def test_blank_lines_comments_and_short_rows_do_not_shift_the_row_numbers():
    data = parse_upload("a.csv", b"# made by hand\n\nx,y\n1,2\n\n3\n4,5\n")
    assert data.X.tolist() == [[1, 2], [4, 5]]
    assert "(row 6;" in " ".join(data.notes)


def test_numbers_in_quotes_with_a_decimal_comma_are_numbers():
    assert parse_upload("a.csv", b'"x","y"\n"1,5","2,5"\n"3,5","4"\n').X.tolist() == [[1.5, 2.5], [3.5, 4]]


def test_a_table_written_by_r_keeps_its_row_names_apart():
    data = parse_upload("a.txt", b'"x" "y"\n"one" 1 2\n"two" 3 4\n')
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert data.features == ("x", "y")


def test_equal_column_names_are_told_apart():
    assert parse_upload("a.csv", b"x,x,x (2)\n1,2,3\n4,5,6\n").features == ("x", "x (2)", "x (2) (2)")


finite = st.floats(-1e100, 1e100)


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(st.tuples(finite, finite, finite), min_size=3, max_size=20),
    separator=st.sampled_from([",", ";", "\t", "|", "  "]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    header=st.booleans(),
    mark=st.booleans(),
    packed=st.booleans(),
)
def test_numbers_are_read_exactly_however_they_are_separated(rows, separator, end, header, mark, packed):
    lines = [separator.join(["alpha", "beta", "gamma"])] * header + [separator.join(map(repr, row)) for row in rows]
    data = b"\xef\xbb\xbf" * mark + end.join(lines).encode()
    dataset = parse_upload("a.csv", gzip.compress(data, 1) if packed else data)
    dataset = prepare(dataset, Preparation(columns=dataset.columns, truth=NO_TRUTH))
    assert np.array_equal(dataset.X, np.array(rows))
    assert (dataset.features == ("alpha", "beta", "gamma")) == header


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=400))
def test_no_bytes_raise_anything_but_a_sentence(data):
    check("anything.csv", data)


lines = st.lists(st.lists(st.sampled_from(list("12.,;e-\"'= \tabθ\x00\r?%{")), max_size=12).map("".join), max_size=12)


@settings(deadline=None, max_examples=150)
@given(lines=lines, encoding=st.sampled_from(["utf-8", "latin-1", "utf-16"]))
def test_no_text_raises_anything_but_a_sentence(lines, encoding):
    check("anything.txt", "\n".join(lines).encode(encoding, errors="replace"))


STARTS = [b"PK\x03\x04", b"PAR1", b"ARROW1\x00\x00", b"\x93NUMPY", b"\x1f\x8b\x08", b"@relation", b"\xff\xfe", b'[{"']


@pytest.mark.parametrize("start", [*STARTS, b"\xd0\xcf\x11\xe0"])
@settings(deadline=None, max_examples=25)
@given(rest=st.binary(max_size=200))
def test_no_file_that_begins_like_a_format_raises_anything_but_a_sentence(start, rest):
    check("anything", start + rest)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (b" \n \n", "empty"),
        (b"x,y\n", "header but no rows"),
        (b"x,y\n1,2\n", "at least two rows"),
        (b"x,y\n1,2\n3,4,5\n6,7\n", "Row 3 has more values than the others, which have 2"),
        (b"x,y\n1,2\n3,4,5,6\n6,7\n", "Row 3 has more values than the others, which have 2"),
        (b"x,y\n1,2,3\n3,4\n6,7\n", "Row 2 has more values than the others, which have 2"),
        (b'x,y\n1,2\n"3,4\n6,7\n', "quotation mark"),
        (b"x,y\na,b\nc,d\n", "no column of numbers"),
        (b"x,y\n1,\n,2\n", "No row has a number in every chosen column"),
        (b"%PDF-1.4", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (b"\xd0\xcf\x11\xe0\xa1", "old Excel"),
        (b"\x00\x01\x02\x03", "neither text"),
        (gzip.compress(b"x,y\n1,2\n3,4\n")[:-12], "cut short"),
        (gzip.compress(gzip.compress(b"x")), "another packed file"),
        (EVERY_FORMAT["table.parquet"][:-20], "damaged"),
        (EVERY_FORMAT["table.feather"][:-20], "damaged"),
        (feather(pd.DataFrame({"x": []})), "empty"),
        (b"FEA1 and more", "Feather file of version 1"),
        (EVERY_FORMAT["sheet.xlsx"][:-50], "damaged"),
        (EVERY_FORMAT["arrays.npz"][:-50], "damaged"),
        (EVERY_FORMAT["fields.npy"][:-3], "cut short"),
        (npy(np.array([[1 + 2j]])), "complex"),
        (npy(np.array(["a", "b"])), "text"),
        (npy(np.zeros((0, 3))), "empty"),
        (b"@relation r\n@attribute a numeric\n1\n", "no @data"),
        (b"@relation r\n@data\n1\n", "no attributes"),
        (b"@relation r\n@attribute a numeric\n@data\n{0 1}\n", "sparse"),
        (xlsx([]), "empty"),
        (parquet(pd.DataFrame({"x": []})), "empty"),
    ],
    ids=lambda value: value if isinstance(value, str) else "file",  # bytes may hold the time they were packed at
)
def test_a_refusal_says_what_is_wrong(data, sentence):
    assert sentence in refusal(data)


def test_file_names_are_shown_without_folders_and_never_opened():
    data = parse_upload("../../etc/\x00pass\nwd.csv", text())
    assert data.name == "passwd.csv"
    assert parse_upload("C:\\Users\\me\\points.csv", text()).name == "points.csv"
    assert parse_upload("x" * 500, text()).name.startswith("xxx")
    assert len(parse_upload("x" * 500, text()).name) <= 80
    assert parse_upload("", text()).name == "your file"
    assert parse_upload("a.csv", text()).digest == parse_upload("b.csv", text()).digest


class Bomb:
    """Unpickled, it would fail the test."""

    def __reduce__(self):
        return (pytest.fail, ("an uploaded file was unpickled",))


def test_pickles_are_never_opened():
    assert "Python objects" in refusal(npy(np.array([Bomb(), Bomb()], dtype=object)))
    assert "Python objects" in refusal(npz(X=np.array([[Bomb()], [Bomb()]], dtype=object)))
    refusal(pickle.dumps(Bomb()))


def test_numpy_pictures_become_one_row_each():
    images = np.arange(24, dtype=np.uint8).reshape(4, 2, 3)
    data = parse_upload("images.npz", npz(train_images=images, train_labels=np.array([3, 7, 3, 7]), index=np.arange(4)))
    assert np.array_equal(data.X, images.reshape(4, 6))
    assert data.truth_names == ("3", "7")


@pytest.mark.parametrize("dtype", ["<f2", ">f4", "<f8", ">f8", "<i1", ">i8", "<u8", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numpy_numbers_of_every_kind_are_read(dtype, order):
    array = np.array([[0, 1], [1, 1], [1, 0]], dtype=dtype, order=order)
    data = prepare(parse_upload("a.npy", npy(array)), Preparation(columns=("column 1", "column 2"), truth=NO_TRUTH))
    assert data.X.tolist() == [[0, 1], [1, 1], [1, 0]]


def test_several_lists_in_an_npz_become_columns():
    data = parse_upload("a.npz", npz(x=np.arange(4.0), y=np.arange(4.0) ** 2, labels=np.array(["u", "v", "u", "v"])))
    assert data.features == ("x", "y")
    assert data.truth_names == ("u", "v")


def test_a_parquet_file_with_gaps_nested_columns_and_whole_numbers_is_read():
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [1.5, 2.5, 3.5], "c": [[1], [2], [3]]})
    data = parse_upload("a.parquet", parquet(frame))
    assert data.X.tolist() == [[1, 1.5], [3, 3.5]]
    assert "left out: 'c'" in " ".join(data.notes)


def test_the_first_sheet_with_content_is_read_and_the_others_are_mentioned():
    rows = [(), ("x", "y"), (1, 2.5), (3, "n/a"), (4, 5)]
    data = parse_upload("a.xlsx", xlsx(rows, other_sheets=["More"]))
    assert data.X.tolist() == [[1, 2.5], [4, 5]]
    assert "2 sheets" in " ".join(data.notes)
    assert "(row 4;" in " ".join(data.notes)


SHEETS = xlsx([("x", "y"), (1, 2), (3, 4)], {"Empty": [], "More": [("a", "b"), (5, 6), (7, 8), (9, 1)]})


def test_a_spreadsheet_of_several_sheets_can_be_asked_about_and_read_by_name():
    with pytest.raises(WhichSheet) as caught:
        parse_upload("a.xlsx", SHEETS, sheet=ASK)
    assert caught.value.sheets == ("Sheet", "More")
    assert parse_upload("a.xlsx", SHEETS, sheet="More").X.tolist() == [[5, 6], [7, 8], [9, 1]]
    assert parse_upload("a.xlsx", SHEETS, sheet="Sheet").X.tolist() == [[1, 2], [3, 4]]
    assert "no sheet 'Less'" in refusal(SHEETS, sheet="Less")
    assert "'Empty' has no row" in refusal(SHEETS, sheet="Empty")
    one = xlsx([("x", "y"), (1, 2), (3, 4)], ["Nothing here"])
    assert parse_upload("a.xlsx", one, sheet=ASK).X.tolist() == [[1, 2], [3, 4]], "nothing to ask"


def test_records_may_differ_in_their_keys_and_hold_records():
    text = (
        b'[{"x": 1, "in": {"y": 2.5, "z": [1, 2]}}, {"in": {"y": 3}, "x": 4, "ok": true}, {"x": null, "in": {"y": 5}}]'
    )
    data = parse_upload("a.json", text)
    assert data.features == ("x", "in.y")
    assert data.X.tolist() == [[1, 2.5], [4, 3]]
    assert "were left out: 'in.z'" in " ".join(data.notes)
    assert data.raw.table["ok"].tolist()[1] == "true"
    assert list(data.raw.table.index) == [1, 2, 3]


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_records_are_the_same_however_the_file_is_cut(size, monkeypatch):
    monkeypatch.setattr(records, "BLOCK", 3)
    monkeypatch.setattr(records, "PART", size)
    rows = [{"x": i, "größe": i / 2, "t": f"θ {i % 3}"} | ({"late": i * 1.5} if i > 8 else {}) for i in range(12)]
    data = parse_upload("a.json", json.dumps(rows, ensure_ascii=False).encode())
    table = data.raw.table
    assert table[["x", "größe"]].to_numpy(dtype=float).tolist() == [[i, i / 2] for i in range(12)]
    assert table["late"].tolist()[9:] == [13.5, 15.0, 16.5]
    assert table["late"].isna().tolist() == [True] * 9 + [False] * 3
    assert table["t"].tolist() == [f"θ {i % 3}" for i in range(12)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'[{"a": 1}, {"a": 2}', "does not end"),
        (b'[{"a": 1}, {"a": 2', "damaged or cut short"),
        (b'[{"a": 1}, 5]', "not a list of records"),
        (b'[{"a": 1}] {"a": 2}', "not a list of records"),
        (b'{"a": {"0": 1, "1": 2}}', "not a list of records"),
        (b'{"a": ' * 5000, "not a list of records"),
        (b"[{}, {}]", "no records with values"),
        (b'[{"a": ' + b"9" * 5000 + b"}]", "not a list of records"),
    ],
)
def test_json_that_is_no_table_gets_a_sentence(text, sentence):
    assert sentence in refusal(text, "a.json")


def test_a_feather_file_whose_text_leads_anywhere_is_refused():
    whole = feather(FRAME, compression="uncompressed")
    ends = np.arange(len(FRAME) + 1, dtype="<i8")
    wrong = np.where(ends == 3, 2**40, ends).astype("<i8")
    assert whole.count(ends.tobytes()) == 1
    assert "damaged" in refusal(whole.replace(ends.tobytes(), wrong.tobytes()))


def test_dates_in_parquet_and_feather_can_be_read():
    frame = pd.DataFrame({"x": [1.0, 2.0], "on": pd.to_datetime(["2000-01-02 00:00", "2000-01-03 12:00"])})
    for name, file in (("a.parquet", parquet(frame)), ("a.feather", feather(frame))):
        data = parse_upload(name, file)
        assert data.features == ("x",)
        assert data.raw.left_out == {"on": "dates"}
        assert prepare(data, Preparation(read=("on",))).X.tolist() == [[1, 1], [2, 2.5]]


@pytest.mark.parametrize("block", [1, 2, 3, 1000])
def test_a_sheet_is_the_same_however_many_rows_are_looked_at_together(block, monkeypatch):
    monkeypatch.setattr(xlsx_reader, "BLOCK", block)
    rows = [
        ("x", "y", "mixed", "large"),
        (1, 2.5, 7, 10**14),
        (2, None, 8.0),
        (),
        (3, 4.5, "seven", "n/a"),
        (4, 5.5, 0.25, 10**14 + 1),
        (5, 6.5, None, "word", "beyond"),
        (),
    ]
    data = parse_upload("a.xlsx", xlsx(rows))
    assert data.features == ("x", "y")
    assert data.X.tolist() == [[1, 2.5], [3, 4.5], [4, 5.5], [5, 6.5]]
    table = data.raw.table
    assert list(table.index) == [2, 3, 5, 6, 7]
    table = table.astype(object).where(table.notna(), None)
    assert table["mixed"].tolist() == ["7", "8", "seven", "0.25", None]
    assert table["large"].tolist() == [str(10**14), None, None, str(10**14 + 1), "word"]
    assert list(table.columns) == ["x", "y", "mixed", "large", "column 5"]


# --- limits ----------------------------------------------------------------------------------------------------------


def test_more_than_200_mb_is_refused_with_the_limit():
    assert "200 MB" in refusal(bytes(limits.MAX_BYTES + 1))


def test_more_rows_than_the_limit_are_refused_whatever_the_format(monkeypatch):
    monkeypatch.setattr(limits, "MAX_ROWS", 5)
    read = ["comma.csv", "packed.csv.gz", "table.parquet", "table.feather", "records.json", "sheet.xlsx", "weka.arff"]
    for name in (*read, "arrays.npz", "fields.npy"):
        assert "more than 5 rows" in refusal(EVERY_FORMAT[name])


def test_two_million_rows_pass_and_one_more_is_refused():
    fits = b"1\n2\n" * (limits.MAX_ROWS // 2)
    assert len(parse_upload("a.csv", fits).X) == limits.MAX_ROWS
    assert "2,000,000 rows" in refusal(fits + b"3\n")


def test_more_features_than_the_limit_are_refused_whatever_the_format():
    wide = [list(range(2001)), list(range(1, 2002))]
    header = ",".join(f"c{j}" for j in range(2001))
    csv_file = "\n".join([header, *(",".join(map(str, row)) for row in wide)]).encode()
    for data in (
        csv_file,
        npy(np.array(wide)),
        xlsx([header.split(","), *wide]),
        parquet(pd.DataFrame(np.array(wide, float), columns=header.split(","))),
    ):
        sentence = refusal(data)
        assert "2,000 features" in sentence
        assert "Keep the columns you need" in sentence
    assert parse_upload("a.npy", npy(np.array(wide)[:, :2000])).X.shape == (2, 2000)


def test_a_line_without_end_is_refused_not_split_into_a_million_columns():
    assert "columns" in refusal(b"1," * 300_000)
    assert "no rows" in refusal(b"1," * 3_000_000)


def gzip_of_zeros(size):
    """A gz file of ``size`` zeros, small and quick to make."""
    packer = zlib.compressobj(9, wbits=31)
    block = b"0,0\n" * 250_000
    return b"".join([packer.compress(block) for _ in range(size // len(block))] + [packer.flush()])


def test_a_small_file_that_unpacks_to_gigabytes_is_stopped():
    bomb = gzip_of_zeros(60_000_000)
    assert len(bomb) < 200_000
    tracemalloc.start()
    try:
        sentence = refusal(bomb, limit=20_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "needs more than 20 MB" in sentence
    assert peak < 20_000_000


def test_a_zip_that_declares_gigabytes_is_refused_before_it_is_unpacked():
    def inflated(name):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, b"0" * 1000)
        data = bytearray(file.getvalue())
        central = data.index(b"PK\x01\x02")
        data[central + 24 : central + 28] = struct.pack("<I", 3_000_000_000)
        return bytes(data)

    assert "2 GB" in refusal(inflated("X.npy"))
    assert "2 GB" in refusal(inflated("xl/workbook.xml"))


def test_a_zip_that_declares_what_the_limit_allows_takes_only_the_memory_it_fills():
    data = bytearray(npz(X=X))
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<I", 1_900_000_000)
    before = memory()
    assert np.array_equal(parse_upload("a.npz", bytes(data)).X, X)
    assert memory() - before < 100_000_000


def test_a_header_that_promises_gigabytes_allocates_nothing():
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 100), }"
    header += b" " * (118 - len(header) - 1) + b"\n"
    lie = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(64)
    tracemalloc.start()
    try:
        assert "size does not fit" in refusal(lie)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_small_whole_numbers_that_grow_in_memory_are_counted_at_their_full_size():
    assert "needs more than 0.1 MB" in refusal(npz(X=np.zeros((2000, 20), dtype=np.uint8)), limit=100_000)


def test_a_spreadsheet_with_entities_is_refused():
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'

    def infect(name, content):
        return content.replace(b"<worksheet", bomb + b"<worksheet", 1) if "worksheets/" in name else content

    assert "refused for safety" in refusal(repacked(EVERY_FORMAT["sheet.xlsx"], infect))


def test_a_spreadsheet_that_claims_to_be_huge_is_read_for_what_it_holds():
    def lie(name, content):
        return content.replace(b'ref="A1:C7"', b'ref="A1:XFD1048576"') if "worksheets/" in name else content

    assert np.array_equal(parse_upload("a.xlsx", repacked(EVERY_FORMAT["sheet.xlsx"], lie)).X, X)


def test_a_spreadsheet_with_a_cell_far_out_is_refused_quickly():
    def far(name, content):
        return content.replace(b'r="C7"', b'r="XFD7"') if "worksheets/" in name else content

    assert "columns" in refusal(repacked(EVERY_FORMAT["sheet.xlsx"], far))


def test_a_spreadsheet_with_too_many_cells_is_told_to_become_csv(monkeypatch):
    monkeypatch.setattr(xlsx_reader, "MAX_CELLS", 5)
    assert "Save the sheet as CSV" in refusal(EVERY_FORMAT["sheet.xlsx"])


def test_a_parquet_file_of_one_long_text_repeated_stays_small():
    frame = pd.DataFrame(
        {"x": np.arange(200_000.0), "t": pd.Categorical.from_codes(np.zeros(200_000, dtype=int), ["long text " * 1000])}
    )
    before = memory()
    assert len(parse_upload("a.parquet", parquet(frame)).X) == 200_000
    assert memory() - before < 500_000_000  # written out, the text alone is 2 GB


def test_a_table_of_two_thousand_columns_takes_seconds_not_minutes():
    wide = "\n".join(
        [",".join(f"c{j}" for j in range(2000)), *[",".join(f"{i + j}" for j in range(2000)) for i in range(3)]]
    )
    started = time.process_time()
    assert parse_upload("wide.csv", wide.encode()).X.shape == (3, 2000)
    assert time.process_time() - started < 15


def test_a_long_table_is_read_in_pieces_and_joined(monkeypatch):
    monkeypatch.setattr(text_reader, "CHUNK_CELLS", 2000)
    rows = np.arange(5000.0).reshape(2500, 2)
    words = ["1"] * 1000 + ["one"] * 1500  # numbers in the first piece, words in the others
    lines = "\n".join(f"{x},{y},{w}" for (x, y), w in zip(rows, words))
    data = parse_upload("long.csv", f"x,y,w\n{lines}\n".encode())
    assert np.array_equal(data.X, rows)
    assert list(data.table.index) == list(range(2, 2502))
    assert len(data.table["w"].astype(str).unique()) == 2
    lines = lines.replace("2000.0,2001.0,one", "2000.0,2001.0,one,more,and more")  # the first row of a piece
    assert "Row 1,002 has more values" in refusal(f"x,y,w\n{lines}\n".encode())


def test_a_zip_of_many_parts_is_refused_before_it_is_listed():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for k in range(5001):
            archive.writestr(f"{k}.npy", b"")
    assert "5,000 parts" in refusal(file.getvalue())


def test_the_files_of_this_test_hold_what_they_should():
    assert len(ROWS) == len(FRAME) == len(X)
