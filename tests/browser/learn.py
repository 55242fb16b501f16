"""What the browser tests of Learn share: opening a lesson, where its story stands, all that a moment of it shows."""

import json
import re

from playwright.sync_api import expect

from tests.browser.helpers import settle
from theta_app.lessons.player import player_stories

CLASSROOM = {"width": 1280, "height": 720}  # what most projectors show
LESSONS = {  # kind of picture: (lesson, story, prefix of its controls)
    "start": ("start", None, "start"),
    "player": ("point", None, "player"),
    "orders": ("order", None, "orders"),
    "lemma": ("order", "Slide together", "lemma"),
    "vote": ("vote", None, "vote"),
    "chain": ("chain", None, "chain"),
    "frames": ("fails", None, "frames"),
    "beside": ("beside", None, "beside"),
    "growth": ("growth", None, "growth"),
    "finder": ("try", None, "finder"),
    "break the order": ("try", "2. Break the order", "player"),
    "chain the rings": ("try", "3. Chain the rings", "chain"),
}


def open_lesson(page, server, lesson, viewport=None, **options):
    if viewport:
        page.set_viewport_size(viewport)
    query = "&".join(f"o_{name}={value}" for name, value in {"lesson": lesson, **options}.items())
    page.goto(f"{server.url}/Learn?{query}")
    expect(host(page)).to_have_attribute("data-lesson", lesson)
    settle(page)
    return page


def host(page):
    return page.get_by_test_id("learn")


def step(page, prefix="player"):
    """Position of a player."""
    return int(page.get_by_test_id(f"{prefix}-step").inner_text().split()[1])


def reaches(page, position, seconds=60):
    """Wait until the player has come to a position."""
    shown = page.get_by_test_id("player-step").element_handle()
    page.wait_for_function(
        "([shown, place]) => Number(shown.textContent.split(' ')[1]) >= place",
        arg=[shown, position],
        timeout=seconds * 1000,
    )


def labels(page):
    return page.get_by_test_id("player").get_attribute("data-labels").split()


def answered(page):
    page.wait_for_selector('[data-testid="player"][data-answered="true"]')


def canvas_place(page, x, y, testid="player-canvas"):
    """Screen position of a place in the picture's units (16 by 9)."""
    canvas = page.get_by_test_id(testid)
    canvas.evaluate("canvas => canvas.scrollIntoView({ block: 'center' })")  # not under the page's header
    box = canvas.bounding_box()
    return box["x"] + x / 16 * box["width"], box["y"] + (1 - y / 9) * box["height"]


def outlier():
    """Where the far point of "An outlier" is."""
    story = player_stories()["outlier"]
    return story.X[story.truth == 2][0]


def pixels(page, testid):
    """A number that changes with what a canvas shows."""
    return page.get_by_test_id(testid).evaluate("canvas => canvas.toDataURL()")


def share_link(page):
    """The link to what is shown, as the panel for sharing has it."""
    page.get_by_test_id("learn-share").click()
    expect(page.get_by_test_id("learn-link")).to_have_value(re.compile("o_lesson="))
    link = page.get_by_test_id("learn-link").input_value()
    page.get_by_test_id("learn-share-close").click()
    return link


# Moments of a story

_PLACE = """(root) => {
    const { lesson, story, moment } = root.dataset, named = (name) => root.querySelector(`[data-testid="${name}"]`);
    const answer = named('answer-0');
    return [lesson, story, moment, Boolean(!named('question').hidden && answer && !answer.disabled)];
}"""
_MOVED = f"""([root, before]) => JSON.stringify(({_PLACE})(root)) !== before
    && root.querySelector('.lesson').dataset.playing !== 'true'
    && document.querySelector('[data-testid="stApp"]').dataset.testScriptState === 'notRunning'"""
_LOOK = f"""async (root) => {{
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    const named = (name) => root.querySelector(`[data-testid="${{name}}"]`);
    const box = (part) => {{
        const {{ left, top, right, bottom }} = part.getBoundingClientRect();
        return [left, top, right, bottom].map(Math.round);
    }};
    const shown = (part) => part.checkVisibility({{ visibilityProperty: true }});
    const next = named('learn-next'), canvases = [...root.querySelectorAll('.lesson canvas')];
    const parts = [...root.querySelectorAll('[data-testid]')].filter(shown);
    return {{
        place: ({_PLACE})(root), caption: named('learn-caption').textContent, state: root.dataset.state,
        ends: next.disabled, cut: [next.scrollWidth - next.clientWidth, next.scrollHeight - next.clientHeight],
        crowded: canvases.map((one) => Number(one.dataset.crowded)), canvases: canvases.map(box),
        texts: canvases.map((one) => one.dataset.text), staged: document.fullscreenElement !== null,
        wide: document.documentElement.scrollWidth,
        boxes: Object.fromEntries(parts.map((part) => [part.dataset.testid, box(part)])),
    }};
}}"""


def place(page):
    """Where the story stands: lesson, story, moment, and whether a question is open."""
    return host(page).evaluate(_PLACE)


def goes_on(page, before):
    """Wait until the story stands elsewhere and rests: another one is there before the run that brought it has ended,
    and what that run still changes around it moves it."""
    told = json.dumps(before, separators=(",", ":"), ensure_ascii=False)  # as JSON.stringify
    page.wait_for_function(_MOVED, arg=[host(page).element_handle(), told])
    return place(page)


def look(page):
    """What a moment shows: caption, the numbers of its picture, and where everything is."""
    seen = host(page).evaluate(_LOOK)
    return seen | {"state": [value for value in json.loads(seen["state"]) if value is not None]}


_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
# what is no number of a picture: names of places and parts of words
_NO_NUMBER = re.compile(
    r"ε/2|θ/2|\d+ times as wide|\(\d+ of 3 exercises solved\.\)|\(\d+%\)|is 1 for the true clusters and near 0"
)


def unshown(text, state):
    """The numbers of a caption that the picture does not have, rounded as the caption rounds."""
    wrong = []
    for found in _NUMBER.findall(_NO_NUMBER.sub("", text)):
        value, decimals = float(found.replace(",", "")), len(found.partition(".")[2])
        tolerance = 0.5000001 * 10.0**-decimals
        if not any(abs(value - one) <= tolerance * (10 if decimals == 0 and abs(one) >= 1000 else 1) for one in state):
            wrong.append(found)
    return wrong
