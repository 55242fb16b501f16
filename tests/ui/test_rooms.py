"""Rooms: who leads, who follows, what is counted, and when it ends."""

import threading

import pytest

from theta_app.ui import rooms
from theta_app.ui.rooms import Rooms

PLACE = {"options": {"lesson": "point"}, "at": 3, "beats": 4, "pointer": 1}
QUESTION = {"id": "q1", "words": "Which?", "choices": ["0", "1", "new"]}


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def house(clock):
    return Rooms(clock)


def test_phones_see_where_the_leader_stands(house):
    code = house.open("teacher")
    assert house.look(code, "phone")["place"] is None
    assert house.lead(code, "teacher", {"place": PLACE, "question": None})
    seen = house.look(code, "phone")
    assert seen["place"] == PLACE
    assert (seen["leads"], house.look(code, "teacher")["leads"]) == (False, True)
    assert house.look(code, "teacher")["phones"] == 1


def test_only_the_leader_leads_and_ends(house):
    code = house.open("teacher")
    assert not house.lead(code, "phone", {"place": PLACE})
    house.end(code, "phone")
    assert house.exists(code)
    house.end(code, "teacher")
    assert not house.exists(code)
    assert house.look(code, "phone") is None


def test_answers_are_counted_without_names_and_shown_to_phones_when_it_is_settled(house):
    code = house.open("teacher")
    for phone in "abc":
        house.look(code, phone)
    house.lead(code, "teacher", {"place": PLACE, "question": QUESTION})
    assert house.answer(code, "a", {"id": "q1", "value": 2})
    assert house.answer(code, "b", {"id": "q1", "value": 0})
    assert house.answer(code, "b", {"id": "q1", "value": 2}), "one may change one's mind"
    assert house.look(code, "teacher")["tally"] == {"2": 2}
    assert house.look(code, "c")["tally"] == {}, "nobody is led by the others' answers"
    house.lead(code, "teacher", {"settled": {"id": "q1", "right": 2}})
    seen = house.look(code, "c")
    assert (seen["question"], seen["settled"], seen["tally"]) == (None, {"id": "q1", "right": 2}, {"2": 2})
    assert "a" not in str(seen["tally"])
    assert not house.answer(code, "c", {"id": "q1", "value": 1}), "too late"
    house.lead(code, "teacher", {"question": QUESTION})
    assert house.look(code, "c")["question"] is None, "what was settled is not asked again by a late message"
    house.lead(code, "teacher", {"question": QUESTION | {"id": "q2"}})
    assert house.look(code, "teacher")["tally"] == {}


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"id": "q1"},
        {"id": "q1", "value": 3},
        {"id": "q1", "value": -1},
        {"id": "q2", "value": 0},
        {"id": "q1", "value": "0"},
        None,
    ],
)
def test_an_answer_that_was_not_asked_for_is_refused(house, said):
    code = house.open("teacher")
    house.look(code, "a")
    house.lead(code, "teacher", {"question": QUESTION})
    assert not house.answer(code, "a", said)
    assert house.look(code, "teacher")["tally"] == {}


def test_whoever_has_not_joined_cannot_answer(house):
    code = house.open("teacher")
    house.lead(code, "teacher", {"question": QUESTION})
    assert not house.answer(code, "stranger", {"id": "q1", "value": 0})


def test_a_room_ends_after_two_hours_and_phones_that_left_are_not_counted(house, clock):
    code = house.open("teacher")
    house.look(code, "a")
    clock.now += rooms.PRESENT + 1
    assert house.look(code, "teacher")["phones"] == 0
    clock.now += rooms.LIFE - rooms.PRESENT - 2
    assert house.exists(code)
    clock.now += 1
    assert house.look(code, "a") is None


def test_rooms_phones_and_what_is_sent_are_bounded(house, clock, monkeypatch):
    monkeypatch.setattr(rooms, "MOST_ROOMS", 3)
    monkeypatch.setattr(rooms, "MOST_PHONES", 2)
    code, *_ = [house.open("teacher") for _ in range(3)]
    with pytest.raises(RuntimeError, match="too many open rooms"):
        house.open("teacher")
    assert house.look(code, "a")
    assert house.look(code, "b")
    assert house.look(code, "c") is None
    assert house.look(code, "a"), "who is in stays in"
    assert not house.lead(code, "teacher", {"place": {"options": {"drawn": "A" * 9000}}})
    house.lead(code, "teacher", {"question": {"id": "q", "words": "w" * 300, "choices": ["a"]}})
    assert house.look(code, "a")["question"] is None
    clock.now += rooms.LIFE
    assert house.open("teacher"), "ended rooms make room"


def test_codes_are_short_and_nobody_can_misread_them(house):
    codes = {house.open("t") for _ in range(40)}
    assert len(codes) == 40
    assert all(len(code) == 4 and not set(code) & set("AEIOUY01") for code in codes)


def test_fifty_phones_answer_at_once(house):
    code = house.open("teacher")
    house.lead(code, "teacher", {"question": QUESTION})

    def phone(name):
        house.look(code, name)
        house.answer(code, name, {"id": "q1", "value": int(name) % 3})

    threads = [threading.Thread(target=phone, args=(str(i),)) for i in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert house.look(code, "teacher")["tally"] == {"0": 17, "1": 17, "2": 16}
