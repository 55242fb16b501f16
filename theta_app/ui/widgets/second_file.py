"""Another file gets the clusters of the first: prepared by the same rules, each row goes to the nearest centroid."""

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets
from theta_app.clustering import OUTLIER, Clustering
from theta_app.ui import loading, visitor
from theta_app.ui.widgets import downloads
from theta_app.ui.widgets.brought import Brought, read
from theta_app.ui.widgets.words import count, plain, short

_HANDLED = "second.handled"  # the file dealt with last, its spec, and what was said about it


def show(clustering: Clustering, name: str) -> None:
    """An uploader, and the clusters of what was uploaded. ``name`` is of the file to download, without its ending."""
    with st.expander("Apply these clusters to another file", icon=":material/move_group:"):
        file = st.file_uploader("Another file", key="second.file")
        st.caption(
            f"Its columns are read, filled and scaled as those of {plain(clustering.data.name)}, without refitting; "
            "each row goes to the nearest centroid."
        )
        if file is None:
            return
        handled, spec, complaint = st.session_state.get(_HANDLED, (None, None, None))
        if handled != file.file_id:
            spec, complaint = _read(Brought(file.name, file.getvalue(), file.file_id))
            st.session_state[_HANDLED] = (file.file_id, spec, complaint)
        if complaint is None:
            try:
                _clusters(clustering, loading.second(clustering.data, spec), name)
            except LookupError:
                complaint = "The server no longer has the second file. Upload it again."
            except ValueError as error:
                complaint = str(error)
        if complaint:
            st.error(complaint, icon=":material/error:")


def _read(brought: Brought) -> tuple[datasets.Upload | None, str | None]:
    """(where it is kept, None), or (None, a sentence)."""
    try:
        found = read(brought, None, lambda: _cancel(brought.id))
        return visitor.keep(found, brought.content), None
    except datasets.UploadError as error:
        return None, str(error)


def _cancel(file_id: str) -> None:
    st.session_state[_HANDLED] = (file_id, None, "Reading the file was cancelled.")


def _clusters(clustering: Clustering, second: datasets.Dataset, name: str) -> None:
    labels, distances = clustering.predict(second)
    theta = clustering.theta
    found, counts = np.unique(labels, return_counts=True)
    far = int((distances > theta).sum())
    aside = sum(len(rows) for _, rows in second.aside)
    said = [f"**{plain(second.name)}**: {count(len(labels), 'row')} in {count(int((found >= 0).sum()), 'cluster')}"]
    said += [count(int((labels == OUTLIER).sum()), "outlier")] if OUTLIER in found else []
    said += [f"{count(far, 'row')} further than θ = {short(theta)} from the nearest centroid"] if far else []
    said += [f"{count(aside, 'row')} set aside"] if aside else []
    st.markdown(", ".join(said) + ".")
    sizes = pd.DataFrame({"cluster": found, f"rows of {second.name}": counts})
    sizes.insert(1, f"rows of {clustering.data.name}", [int((clustering.labels == label).sum()) for label in found])
    if clustering.names:
        sizes.insert(1, "name", [clustering.names.get(int(label), "") for label in found])
    st.dataframe(sizes, hide_index=True, height=min(38 + 35 * len(sizes), 260))
    table = clustering.rows_table(second, labels, distance=distances, within_theta=distances <= theta)
    downloads.csv("That file with clusters", table, f"second-{name}", help="Every row of it by its number.")
