"""The address that others can open, and its QR code."""

import pytest
import zxingcpp
from PIL import Image

from theta_app.ui import address


@pytest.fixture
def network(monkeypatch):
    monkeypatch.setattr(address, "own_address", lambda: "10.1.2.3")


@pytest.mark.parametrize(
    ("page", "listens", "there"),
    [
        ("http://localhost:8501/Learn", "localhost", None),
        ("http://127.0.0.1:8501/Learn", "127.0.0.1", None),
        ("http://[::1]:8501/Learn", "::1", None),
        ("http://localhost:8501/Learn", "0.0.0.0", "http://10.1.2.3:8501/Learn"),
        ("http://127.0.0.1:9999/Learn", None, "http://10.1.2.3:8501/Learn"),
        ("http://localhost:8501/base/Learn", "", "http://10.1.2.3:8501/base/Learn"),
        ("http://localhost:8501/Learn", "192.168.7.9", "http://192.168.7.9:8501/Learn"),
        ("http://10.1.2.3:8501/Learn", "0.0.0.0", "http://10.1.2.3:8501/Learn"),
        ("https://theta.example.org/Learn", "localhost", "https://theta.example.org/Learn"),
    ],
)
def test_others_get_an_address_that_is_not_this_machine_s_own_name_for_itself(network, page, listens, there):
    assert address.for_others(page, listens, 8501) == there


def test_a_machine_without_a_network_has_no_address_for_others(monkeypatch):
    monkeypatch.setattr(address, "own_address", lambda: "127.0.0.1")
    assert address.for_others("http://localhost:8501/Learn", "0.0.0.0", 8501) is None


def test_a_reader_finds_the_link_in_the_qr_code():
    link = "http://10.1.2.3:8501/Learn?o_room=BCDF"
    rows = address.qr_rows(link)
    assert [len(row) for row in rows] == [len(rows)] * len(rows)
    image = Image.new("L", (len(rows) + 8, len(rows) + 8), 255)
    image.putdata([0 if 4 <= x < len(rows) + 4 and 4 <= y < len(rows) + 4 and rows[y - 4][x - 4] == "1" else 255
                   for y in range(len(rows) + 8) for x in range(len(rows) + 8)])  # fmt: skip
    read = zxingcpp.read_barcodes(image.resize([8 * side for side in image.size], Image.NEAREST))
    assert [one.text for one in read] == [link]


def test_a_link_that_is_too_long_has_no_code():
    told = address.shared("http://10.1.2.3:8501/Learn?o_drawn=" + "A" * 4000)
    assert told["qr"] is None
    assert "too long" in told["note"]


@pytest.mark.parametrize(("page", "reached"), [("http://10.1.2.3:8501/Learn", True), ("http://localhost:8501", False)])
def test_only_a_link_that_others_can_open_has_a_code(page, reached):
    told = address.shared(f"{page}?theta=3")
    assert (told["qr"] is not None) == reached
    assert (told["note"] == address.ONLY_HERE) != reached
