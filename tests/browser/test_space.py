"""Choosing a space on Explore and Data: computed while the columns stay, stopped, exported, and applied to a file."""

import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

pytest.importorskip("umap")

from tests.browser.explore import Explorer
from tests.browser.helpers import settle
from theta_app import datasets, spaces
from theta_app.clustering import cluster

WINE = datasets.prepare(datasets.load(datasets.RealData("wine")), datasets.Preparation(scaling="standard", space="map"))


def in_the_map(page):
    """Wait until the points are in the neighbour map."""
    expect(page.get_by_text("θ is in units of the neighbour map")).to_be_visible(timeout=120_000)


def saved(page, label):
    settle(page)  # a run that ends meanwhile replaces the file
    with page.expect_download() as caught:
        page.locator(".st-key-export").get_by_role("button", name=label, exact=True).click()
    return caught.value.path().read_bytes()


def test_a_map_is_chosen_computed_exported_and_applied_to_another_file(page, server):
    explorer = Explorer(page, f"{server.url}/?data=wine&scaling=standard")
    columns = explorer.found
    explorer.open("settings")
    page.get_by_role("button", name="Space: Columns").click()
    page.get_by_text("Neighbour map", exact=True).click()
    expect(page).to_have_url(re.compile("space=map"))
    in_the_map(page)
    explorer.ready()
    theta, k = explorer.found
    expected = cluster(spaces.in_space(WINE), "TDG", theta)
    assert (theta, k) != columns
    assert k == explorer.k == expected.n_clusters
    expect(page.get_by_test_id("readout-theta").locator("..")).to_contain_text("neighbour map")

    explorer.export()
    labels = pd.read_csv(io.BytesIO(saved(page, "Labels")))
    found = labels[[name for name in labels if name.startswith("cluster")][-1]]
    assert found.tolist() == expected.labels.tolist()
    settings = json.loads(saved(page, "Settings"))
    assert settings["preparation"]["space"] == "map"

    page.get_by_text("Apply these clusters to another file").click()
    table = WINE.table.iloc[::3].drop(columns=[WINE.truth_column])
    file = {"name": "third.csv", "mimeType": "text/csv", "buffer": table.to_csv(index=False).encode()}
    page.locator('[aria-label="Another file"] input[type="file"]').set_input_files(file)
    sizes = np.unique(expected.labels[::3])
    expect(page.get_by_text(f"{len(table)} rows in {(sizes >= 0).sum()} clusters")).to_be_visible()


def test_stop_goes_back_to_the_columns_and_the_old_picture_stays_meanwhile(page, server):
    explorer = Explorer(page, f"{server.url}/?data=digits")
    before = explorer.found
    explorer.open("settings")
    page.get_by_role("button", name="Space: Columns").click()
    page.get_by_text("Autoencoder + neighbour map", exact=True).click()
    expect(page.get_by_text("until then the columns themselves are shown")).to_be_visible()
    assert explorer.theta == pytest.approx(before[0])
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("button", name="Space: Columns")).to_be_visible()
    expect(page).not_to_have_url(re.compile("space="))
    explorer.ready()
    assert explorer.found[0] == before[0]


def test_data_has_the_same_choice_and_says_what_theta_means(page, server):
    page.goto(f"{server.url}/Data?data=iris")
    settle(page)
    page.get_by_role("radiogroup", name="Cluster in").get_by_text("PCA", exact=True).click()
    expect(page).to_have_url(re.compile("space=pca"))
    expect(page.get_by_text("θ is a distance along the directions")).to_be_visible()
    expect(page.get_by_text("Distances, and so θ, are in units of the main directions")).to_be_visible()
    directions = page.get_by_role("spinbutton", name="Directions")
    directions.fill("2")
    directions.press("Enter")
    expect(page).to_have_url(re.compile("components=2"))
