"""Measure what is missing, then write the report of all that is known: ``python -m benchmarks.quality``.

    --noise 60        only so many of the noise sets
    --part truth      only this part (truth, noise, elbow, cpu, tables, many, wide); of the others what is stored stays
    --method theta    only this method
    --share 1/2       only every second piece; the other half with 2/2, at the same time on another core
    --report          measure nothing

What has been measured is kept in benchmarks/.quality until the code or the data it depends on change, so a run that was
ended goes on from where it was, and after a change of the rules only our own answers are measured again.
"""

import argparse
import os
import time


def main(arguments=None):
    for library in ("OMP", "OPENBLAS", "MKL"):  # one thread for everybody, decided before one of them is loaded
        os.environ[f"{library}_NUM_THREADS"] = "1"
    from benchmarks.quality import jobs, report, sets
    from benchmarks.quality.methods import MANY_COLUMNS, METHODS, warm_up
    from theta_app.paper import quality as store

    parser = argparse.ArgumentParser("python -m benchmarks.quality", description=__doc__.split("\n\n")[0])
    parser.add_argument("--noise", type=int, default=sets.NOISE_SETS, help="noise sets (default %(default)s)")
    parser.add_argument("--part", action="append", choices=store.PARTS)
    parser.add_argument("--method", action="append", choices=[*METHODS, *MANY_COLUMNS, jobs.TOLD])
    parser.add_argument("--share", type=_share, default=(1, 1), help="which part of the pieces, such as 1/2")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    chosen = parser.parse_args(arguments)
    planned = list(jobs.jobs(chosen.noise, say=_say))
    if not chosen.report:
        which, shares = chosen.share
        _measure([job for job in planned if _wanted(job, chosen)][which - 1 :: shares], warm_up)
    report.write(planned, parts=chosen.part or ())


def _share(text):
    which, shares = map(int, text.split("/"))
    if not 1 <= which <= shares:
        raise ValueError
    return which, shares


def _wanted(job, chosen):
    return (not chosen.part or job.part in chosen.part) and (
        not chosen.method or job.facts.get("method") in chosen.method
    )


def _measure(planned, warm_up):
    missing = [job for job in planned if job.known() is None]
    _say(f"{len(planned) - len(missing)} of {len(planned)} measurements are known")
    if missing:
        methods = {job.facts.get("method") for job in missing}
        warm_up(None if None in methods else methods)
    began = time.monotonic()
    for done, job in enumerate(missing, 1):
        found = job.known() or job.measure()  # another process may have measured it meanwhile
        shown = ", ".join(f"{name} {_short(value)}" for name, value in found.items() if value not in ("", None))
        _say(f"{done}/{len(missing)} · {time.monotonic() - began:.0f} s · {job.part} {job.name}: {shown}")


def _short(value):
    return f"{value:.3g}" if isinstance(value, float) else value


def _say(line):
    print(line, flush=True)


if __name__ == "__main__":
    main()
