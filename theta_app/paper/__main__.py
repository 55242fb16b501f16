"""Run the paper's experiments without a page.

    python -m theta_app.paper hard              run what is missing, write the results, print the table
    python -m theta_app.paper all               every experiment, one after the other
    python -m theta_app.paper easy --fresh      measure everything again
    python -m theta_app.paper easy --to FOLDER  leave the stored results alone
    python -m theta_app.paper fresh             list what rests on code that has changed, and measure it again
    python -m theta_app.paper tune              search the parameters of the shape sets (tuned.json)
    python -m theta_app.paper deep              train the networks of section 5.5 (hours)

A run that is interrupted goes on from where it was. The stored results of the project were made this way.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from theta_app.paper import deep, studies
from theta_app.paper import fresh as freshness
from theta_app.paper import results as store
from theta_app.paper.complete import complete
from theta_app.paper.experiments import BUDGET, EXPERIMENTS
from theta_app.paper.studies import STUDIES

NAMES = (*EXPERIMENTS, *STUDIES, "all", "fresh", "tune", "deep", *deep.TRIALS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment that the command line names, and store its results."""
    parser = argparse.ArgumentParser("python -m theta_app.paper", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "experiment",
        choices=NAMES,
        metavar="EXPERIMENT",
        help=", ".join(NAMES),
    )
    parser.add_argument("--repeats", type=int, help="instead of the experiment's own number")
    parser.add_argument("--fresh", action="store_true", help="forget what is stored")
    parser.add_argument("--list", action="store_true", help="with fresh: measure nothing")
    parser.add_argument("--to", metavar="FOLDER", help="where the results are kept; by default with the project's")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds a method may take (default %(default)g)")
    parser.add_argument("--images", metavar="FILE", help="MNIST as an .npz file; by default the downloaded one")
    parser.add_argument("--checkpoints", metavar="FOLDER", help="where networks in training are kept, to go on from")
    chosen = parser.parse_args(arguments)
    if chosen.experiment == "fresh":
        _refresh(chosen.list, chosen.budget)
        return
    if chosen.experiment == "tune":
        from theta_app.paper.tuning import tune

        tune()
        return
    if chosen.experiment == "deep" or chosen.experiment in deep.TRIALS:
        listed = [key for key, trial in deep.TRIALS.items() if trial.listed]
        for key in listed if chosen.experiment == "deep" else [chosen.experiment]:
            deep.complete_from_file(deep.TRIALS[key], chosen.images, chosen.fresh, chosen.to, chosen.checkpoints, _say)
        return
    if chosen.experiment in STUDIES:
        _study(chosen.experiment, chosen.fresh, chosen.to)
        return
    for key in EXPERIMENTS if chosen.experiment == "all" else [chosen.experiment]:
        began = time.monotonic()
        found = complete(EXPERIMENTS[key], chosen.repeats, chosen.fresh, chosen.to, chosen.budget, say=_say)
        table = store.summary(found.frame(), EXPERIMENTS[key].scores)
        print(f"\n{EXPERIMENTS[key].title}, medians ({time.monotonic() - began:.0f} s)")
        print(table.to_string(index=False, float_format="{:.4g}".format), flush=True)


def _study(key: str, fresh: bool = False, to: Path | None = None) -> None:
    study = STUDIES[key]
    studies.complete(study, freshness.study_digest(study), fresh, to, _say)


def _refresh(only_list: bool, budget: float) -> None:
    """Experiments are measured again row by row; what takes hours, or is in a document, is only named."""
    tables, documents = freshness.stale_tables(), freshness.stale_documents()
    for stale in (*tables, *documents):
        print(f"{stale.where}: {stale.name}, {stale.values}. {stale.command}", flush=True)
    if not tables and not documents:
        print("Nothing is stale.")
    for name in () if only_list else [stale.name for stale in tables if stale.name in EXPERIMENTS]:
        if name == "shapes-untuned":
            from theta_app.paper.tuning import tune

            tune(_say, search=False)
        complete(EXPERIMENTS[name], budget=budget, say=_say)
    for name in () if only_list else [stale.name for stale in tables if stale.name in STUDIES]:
        _study(name)
    for stale in documents:
        print(f"{stale.where}: write the figures anew under {freshness.mark(stale.name)}")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
