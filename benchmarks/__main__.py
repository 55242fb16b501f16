"""Measure, print, and keep the results: ``python -m benchmarks [engine] [distributed] [ui] [soak]``, RESULTS.md.

A section that is measured replaces its own part of the file; the others stay as they are.
"""

import datetime
import os
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
HEADER = "| work | ours | peer | theirs | theirs / ours | asked for | |\n| --- | --- | --- | --- | --- | --- | --- |"
TITLES = {
    "engine": "Engine: CPU time, one thread, medians",
    "distributed": "On Dask: CPU time of the busier of two workers of one thread each",
    "ui": "Page: wall time in a headless browser",
    "soak": "A class at once: scripted visitors over WebSocket",
}


def main(sections):
    for section in sections:
        title = TITLES[section]
        print(f"\n{title}\n", flush=True)
        header, lines = _section(section)
        kept = []
        for line, shown in lines:
            kept.append(line)
            print(shown, flush=True)
        from theta_app.paper import fresh  # after a section has decided on threads

        if section == "soak" and (os.environ.get("SOAK_ROWS") or os.environ.get("SOAK_SECONDS")):
            continue  # a short form, to be looked at: the file keeps the whole one
        _keep(title, "\n".join([fresh.mark(f"bench-{section}"), "", _measured(), "", header, *kept]))


def _section(name):
    """(header, iterator of (line of the table, line as printed))."""
    # one thread for everybody, decided before a numerical library is loaded
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    if name == "soak":
        from benchmarks import soak

        return soak.HEADER, ((line, line) for line in soak.lines())
    if name == "engine":
        from benchmarks import engine as section
    elif name == "distributed":
        from benchmarks import distributed as section
    else:
        from benchmarks import ui as section
    return HEADER, ((_line(row), _plain(row)) for row in section.rows())


def _keep(title, text):
    """Put a section into the file, in the order of `TITLES`."""
    known = {}
    if RESULTS.exists():
        parts = re.split(r"(?m)^## (.+)$", RESULTS.read_text(encoding="utf-8"))
        known = {name: body.strip() for name, body in zip(parts[1::2], parts[2::2])}
    known[title] = text
    preamble = [
        "# Results of the last `make bench` and `make soak`",
        "",
        "Ours and the peer ran one after the other in the same run; rely on the ratios, not on the milliseconds.",
    ]
    sections = [f"## {name}\n\n{known[name]}" for name in TITLES.values() if name in known]
    RESULTS.write_text("\n\n".join(["\n".join(preamble), *sections]) + "\n", encoding="utf-8")


def _measured():
    libraries = ", ".join(f"{p} {version(p)}" for p in ("numpy", "numba", "scikit-learn", "streamlit"))
    return (
        f"{datetime.date.today()}, Python {platform.python_version()}, {libraries}; {_cpu()}, {os.cpu_count()} cores."
    )


def _cpu():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def _seconds(value):
    if value < 1e-4:
        return f"{value * 1e9:.0f} ns"
    return f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def _amounts(row):
    if row.unit == "s":
        return _seconds(row.ours), _seconds(row.theirs)
    return f"{row.ours:,.0f} {row.unit}", f"{row.theirs:,.0f} {row.unit}"


def _line(row):
    verdict = "" if not row.target else "holds" if row.holds else "**missed**"
    ours, theirs = _amounts(row)
    cells = (row.work, ours, row.peer, theirs, f"{row.ratio:.3g}", row.target)
    return "| " + " | ".join(cells) + f" | {'; '.join(filter(None, (verdict, row.note)))} |"


def _plain(row):
    verdict = "" if not row.target else "  holds" if row.holds else "  MISSED"
    asked = f" (asked for: {row.target})" if row.target else ""
    note = f"  [{row.note}]" if row.note else ""
    ours, theirs = _amounts(row)
    return f"{row.work}: {ours} | {row.peer}: {theirs} | {row.ratio:.3g}{asked}{verdict}{note}"


if __name__ == "__main__":
    main(sys.argv[1:] or ["engine", "distributed", "ui"])
