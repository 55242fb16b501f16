"""Places and arrivals in a real browser: a map across the date line, θ in kilometres; rows that come one by one."""

import re

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from tests.browser.explore import Explorer
from tests.browser.test_five import Person
from tests.datasets.five import Made
from theta_app.datasets import Drifting, load
from theta_app.engine import Metric, tsg

TOWNS = np.array([[-17.8, 177.5], [-16.6, -179.9], [-13.8, -171.8], [-21.2, -175.2]])  # Fiji, Samoa, Tonga


def islands() -> Made:
    rng = np.random.default_rng(1)
    truth = np.repeat(np.arange(4), 80)
    X = TOWNS[truth] + rng.normal(scale=0.12, size=(320, 2))
    X[:, 1] = (X[:, 1] + 180.0) % 360.0 - 180.0
    frame = pd.DataFrame(X.round(5), columns=["latitude", "longitude"]).assign(depth=rng.integers(1, 900, size=320))
    return Made("islands.csv", frame.to_csv(index=False).encode(), frame, truth)


def outlines(svg: bytes) -> list[np.ndarray]:
    found = re.findall(r'<polygon class="circle" points="([^"]*)"', svg.decode())
    return [np.array([corner.split(",") for corner in places.split()], dtype=float) for places in found]


def test_a_map_across_the_date_line_is_in_kilometres(page, server):
    made, person = islands(), Person(page, server)
    person.uploads(made)
    explorer = person.explores()
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-k", "4")
    expect(page.get_by_test_id("readout-theta").locator("..")).to_contain_text("km")
    expect(page.get_by_text(re.compile("θ-circles as they are on the globe"))).to_be_visible()
    expect(page).to_have_url(re.compile("norm=haversine"))
    circles = outlines(explorer.picture("svg"))
    assert len(circles) == 4
    assert min(map(len, circles)) > 60
    across = [circle[:, 0].max() - circle[:, 0].min() for circle in circles]
    assert max(across) < 1.2 * min(across), "circles on both sides of 180° are as wide as each other"
    rows = person.takes_labels()
    found = pd.crosstab(made.truth, rows["cluster"])
    assert (found.max(axis=1) == 80).all()
    metric, theta = Metric.of("haversine"), explorer.theta
    for k in range(4):
        places = rows[rows["cluster"] == k][["latitude", "longitude"]].to_numpy()
        assert metric.between(places, metric.centre(places)).max() < theta, "km"


def test_the_control_offers_kilometres_degrees_and_angles(page, server):
    person = Person(page, server)
    person.uploads(islands())
    explorer = person.explores()
    explorer.open("settings")
    page.get_by_role("button", name="Kilometres on the globe").click()
    page.get_by_role("radio", name="Angles (cosine)").or_(page.get_by_role("button", name="Angles (cosine)")).click()
    expect(page.get_by_role("button", name="Angle (cosine distance)")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile("norm=cosine"))
    page.keyboard.press("Escape")
    explorer.ready()
    expect(page.get_by_test_id("readout-theta").locator("..")).to_contain_text("°, cosine")


def test_rows_arrive_one_after_the_other(page, server):
    Explorer(page, f"{server.url}?data=drifting&theta=2.5&algorithm=TSG")
    page.get_by_test_id("timeline-more").click()
    page.get_by_test_id("timeline-arrive").click()
    dialog = page.get_by_role("dialog")
    track = dialog.get_by_test_id("theta-timeline")
    expect(track).to_have_attribute("aria-valuenow", "30", timeout=60_000)
    expect(dialog.get_by_test_id("readout-new")).to_have_text("+ 3")
    track.press("End")
    X = load(Drifting()).X
    expect(dialog.get_by_test_id("readout-k")).to_have_text(str(tsg(X, 2.5).n_clusters))
    expect(track).to_have_attribute("aria-valuetext", re.compile("3,000 rows: "))
    track.press("Home")
    dialog.get_by_role("button", name="Play").click()
    page.wait_for_function(
        """() => Number(document.querySelector('[role="dialog"] [data-testid="theta-timeline"]')
                    .getAttribute('aria-valuenow')) > 200"""
    )
