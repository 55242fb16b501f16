"""Whether the data are ready: one line on every page while something is open, and choices that can be undone."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from theta_app import datasets
from theta_app.ui import loading, session
from theta_app.ui.widgets import links
from theta_app.ui.widgets.words import count, plain

_UNDO = "readiness.undo"  # (spec and preparation that a choice led to, the state before it, what it did)
_SETTLED = "readiness.settled"  # what the person has seen and left as it is


def take(said: str = "", **changes: Any) -> None:
    """Change the preparation, trying it first so that a choice that does not fit changes nothing; for callbacks.

    ``said`` is what was done, in a sentence: with one, every page offers to undo it.
    """
    before = session.current()
    wanted = replace(before.preparation, **changes)
    try:
        loading.dataset(before.spec, wanted)
    except (ValueError, LookupError) as error:
        session.notify(f"{error} Nothing was changed.")
        return
    if set(changes) == {"truth"}:  # the points stay as they are, and so do the lengths chosen for them
        session.restore(replace(before, preparation=wanted))
    else:
        session.choose(before.spec, wanted)
    st.session_state[_UNDO] = ((before.spec, wanted), before, said) if said else None


def standardise() -> None:
    """Bring all columns to the same spread; for callbacks."""
    alike = ", then weighted" if session.preparation().weights else ": every column counts alike"
    take(f"Standardised{alike}. θ is in standard deviations.", scaling="standard")


def treat(data: datasets.Dataset, odd: datasets.Odd, how: str | None) -> None:
    """Do something about suspicious values, or keep them as they are; for callbacks."""
    done = f"{odd.suspicion.treated(how)}." if how else f"The odd values of '{odd.suspicion.column}' are kept."
    take(done[0].upper() + done[1:], **datasets.choices.treat(data, odd.suspicion, how))


def _undo(before: session.State) -> None:
    st.session_state[_UNDO] = None
    session.restore(before)


def _settle(what: Hashable) -> None:
    st.session_state[_SETTLED] = {*st.session_state.get(_SETTLED, ()), what}


def line(data: datasets.Dataset) -> None:
    """What was done last, with the way back, and what is still open about the data, with one click to do it."""
    just_done = undoable()
    found = loading.check(data)
    now = (session.spec(), session.preparation())
    settled = st.session_state.get(_SETTLED, ())
    if found.open and (now, "odd") not in settled:
        odd = found.open[0]
        others = len({each.suspicion.column for each in found.open}) - 1
        more = (
            f"; {count(others, 'other column')} {'has' if others == 1 else 'have'} suspicious values too"
            if others
            else ""
        )
        with _row():
            st.markdown(f":material/warning: {plain(odd.suspicion.sentence)}{more}.", width="content")
            st.button("Treat as missing", key="ready-missing", on_click=treat, args=(data, odd, "missing"))
            links.page_link("pages/Data.py", "Look at them", ":material/arrow_forward:", width="content")
            _leave_button((now, "odd"))
    elif unscaled(found) and (now, "scale") not in settled:
        with _row():
            st.markdown(f":material/balance: {plain(found.spread.sentence)}: standardise?", width="content")
            scale_button("Standardise")
            _leave_button((now, "scale"))
    elif session.own_data() and not just_done and (things := _open(data, found)) and (now, "rows") not in settled:
        with _row():
            st.markdown(f":material/rule: {' and '.join(things)}.", width="content")
            links.page_link("pages/Data.py", "Look at them", ":material/arrow_forward:", width="content")
            _leave_button((now, "rows"))


def undoable() -> bool:
    """Show what was done last with a button that undoes it; False where there is nothing to undo."""
    after, before, said = st.session_state.get(_UNDO) or (None, None, "")
    if after != (session.spec(), session.preparation()):
        return False
    with _row("ready-done"):
        st.markdown(f":material/check: {plain(said)}", width="content")
        st.button("Undo", key="ready-undo", type="tertiary", icon=":material/undo:", on_click=_undo, args=(before,))
    return True


def unscaled(found: datasets.Check) -> bool:
    """Whether a few columns decide every distance because of their units alone."""
    return bool(found.spread.deciding) and session.preparation().scaling == "none"


def scale_button(label: str, **options: Any) -> None:
    """Draw the button that standardises the columns."""
    st.button(label, key="ready-standardise", icon=":material/check:", on_click=standardise, **options)


def _leave_button(what: Hashable) -> None:
    st.button("Leave it", key="ready-leave", type="tertiary", on_click=_settle, args=(what,))


def _open(data: datasets.Dataset, found: datasets.Check) -> list[str]:
    """What else is worth a look: columns that are not used, rows that are not clustered."""
    total = len([name for name in data.raw.table.columns if name != data.truth_column])
    used = len({data.raw.source(name) for name in data.features})
    label = " beside the label" if data.truth_column else ""
    things = [f"{used:,} of {total:,} columns are used{label}"] if used < total else []
    if found.aside:
        things.append(f"{count(found.aside, 'row')} {'is' if found.aside == 1 else 'are'} set aside")
    return things


def _row(key: str = "ready-line") -> DeltaGenerator:
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=key)
