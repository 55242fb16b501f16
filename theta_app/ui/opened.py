"""Files that whoever started the server has named: ``theta-app customers.csv``.

They are for that person alone. The command prints a link with a random key; a browser that comes by it is the person's,
and gets the file as if it had uploaded it (`visitor`). Paths never leave the server, and nobody else learns that there
is a file. When it changes on disk the person is asked whether to take the new rows.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from theta_app import datasets
from theta_app.datasets.uploads.limits import check_bytes
from theta_app.datasets.uploads.process import read_upload
from theta_app.ui import session, store, visitor
from theta_app.ui.components import component
from theta_app.ui.widgets.brought import Brought, read
from theta_app.ui.widgets.words import plain

PARAMETER = "open"
_ENTERED = "opened.entered"  # the key that this session came by
_LEFT = "opened.left"  # what a file was when the person did not want its new rows
_idle_look = component("theta_idle_look", Path(__file__).parent / "js" / "idle_look.js")


@dataclass(frozen=True)
class Opened:
    """A file as it was when it was read: where it is, its size and time of change, the digest of its content."""

    path: Path
    stamp: tuple[int, int]
    digest: str


class _Offer:
    """What the command offers, to whom it was shown, and what they have read: one per server."""

    def __init__(self, paths: Sequence[Path] = ()) -> None:
        self.key = secrets.token_urlsafe(24)
        self.paths = tuple(dict.fromkeys(paths))
        self.holders: set[str] = set()  # visitors who came by the link
        self.read: dict[tuple[str, Path], Opened] = {}  # what each of them has read last


_offer = _Offer()


def offer(paths: Sequence[Path]) -> str:
    """Offer files to whoever has the key that is returned, and to nobody else."""
    global _offer
    _offer = _Offer(paths)
    return _offer.key


def files() -> tuple[Path, ...]:
    """The files that this visitor may open."""
    return _offer.paths if visitor.name() in _offer.holders else ()


def shown() -> Path | None:
    """The one that is shown."""
    file = _shown()
    return None if file is None else file.path


def _shown() -> Opened | None:
    spec, me = session.spec(), visitor.name()
    if not isinstance(spec, datasets.Upload):
        return None
    mine = (_offer.read.get((me, path)) for path in files())
    return next((file for file in mine if file is not None and file.digest == spec.digest), None)


def enter() -> None:
    """Whoever comes by the private link gets the first file."""
    key = st.query_params.get(PARAMETER)
    if key is None or st.session_state.get(_ENTERED) == key:
        return
    session.current()
    if not _offer.paths or not secrets.compare_digest(key.encode(), _offer.key.encode()):
        st.session_state[_ENTERED] = key
        session.notify("The server has restarted since it printed this link. Use its new link.")
        return
    _offer.holders.add(visitor.name())
    _take(_offer.paths[0], lambda brought: read(brought, None, lambda: _remember(_ENTERED, key)))
    st.session_state[_ENTERED] = key  # not before: a run that is cut short begins again


def take(path: Path) -> None:
    """Read one of the files and show it; for callbacks.

    In a callback, because a run that reads for seconds before it draws its widgets loses them when it is cut short.
    """
    _take(path, _read_now)


def take_again(path: Path) -> None:
    """Read the file that is shown once more; what the person has chosen stays. For callbacks."""
    if not _take(path, _read_now, keep_choices=True):
        _remember(_LEFT, _stamp(path))


def _read_now(brought: Brought) -> datasets.Dataset:
    return read_upload(brought.name, brought.content, store.BUDGET.largest)


def _take(path: Path, read: Callable[[Brought], datasets.Dataset], keep_choices: bool = False) -> bool:
    """Read a file and show it; a notice where it cannot be read. Whether it could."""
    try:
        stamp = _stamp(path)
        if stamp is None or path not in files():
            raise datasets.UploadError("It no longer exists.")
        check_bytes(stamp[0])
        content = path.read_bytes()
        data = read(Brought(path.name, content, f"{path} {stamp}"))
        spec = visitor.keep(data, content)
    except (datasets.UploadError, OSError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        session.notify(f"{path.name} cannot be opened. {said}")
        return False
    _offer.read[visitor.name(), path] = Opened(path, stamp, spec.digest)
    if keep_choices:
        state = session.current()
        session.restore(replace(state, spec=spec, settings=replace(state.settings, rows=None)))
    else:
        session.choose(spec, datasets.recommended(data))
    return True


def watch() -> None:
    """While an opened file is shown: when it changes, ask whether to take the new rows."""
    file = _shown()
    if file is None:
        return
    if (changed := _changed(file)) is not None:
        with st.container(horizontal=True, vertical_alignment="center", key="file-changed"):
            st.markdown(f":material/sync: {plain(file.path.name)} has changed. Load the new rows?", width="content")
            icon = ":material/check:"
            st.button("Load the new rows", key="file-take", icon=icon, on_click=take_again, args=(file.path,))
            st.button("Not now", key="file-leave", type="tertiary", on_click=_remember, args=(_LEFT, changed))
        return

    @st.fragment
    def look() -> None:
        _idle_look(key="theta_app.look", on_look_change=lambda: None)
        if _changed(file) is not None:
            st.rerun()

    look()


def _changed(file: Opened) -> tuple[int, int] | None:
    """What the file is now, if it is another than was read and the person has not said to leave it."""
    now = _stamp(file.path)
    return None if now in (file.stamp, st.session_state.get(_LEFT)) else now


def _remember(name: str, value: object) -> None:
    st.session_state[name] = value


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when the file does; None where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
