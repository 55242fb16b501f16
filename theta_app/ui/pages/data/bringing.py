"""Bringing one's own data: a file, one of its sheets, or rows pasted from a spreadsheet."""

import streamlit as st

from theta_app import datasets
from theta_app.datasets.uploads.limits import MAX_BYTES, WhichSheet
from theta_app.datasets.uploads.xlsx import ASK
from theta_app.ui import session, visitor
from theta_app.ui.pages.data.choosing import WANTED
from theta_app.ui.widgets import controls, words
from theta_app.ui.widgets.brought import Brought, read

PASTED = "Pasted rows.txt"
_FILE = "data.file"  # the uploader
_HEADER = "data.header-row"  # the file whose header the person chose, and its row
_HANDLED = "data.handled"  # the file, sheet and header dealt with last, and what was said about it
_SHEETS = "data.sheets"  # the file that has several sheets, and their names
_STAYS = "The current data set is still the one below."


def bring_your_own() -> None:
    """The uploader and the paste box. What cannot be read leaves the current data set as it was."""
    visitor.recognise()
    left, right = st.columns([3, 2], gap="large")
    with left:
        file = st.file_uploader(
            "Bring your own file",
            key=_FILE,
            help="It stays in the server's memory, and only you can see it.",
        )
        st.caption(f"{' · '.join(datasets.FORMATS)}. Up to {MAX_BYTES // 10**6} MB.")
    with right:
        _paste()
    if file is None:
        st.session_state.pop(_HANDLED, None)
    else:
        _handle(Brought(file.name, file.getvalue(), file.file_id))


def _handle(brought: Brought) -> None:
    """Take a file once, and what was said about it until another comes."""
    part = _asked(brought)
    if part is None:
        return
    key = (brought.id, *part)
    handled, complaint = st.session_state.get(_HANDLED, (None, None))
    if handled != key:
        complaint = _read(brought, *part, key)
        st.session_state[_HANDLED] = (key, complaint)
        if complaint is None:
            st.rerun()
    if complaint:
        st.error(f"{complaint} {_STAYS}", icon=":material/error:")


def _asked(brought: Brought) -> tuple[str, str] | None:
    """(sheet, header) to read: None while the person has not said which sheet, `ASK` while nobody knows of several."""
    sheet, header = visitor.awaited_place(brought.content)
    file, chosen = st.session_state.get(_HEADER, ("", ""))
    header = chosen if file == brought.id else header
    file, sheets = st.session_state.get(_SHEETS, ("", ()))
    if file != brought.id:
        return sheet or ASK, header
    current = session.spec()
    shown = current.sheet if isinstance(current, datasets.Upload) and current.sheet in sheets else None
    if shown is None:
        st.info(f"{words.plain(brought.name)} has {len(sheets)} sheets. Which one?", icon=":material/table:")
    sheet = st.pills("Sheet", sheets, key=f"data.sheet.{brought.id}", format_func=words.plain)
    return None if sheet is None else (sheet, header)


def choose_header(data: datasets.Dataset) -> None:
    """Which row of the file names the columns, and another one by hand."""
    spec, raw = session.spec(), data.raw
    if not isinstance(spec, datasets.Upload) or not raw.head:
        return
    rows = {str(number): f"Row {number}: {', '.join(filter(None, cells))[:80]}" for number, cells in raw.head}
    shown = str(raw.header)
    rows = {
        "0": "No row: columns are numbered",
        **({} if shown in rows or shown == "0" else {shown: f"Row {shown}"}),
        **rows,
    }
    file = st.session_state.get(_FILE)
    st.selectbox(
        "Row that names the columns",
        list(rows),
        format_func=rows.get,
        disabled=file is None,
        help="Rows above it are not read." if file else "Upload the file again to choose another row.",
        width=520,
        **controls.bound("data.header", shown, _take_header),
    )


def _take_header(header: str) -> None:
    file = st.session_state.get(_FILE)
    if header and file is not None:
        st.session_state[_HEADER] = (file.file_id, header)


def _paste() -> None:
    with st.form("data.paste", border=False):
        text = st.text_area(
            "Or paste rows from a spreadsheet",
            key="data.pasted",
            height=75,
            placeholder="width\theight\n1.5\t2.0",
            help="Copy cells, with their header, and paste them here. Commas or semicolons between values work too.",
        )
        used = st.form_submit_button("Use these rows", icon=":material/check:")
    if not used or not text.strip():
        return
    complaint = _read(Brought(PASTED, text.encode(), "pasted"), ASK, "", ("pasted", ASK, ""))
    if complaint is None:
        st.rerun()
    st.error(f"{complaint} {_STAYS}", icon=":material/error:")


def _read(brought: Brought, sheet: str, header: str, key: tuple[str, str, str]) -> str | None:
    """Take what was brought as the current data set; returns a sentence when it cannot be."""
    named = "" if sheet == ASK else sheet
    try:
        data = read(brought, datasets.table_place(named, header) or ASK, lambda: _cancel(key))
        spec = visitor.keep(data, brought.content, named, header)
    except WhichSheet as question:
        st.session_state[_SHEETS] = (brought.id, question.sheets)
        st.rerun()
    except datasets.UploadError as error:
        return str(error)
    st.session_state.pop(WANTED, None)
    awaited = visitor.awaited(spec)
    if awaited is not None:
        session.restore(awaited)
        session.notify("This is the file of the link you opened; the link's settings are restored.")
    else:
        session.choose(spec, datasets.recommended(data))
    return None


def _cancel(key: tuple[str, str, str]) -> None:
    st.session_state[_HANDLED] = (key, "Reading the file was cancelled.")
