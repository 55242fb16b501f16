"""Rooms in which a class follows a lesson and answers questions. In memory, without names, for two hours.

Whoever opens a room leads it. The others ask every now and then what is new (`look`), which costs next to nothing, and
say what they think (`answer`). Everything that a browser sends is checked and bounded here.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

LIFE = 2 * 3600.0  # seconds from its opening to its end
PRESENT = 15.0  # seconds since a phone has last asked, for it to count as there
MOST_ROOMS = 50
MOST_PHONES = 500  # per room
MOST_TEXT = 8000  # letters of a place, as JSON
MOST_CHOICES = 40
LONGEST_WORDS = 200
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so that no words come out, and nothing that looks like a digit


@dataclass
class _Room:
    leader: str
    ends: float
    place: dict | None = None
    question: dict | None = None
    settled: dict | None = None
    answers: dict = field(default_factory=dict)  # of the question, by phone
    phones: dict = field(default_factory=dict)  # when each has last asked


class Rooms:
    """All rooms of a server. Safe for threads; ``clock`` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, _Room] = {}
        self._lock = threading.Lock()

    def open(self, leader: str) -> str:
        """A new room's code. RuntimeError where there are too many."""
        with self._lock:
            for old in list(self._rooms):  # rooms whose time is over are forgotten
                self._find(old)
            if len(self._rooms) >= MOST_ROOMS:
                raise RuntimeError("There are too many open rooms on this server. Try again later.")
            code = next(code for code in iter(_code, None) if code not in self._rooms)
            self._rooms[code] = _Room(leader, self._clock() + LIFE)
            return code

    def end(self, code: str, leader: str) -> None:
        """Close a room; nothing happens unless it is the leader's."""
        with self._lock:
            if (room := self._find(code)) and room.leader == leader:
                del self._rooms[code]

    def exists(self, code: str) -> bool:
        """Whether there is a room with this code."""
        with self._lock:
            return self._find(code) is not None

    def look(self, code: str, who: str) -> dict | None:
        """What somebody in the room sees; None when it has ended, or is full."""
        with self._lock:
            room = self._find(code)
            if room is None:
                return None
            now, leads = self._clock(), room.leader == who
            if not leads:
                if who not in room.phones and len(room.phones) >= MOST_PHONES:
                    return None
                room.phones[who] = now
            present = sum(now - seen < PRESENT for seen in room.phones.values())
            told = leads or room.question is None
            return {
                "code": code,
                "leads": leads,
                "phones": present,
                "place": room.place,
                "question": room.question,
                "settled": room.settled,
                "tally": _tally(room.answers) if told else {},
            }

    def lead(self, code: str, leader: str, said: dict) -> bool:
        """Whoever leads tells the place, the question that is open (None: none), or what was right. False: refused."""
        with self._lock:
            room = self._find(code)
            if room is None or room.leader != leader:
                return False
            if "place" in said and not _fits(said["place"]):
                return False
            if "settled" in said and room.question and _same(said["settled"], room.question):
                room.settled = {"id": room.question["id"], "right": _value(said["settled"].get("right"))}
                room.question = None
            if "place" in said:
                room.place = said["place"]
            if "question" in said:
                self._pose(room, _question(said["question"]))
            return True

    def _pose(self, room: _Room, question: dict | None) -> None:
        over = room.settled["id"] if room.settled else None
        if question is not None and question["id"] == over:
            return  # said before it was settled, heard after
        if question is not None and (room.question is None or room.question["id"] != question["id"]):
            room.answers, room.settled = {}, None
        room.question = question

    def answer(self, code: str, who: str, said: dict) -> bool:
        """A phone's answer to the open question; a second one replaces the first. False: it was not asked."""
        with self._lock:
            room = self._find(code)
            value = _value(said.get("value")) if isinstance(said, dict) else None
            if room is None or value is None or who not in room.phones or not _same(said, room.question or {}):
                return False
            choices = room.question["choices"]
            if choices is not None and not value < len(choices):
                return False
            room.answers[who] = value
            return True

    def _find(self, code: str) -> _Room | None:
        room = self._rooms.get(code)
        if room is not None and self._clock() >= room.ends:
            del self._rooms[code]
            return None
        return room


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(4))


def _tally(answers: Mapping[str, int]) -> dict[str, int]:
    """How often each answer was given; of many different ones the most frequent."""
    counts: dict[str, int] = {}
    for value in answers.values():
        counts[str(value)] = counts.get(str(value), 0) + 1
    return dict(sorted(counts.items(), key=lambda one: (-one[1], int(one[0])))[:MOST_CHOICES])


def _fits(place: object) -> bool:
    try:
        return isinstance(place, dict) and len(json.dumps(place)) <= MOST_TEXT
    except (TypeError, ValueError):
        return False


def _same(said: object, question: dict) -> bool:
    return isinstance(said, dict) and said.get("id") is not None and said.get("id") == question.get("id")


def _value(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10_000 else None


def _question(said: object) -> dict | None:
    """A question as the phones get it, or None where it is none."""
    if not isinstance(said, dict):
        return None
    choices = said.get("choices")
    texts = [said.get("id"), said.get("words"), *(choices if isinstance(choices, list) else [])]
    if not all(isinstance(text, str) and len(text) <= LONGEST_WORDS for text in texts) or len(texts) > MOST_CHOICES + 2:
        return None
    return {"id": said["id"], "words": said["words"], "choices": choices if isinstance(choices, list) else None}


ROOMS = Rooms()
