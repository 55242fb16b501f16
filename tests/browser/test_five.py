"""Messy files from the upload to the labels, in a real browser: what comes out is what the file was made with."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.metrics import adjusted_rand_score

from tests.browser.explore import Explorer
from tests.browser.helpers import choose, complaints, settle
from tests.datasets.five import FIVE, customers
from tests.datasets.more import patients

MADE = {name: make() for name, make in FIVE.items()}
SAID = {
    "customers": "Using 5 of 11 columns: income, spend and share were converted to numbers",
    "places": "latitude and longitude are a place on the map",
}
UNITS = {"customers": "standard deviations", "places": "km"}


class Person:
    """Somebody who brings a file, with a count of what they have clicked."""

    def __init__(self, page, server):
        self.page, self.clicks = page, 0
        page.goto(server.url + "/Data")
        expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
        settle(page)

    def uploads(self, made) -> None:
        self.clicks += 1
        file = {"name": made.name, "mimeType": "application/octet-stream", "buffer": made.content}
        self.page.locator('input[type="file"]').set_input_files(file)
        expect(self.page.get_by_role("heading", name=made.name)).to_be_visible()
        settle(self.page)
        assert complaints(self.page) == []

    def clicks_on(self, what) -> None:
        self.clicks += 1
        what.click()

    def explores(self) -> Explorer:
        self.clicks_on(self.page.get_by_role("link", name="Explore").first)
        explorer = Explorer.__new__(Explorer)
        explorer.page = self.page
        explorer.ready()
        return explorer

    def takes_labels(self) -> pd.DataFrame:
        self.clicks_on(self.page.locator(".st-key-go-export button"))
        with self.page.expect_download() as caught:
            self.clicks_on(self.page.get_by_role("button", name="Labels", exact=True))
        return pd.read_csv(caught.value.path())

    def column(self, name: str):
        """The row of a column in the table of all of them."""
        head = self.page.get_by_role("rowheader", name=name, exact=True)
        return self.page.get_by_role("row").filter(has=head)


@pytest.fixture
def person(page, server):
    return Person(page, server)


@pytest.mark.parametrize("name", SAID)  # the others, without a browser: tests/datasets/test_five.py and test_more.py
def test_a_messy_file_gives_the_groups_it_was_made_with_in_four_clicks(person, name):
    made, page = MADE[name], person.page
    person.uploads(made)
    expect(page.get_by_text(SAID[name])).to_be_in_viewport()
    expect(page.get_by_role("region", name="Columns of the file")).to_be_in_viewport()
    explorer = person.explores()
    k = len(np.unique(made.truth))
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-k", str(k))
    expect(page.get_by_test_id("verdict")).to_be_in_viewport()
    expect(page.get_by_test_id("readout-theta").locator("..")).to_contain_text(UNITS[name])
    assert explorer.k == k
    rows = person.takes_labels()
    assert person.clicks == 4  # the file, Explore, Export, Labels
    assert len(rows) == len(made.truth), "every row of the file"
    kept = rows["cluster"].notna().to_numpy()
    assert adjusted_rand_score(made.truth[kept], rows["cluster"][kept]) > 0.98
    assert kept.mean() > 0.9
    drawn_as_a_map = page.get_by_text(re.compile("a map: longitude across, latitude up"))
    expect(drawn_as_a_map).to_have_count(1 if name == "places" else 0)


def test_the_table_shows_every_column_and_its_switch_changes_what_is_clustered(person):
    person.uploads(MADE["customers"])
    page = person.page
    table = page.get_by_role("region", name="Columns of the file")
    assert table.get_by_role("row").count() == 12
    for name, holds in {"id": "identifier", "income": "number", "household": "whole number", "signup": "date"}.items():
        expect(person.column(name)).to_contain_text(holds)
    expect(person.column("age")).to_contain_text("64 × −999, as missing")
    expect(person.column("income")).to_contain_text(re.compile(r"\$[\d,.]+ → [\d.]+"))
    expect(person.column("notes").get_by_role("switch")).to_have_count(0)

    household = person.column("household").get_by_role("switch")
    expect(household).not_to_be_checked()
    household.press("Space")
    expect(page).to_have_url(re.compile(r"columns=.*household"))
    expect(person.column("household").get_by_role("switch")).to_be_checked()
    settle(page)
    person.column("household").get_by_role("combobox").select_option("jitter")
    expect(page).to_have_url(re.compile(r"shapes=household(%2C|,)jitter"))
    settle(page)
    weight = person.column("household").get_by_role("spinbutton")
    weight.fill("0.5")
    weight.press("Enter")
    expect(page).to_have_url(re.compile(r"weights=household(%2C|,)0\.5"))
    expect(page.get_by_text("'household' now has weight 0.5.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Undo").click()
    expect(page).not_to_have_url(re.compile("weights"))
    settle(page)
    person.column("signup").get_by_role("combobox").select_option(label="month")
    expect(page).to_have_url(re.compile(r"signup"))
    expect(person.column("signup").get_by_role("switch")).to_be_checked()
    settle(page)
    page.reload()  # everything that was chosen is in the address
    settle(page)
    expect(person.column("household").get_by_role("combobox")).to_have_value("jitter")
    expect(person.column("signup").get_by_role("switch")).to_be_checked()


def test_clusters_that_are_the_values_of_a_column_are_said_and_it_is_left_out_with_a_click(person):
    rng = np.random.default_rng(0)
    shape = {"a": rng.normal(0, 0.3, 800), "b": rng.normal(0, 0.3, 800), "household": rng.integers(1, 10, 800)}
    made = customers(100)
    file = pd.DataFrame(shape).to_csv(index=False).encode()
    person.uploads(type(made)("homes.csv", file, made.frame, made.truth))
    page = person.page
    person.column("household").get_by_role("switch").click()
    expect(page).to_have_url(re.compile(r"columns=.*household"))
    settle(page)
    person.explores()
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-algorithm", "")  # its values are no clusters
    page.goto(page.url + "&algorithm=TDG&theta=1.0")  # whoever takes them for clusters all the same is told
    expect(page.get_by_text("These 9 clusters are the 9 values of 'household'. Leave it out?")).to_be_in_viewport()
    page.get_by_role("button", name="Leave it out").click()
    expect(page).not_to_have_url(re.compile("household"))
    expect(page.get_by_text("'household' is no longer used.")).to_be_visible()


def test_another_row_names_the_columns_when_the_person_says_so(person):
    person.uploads(MADE["spreadsheet"])
    page = person.page
    box = page.get_by_role("combobox", name="Row that names the columns")
    expect(box).to_have_value("Row 4: Part, Length, Width, Height, Operator")
    choose(page, "Row that names the columns", re.compile("No row"))
    expect(page).to_have_url(re.compile("data_header=0"))
    expect(page.get_by_role("rowheader", name="column 2", exact=True)).to_be_visible()
    choose(page, "Row that names the columns", re.compile("Row 4"))
    expect(page.get_by_role("rowheader", name="Length (mm)")).to_be_visible()


CUT_OFF = """(table) => {  // how much wider than its place it is, and how many buttons lie outside the page
    const groups = [...document.querySelectorAll('[data-testid="stButtonGroup"] button')];
    const outside = groups.filter((button) => button.getBoundingClientRect().right > innerWidth);
    return [table.scrollWidth - table.clientWidth, outside.length];
}"""


def cut_off(page):
    return page.get_by_role("region", name="Columns of the file").evaluate(CUT_OFF)


def test_nothing_of_the_table_is_cut_off_and_what_is_open_stands_above_it(person):
    person.uploads(patients())
    page = person.page
    assert cut_off(page) == [0, 0]
    table = page.get_by_role("region", name="Columns of the file")
    expect(table).to_be_in_viewport(ratio=0.5)
    top = table.bounding_box()["y"]
    assert page.get_by_text("22 values of 'Glucose' are 0, outside all others").first.bounding_box()["y"] < top
    assert page.get_by_text("16 values of 'BMI' are 99.9, outside all others").first.bounding_box()["y"] > top


def test_the_table_of_columns_fits_a_phone(phone, server):
    visitor = Person(phone, server)
    visitor.uploads(MADE["customers"])
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert cut_off(phone) == [0, 0]
    expect(visitor.column("age")).to_contain_text("64 × −999, as missing")
    visitor.column("household").get_by_role("switch").tap()
    expect(phone).to_have_url(re.compile(r"columns=.*household"))
