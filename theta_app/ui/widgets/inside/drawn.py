"""What a group of rows is made of, on the page: bars of its profile, its labels, its rows, its pictures."""

import base64
import html
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, profiles
from theta_app.figures.palette import ACCENT, MUTED, SECOND
from theta_app.ui.timeline.look import truth_name
from theta_app.ui.widgets.words import short

_BARS = 8  # features shown as bars; all of them are in the table below
_LABELS = 6
_STYLE = """<style>
.theta-bars { display: grid; grid-template-columns: minmax(50px, 1.3fr) max-content minmax(40px, 2fr) 74px;
  gap: 3px 10px; align-items: center; font-size: 14px; }
.theta-bars > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.theta-bars .number { text-align: right; font-variant-numeric: tabular-nums; }
.theta-bars .bar { position: relative; height: 14px; border-radius: 3px;
  background: linear-gradient(90deg, transparent calc(50% - 0.5px), currentColor calc(50% - 0.5px) calc(50% + 0.5px),
  transparent calc(50% + 0.5px)); }
.theta-bars .bar i, .theta-mix .bar i { position: absolute; top: 0; bottom: 0; border-radius: 3px; }
.theta-mix { display: grid; grid-template-columns: minmax(60px, auto) minmax(80px, 1fr) auto; gap: 3px 10px;
  align-items: center; font-size: 14px; }
.theta-mix .bar { position: relative; height: 12px; background: color-mix(in srgb, currentColor 10%, transparent);
  border-radius: 3px; }
.theta-thumbs { display: flex; flex-wrap: wrap; gap: 8px 10px; }
.theta-thumbs figure { margin: 0; text-align: center; font-size: 12px; }
.theta-thumbs img { height: 72px; image-rendering: pixelated; border-radius: 4px; border: 1px solid #8c8c8c66; }
.theta-thumbs figure.mean img { outline: 2px solid currentColor; }
</style>"""


def bars(profile: pd.DataFrame, testid: str = "profile") -> None:
    """The profile's first features, each as a bar of how far it is from the others in standard deviations."""
    shown = profile.head(_BARS)
    most = max(float(shown["apart"].abs().max()), 1.0)
    cells = []
    for row in shown.itertuples():
        width = 50 * abs(row.apart) / most
        side = f"left:50%;background:{SECOND}" if row.apart >= 0 else f"right:50%;background:{ACCENT}"
        name = html.escape(row.feature)
        about = f"mean {short(row.mean)}, spread {short(row.sd)}, others {short(row.others)}"
        cells.append(
            f'<span title="{name}">{name}</span><span class="number" title="{about}">{short(row.mean)} ± '
            f'{short(row.sd)}</span><span class="bar" title="{about}"><i style="{side};width:{width:.1f}%"></i></span>'
            f'<span class="number">{row.apart:+.2f} sd</span>'
        )
    st.html(f'{_STYLE}<div class="theta-bars" data-testid="{testid}">{"".join(cells)}</div>')


def labels(mix: pd.DataFrame, testid: str = "label-mix") -> None:
    """The known classes in the group."""
    cells = [
        f"<span>{html.escape(str(row.label)[:40])}</span>"
        f'<span class="bar"><i style="left:0;width:{row.share:.1%};background:{MUTED}"></i></span>'
        f"<span>{row.share:.0%} ({row.points:,} of {round(row.points / row.share_of_all):,})</span>"
        for row in mix.head(_LABELS).itertuples()
    ]
    more = len(mix) - _LABELS
    rest = f"<span>and {more} more</span>" if more > 0 else ""
    st.html(f'{_STYLE}<div class="theta-mix" data-testid="{testid}">{"".join(cells)}{rest}</div>')


def rows_table(data: datasets.Dataset, typical: np.ndarray, extreme: np.ndarray) -> pd.DataFrame:
    """Rows of the file with what they stand for: positions in the data set in, a table out."""
    table = data.table.iloc[[*typical, *extreme]].rename(columns={data.truth_column: truth_name(data)})
    kinds = ["typical"] * len(typical) + ["extreme"] * len(extreme)
    shown = table.copy()
    shown.insert(0, "row", table.index)
    shown.insert(0, "which", kinds)
    return shown


def thumbnails(
    values: np.ndarray,
    shape: tuple[int, int],
    limits: tuple[float, float],
    group: np.ndarray,
    typical: np.ndarray,
    extreme: np.ndarray,
    numbers: np.ndarray,
) -> None:
    """The mean of a group of pictures, its most typical and its most extreme ones.

    ``values`` (n, d) are all rows; ``group`` a mask; ``typical`` and ``extreme`` positions; ``numbers`` has the row
    number of each.
    """
    mean = np.nanmean(values[group], axis=0)
    shown = profiles.pictures([mean, *values[typical], *values[extreme]], shape, *limits)
    words = ["mean", *(f"row {numbers[i]}" for i in typical), *(f"row {numbers[i]}" for i in extreme)]
    kinds = ["mean", *["typical"] * len(typical), *["extreme"] * len(extreme)]
    _gallery(shown, kinds, [kind if kind == "mean" else f"{kind}, {word}" for kind, word in zip(kinds, words)])


def mean_pictures(means: np.ndarray, shape: tuple[int, int], limits: tuple[float, float], names: Sequence[str]) -> None:
    """The mean picture of each of several clusters."""
    _gallery(profiles.pictures(means, shape, *limits), ["each"] * len(names), names)


def _gallery(shown: np.ndarray, kinds: Sequence[str], words: Sequence[str]) -> None:
    figures = [
        f'<figure class="{kind}"><img src="{data_uri(picture)}" alt="{html.escape(word)}">'
        f"<figcaption>{html.escape(word).replace(', ', '<br>')}</figcaption></figure>"
        for picture, kind, word in zip(shown, kinds, words)
    ]
    st.html(f'{_STYLE}<div class="theta-thumbs" data-testid="thumbnails">{"".join(figures)}</div>')


def data_uri(picture: np.ndarray) -> str:
    """A picture of bytes (height, width) as the address of a PNG."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def profile_table(profile: pd.DataFrame, **options: Any) -> None:
    """Every feature of a profile, sortable."""
    number = st.column_config.NumberColumn
    config = {
        "feature": "Column",
        "mean": number("Mean", format="%.4g"),
        "sd": number("Spread", format="%.4g", help="Standard deviation within the group."),
        "least": number("Least", format="%.4g"),
        "most": number("Most", format="%.4g"),
        "others": number("Mean of the others", format="%.4g"),
        "apart": number(
            "Apart (sd)", format="%+.2f", help="Difference of the means in standard deviations of all rows."
        ),
    }
    st.dataframe(profile, hide_index=True, column_config=config, **options)  # type: ignore[arg-type]
