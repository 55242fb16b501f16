"""Driving the page Explore."""

import json
from collections import Counter
from xml.etree import ElementTree

from playwright.sync_api import TimeoutError

from tests.browser.helpers import painted, settle

TIMELINE = "theta-timeline"


class Explorer:
    """The timeline as a person uses it."""

    def __init__(self, page, address: str):
        self.page = page
        page.goto(address)
        self.ready()

    def ready(self, seconds: float = 120) -> None:
        """Wait until the sweep is complete and the page at rest."""
        complete = f'[data-testid="{TIMELINE}"][data-paints][data-complete="true"]'
        try:
            self.page.wait_for_selector(complete, timeout=seconds * 1000)
        except TimeoutError as error:
            state = self.page.locator('[data-testid="stApp"]').get_attribute("data-test-script-state")
            error.add_note(f"script {state}; the page says:\n{self.page.locator('body').inner_text()[:2000]}")
            raise
        settle(self.page, seconds)

    @property
    def track(self):
        return self.page.get_by_test_id(TIMELINE)

    def number(self, name: str) -> float:
        return float(self.track.get_attribute(name))

    @property
    def theta(self) -> float:
        return self.number("aria-valuenow")

    @property
    def k(self) -> int:
        return int(self.page.get_by_test_id("readout-k").inner_text().replace(",", ""))

    @property
    def found(self) -> tuple[float, int]:
        """θ and K as Python has them."""
        findings = self.page.get_by_test_id("findings")
        return float(findings.get_attribute("data-theta")), int(findings.get_attribute("data-k"))

    def at(self, share: float) -> tuple[float, float]:
        """A place on the track, 0 left to 1 right, in pixels of the page."""
        box = self.track.bounding_box()
        return box["x"] + 16 + share * (box["width"] - 32), box["y"] + 30

    def press(self, share: float) -> None:
        self.page.mouse.move(*self.at(share))
        self.page.mouse.down()

    def move(self, share: float) -> None:
        self.page.mouse.move(*self.at(share))
        self.next_frame()

    def next_frame(self) -> None:
        painted(self.page)

    def release(self) -> None:
        self.page.mouse.up()
        self.next_frame()

    def agreed(self, seconds: float = 30) -> None:
        """Wait until Python stands on the θ that the timeline shows."""
        self.page.wait_for_function(
            """() => { const t = document.querySelector('[data-testid="theta-timeline"]');
                       const f = document.querySelector('[data-testid="findings"]');
                       return f && f.dataset.theta === String(Number(t.getAttribute('aria-valuenow'))); }""",
            timeout=seconds * 1000,
        )
        settle(self.page, seconds)

    @property
    def drawn(self) -> dict[str, int]:
        """How many of each thing the screen's picture has: points, grid, circle, centroid, chain, pair, ..."""
        return json.loads(self.page.get_by_test_id("timeline-points").get_attribute("data-drawn"))

    def draws(self, what: str, count: int) -> None:
        """Wait until the screen's picture has so many of a thing."""
        self.page.wait_for_function(
            """([what, count]) => {
                const told = document.querySelector('[data-testid="timeline-points"]').dataset.drawn;
                return told && JSON.parse(told)[what] === count;
            }""",
            arg=[what, count],
        )

    def tool(self, name: str) -> None:
        """Press a tool, in the menu where it is there."""
        button = self.page.locator(f'button[data-testid="timeline-{name}"]')
        if not button.is_visible():
            self.page.get_by_test_id("timeline-more").click()
        button.click()

    def open(self, drawer: str) -> None:
        """Open "numbers" or "settings" where it is not open."""
        button = self.page.get_by_test_id(f"timeline-{drawer}")
        if button.get_attribute("aria-expanded") != "true":
            button.click()
            settle(self.page)

    def export(self) -> None:
        """Open the panel Export from the head of the page."""
        self.page.locator(".st-key-go-export button").click()
        self.page.get_by_role("button", name="Labels", exact=True).wait_for()
        settle(self.page)

    def picture(self, kind: str) -> bytes:
        """The picture as saved: "png" or "svg"."""
        with self.page.expect_download() as caught:
            self.tool(kind)
        return caught.value.path().read_bytes()


def drawn_in(svg: bytes) -> dict[str, int]:
    """How many of each thing a saved SVG has, in the words of ``Explorer.drawn``."""
    picture = ElementTree.fromstring(svg).find("{*}svg")
    counts = Counter(element.get("class") for element in picture.iter() if not element.tag.endswith("}g"))
    del counts[None]  # the picture itself, and the points, which are named by their group
    counts["points"] = sum(len(group) for group in picture.findall("{*}g[@class='points']"))
    return dict(counts)
