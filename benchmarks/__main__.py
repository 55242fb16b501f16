"""Measure, print ratios, and keep them in benchmarks/RESULTS.md: ``python -m benchmarks [engine|ui]``."""

import datetime
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"
HEADER = "| work | ours | peer | theirs | theirs / ours | asked for | |\n| --- | --- | --- | --- | --- | --- | --- |"


def main(sections):
    lines = []
    for section in sections:
        title, rows = _section(section)
        lines += [f"## {title}", "", HEADER]
        print(f"\n{title}\n", flush=True)
        for row in rows:
            lines.append(_line(row))
            print(_plain(row), flush=True)
        lines.append("")
    if set(sections) == {"engine", "ui"}:  # a part of the run does not replace the whole
        RESULTS.write_text("\n".join([*_preamble(), *lines]), encoding="utf-8")


def _section(name):
    # one thread for everybody, decided before a numerical library is loaded
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    if name == "engine":
        from benchmarks import engine

        return "Engine: CPU time, one thread, medians", engine.rows()
    from benchmarks import ui

    return "Page: wall time in a headless browser", ui.rows()


def _preamble():
    libraries = ", ".join(f"{p} {version(p)}" for p in ("numpy", "numba", "scikit-learn", "streamlit"))
    return [
        "# Results of the last `make bench`",
        "",
        f"{datetime.date.today()}, Python {platform.python_version()}, {libraries}; {_cpu()}, {os.cpu_count()} cores.",
        "Ours and the peer ran one after the other in the same run; rely on the ratios, not on the milliseconds.",
        "",
    ]


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


def _line(row):
    verdict = "" if not row.target else "holds" if row.holds else "**missed**"
    cells = (row.work, _seconds(row.ours), row.peer, _seconds(row.theirs), f"{row.ratio:.3g}", row.target)
    return "| " + " | ".join(cells) + f" | {'; '.join(filter(None, (verdict, row.note)))} |"


def _plain(row):
    verdict = "" if not row.target else "  holds" if row.holds else "  MISSED"
    asked = f" (asked for: {row.target})" if row.target else ""
    note = f"  [{row.note}]" if row.note else ""
    return (
        f"{row.work}: {_seconds(row.ours)} | {row.peer}: {_seconds(row.theirs)} | {row.ratio:.3g}{asked}{verdict}{note}"
    )


if __name__ == "__main__":
    main(sys.argv[1:] or ["engine", "ui"])
