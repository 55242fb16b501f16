"""A report as one page of HTML: no script, no network, light and dark, fit to print."""

import html
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

from theta_app.clustering import OUTLIER
from theta_app.datasets import SCALINGS, SPACES, TREATMENTS, WAYS
from theta_app.datasets.dataset import LEFT_OUT
from theta_app.datasets.prepare import readings_for
from theta_app.datasets.values import count
from theta_app.report import pictures
from theta_app.report.content import MOST_CLUSTERS, MOST_FEATURES, Report
from theta_app.report.snippet import snippet
from theta_app.report.words import place, sureness
from theta_app.selection.wording import short

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.15; margin: 0 0 0.3rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.25rem; }
p, li { max-width: 46rem; }
figure { margin: 0.8rem 0; }
figcaption, small { opacity: 0.75; font-size: 0.9rem; }
svg { width: 100%; height: auto; max-width: 46rem; display: block; }
.answer { font-size: 1.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.2rem 0.6rem; border-bottom: 1px solid #8884; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td i { display: inline-block; width: 0.8rem; height: 0.8rem; border-radius: 50%; margin-right: 0.4rem; }
pre { overflow-x: auto; padding: 0.8rem; border: 1px solid #8884; border-radius: 0.4rem; font-size: 0.85rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; } h2, figure, tr { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: Report) -> str:
    """The page; it opens anywhere and asks for nothing."""
    data = report.data
    parts = [
        _section("The answer", *_answer(report)),
        _section("Data", *_data(report)),
        _section("Preparation", *_preparation(report)),
        _section("Pictures", *_pictures(report)),
        _section("What's in each cluster?", *_profile(report)),
        _section("Settings", _pairs(_settings(report))),
        _section("The same in Python", f"<pre><code>{html.escape(snippet(report.clustering))}</code></pre>"),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>Clusters of {html.escape(data.name)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>Clusters of {html.escape(data.name)}</h1>{''.join(parts)}</body></html>"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{title}</h2>{''.join(parts)}</section>"


def _said(words: str) -> str:
    return f"<p>{html.escape(words)}</p>"


def _answer(report: Report) -> Iterator[str]:
    found = report.clustering
    kept = "" if found.keep is None else f", the {found.keep:,} largest kept and all points given to them"
    where = f"{place(found, report.data.unit)}{kept}"
    outliers = f" and {count(found.outliers, 'outlier')}" if found.outliers else ""
    found = f"{count(found.n_clusters, 'cluster')}{outliers}"
    yield f'<p class="answer"><b>{found}</b>: {html.escape(where)}.</p>'
    verdict = report.verdict
    if verdict is None:
        return
    if verdict.algorithm is None:
        yield _said(f"The verdict: nothing to find. {verdict.reason}")
        return
    kind = "The verdict" if verdict.stands_out else "The best guess"
    yield _said(
        f"{kind}: {count(verdict.n_clusters, 'cluster')}, {place(verdict)}, "
        f"{sureness(verdict.confidence)} sure. {verdict.reason}"
    )


def _data(report: Report) -> Iterator[str]:
    data = report.data
    n, d = data.in_columns.shape
    known = f", {len(data.truth_names):,} known classes" if data.truth is not None else ""
    yield _said(f"{data.source} {count(n, 'point')}, {count(d, 'column')}{known}.")
    if data.notes:
        yield "<ul>" + "".join(f"<li>{html.escape(note)}</li>" for note in data.notes) + "</ul>"


def _preparation(report: Report) -> Iterator[str]:
    data, chosen = report.data, report.data.preparation
    features = ", ".join(data.features[:30]) + (
        f" and {len(data.features) - 30:,} more" if len(data.features) > 30 else ""
    )
    pairs = {"Columns": features, "Label column": data.truth_column or "none"}
    if chosen is not None:
        pairs["Scale"] = SCALINGS[chosen.scaling].label
        if data.space is not None:
            pairs["Space"] = (
                f"{data.space.label}, {count(data.X.shape[1], 'coordinate')}. {SPACES[chosen.space].meaning}"
            )
        pairs["Gaps"] = WAYS[chosen.missing].label
        for key in readings_for(data.raw, chosen, data.features):
            reading = data.raw.readings[key]
            pairs[f"Read: {key}"] = f"{', '.join(reading.names)} ({reading.example})"
        pairs |= {f"Odd values of {column}": f"{what}: {TREATMENTS[how]}" for column, what, how in chosen.treat}
        pairs |= {f"Changed: {column}": shape for column, shape in chosen.shapes}
        pairs |= {f"Weight of {column}": f"{weight:g}" for column, weight in chosen.weights}
    used = {data.raw.source(name) for name in data.features}
    left = {c: why for c, why in data.raw.left_out.items() if c not in used and c != data.truth_column}
    if left:
        pairs["Left out"] = "; ".join(f"{c} ({LEFT_OUT[why]})" for c, why in list(left.items())[:20])
    aside = sum(len(rows) for _, rows in data.aside)
    if aside:
        reasons = ", ".join(f"{len(rows):,} with {reason}" for reason, rows in data.aside)
        pairs["Set aside"] = f"{count(aside, 'row')}: {reasons}"
    yield _pairs(pairs)


def _pairs(pairs: Mapping[str, object]) -> str:
    return (
        "<dl>" + "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(str(v))}</dd>" for k, v in pairs.items()) + "</dl>"
    )


def _pictures(report: Report) -> Iterator[str]:
    if report.positions is not None:
        drawn = min(len(report.rows), pictures.MOST_DRAWN)  # type: ignore[arg-type]
        total = len(report.data.X)
        few = f" {drawn:,} of {total:,} points are drawn." if drawn < total else ""
        what = "columns" if report.data.space is None else f"coordinates ({report.data.space.label})"
        how = f" {report.data.X.shape[1]:,} {what} drawn by {report.projection}." if report.projection else ""
        yield _figure(pictures.scatter(report), f"The points, coloured by cluster.{how}{few}")
    if report.sweep is not None and (report.sweep["theta"] > 0).sum() > 1:
        yield _figure(pictures.curve(report), "The number of clusters over θ, and the order agreement.")
    yield _figure(pictures.sizes(report), "Points per cluster, the largest first.")


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def _profile(report: Report) -> Iterator[str]:
    table = report.profile
    heads = "".join(f"<th>{html.escape(str(name))}</th>" for name in table.columns)
    rows = "".join(f"<tr>{''.join(_cells(report, table.columns, row))}</tr>" for row in table.itertuples(index=False))
    yield f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    said = "Means in the units of the columns."
    if len(report.data.features) > MOST_FEATURES:
        said += f" The {MOST_FEATURES} of {len(report.data.features):,} columns that differ most between clusters."
    if report.clustering.n_clusters > MOST_CLUSTERS:
        said += f" The {MOST_CLUSTERS} largest of {report.clustering.n_clusters:,} clusters."
    yield f"<small>{said}</small>"


def _cells(report: Report, columns: Iterable[str], row: Iterable) -> Iterator[str]:
    for name, value in zip(columns, row):
        if name == "cluster":
            word = "outliers" if value == OUTLIER else int(value)
            yield f'<td><i style="background:{report.colour(value)}"></i>{word}</td>'
        else:
            yield f"<td>{html.escape(_value(value))}</td>"


def _value(value: object) -> str:
    if isinstance(value, float | np.floating):
        return "–" if pd.isna(value) else short(float(value))
    return f"{value:,}" if isinstance(value, int | np.integer) else str(value)


def _settings(report: Report) -> dict[str, object]:
    found = report.clustering
    pairs = {
        "Algorithm": found.algorithm,
        "θ": f"{found.theta!r} {report.data.unit}",
        "ε": None if found.epsilon is None else repr(found.epsilon),
        "Chained": None if found.density is None else f"by density, {found.density} points per core; ε is a depth",
        "Largest kept": found.keep,
        "Shuffles": found.shuffles if found.algorithm != "TSG" else None,
        "Seed": found.seed if found.algorithm != "TSG" else None,
        "Digest of the points": report.data.digest,
        "Computed on": f"{found.points.sentence}; the others go to the nearest centroid" * (not found.points.whole)
        or None,
        "Link": report.link or None,
    }
    return {name: value for name, value in pairs.items() if value is not None}
