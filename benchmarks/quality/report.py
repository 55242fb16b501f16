"""What was measured, as benchmarks/QUALITY.md and as the file that Compare shows."""

import json
from dataclasses import replace
from pathlib import Path

from benchmarks.quality import corpus, jobs, sets
from benchmarks.quality.methods import MANY_COLUMNS, METHODS, told_k
from theta_app import selection
from theta_app.paper import fresh, results
from theta_app.paper import quality as store

REPORT = Path(__file__).resolve().parents[1] / "QUALITY.md"


def write(planned, report=REPORT, folder=None, parts=()):
    """The report of all jobs whose value is known, and what is missing; of other parts than these, if any are given,
    what is stored stays."""
    planned = [job for job in planned if not parts or job.part in parts]
    values = [(job, job.known()) for job in planned]
    found = _quality([(job, value) for job, value in values if value is not None])
    missing = sum(value is None for _, value in values)
    before = store.stored(folder) if parts else None
    if before is not None:
        names = [*parts, *(["many_methods"] if jobs.MANY in parts else [])]
        names += ["methods", "about"] if jobs.TRUTH in parts else []
        found = replace(before, made=found.made, **{name: getattr(found, name) for name in names})
    store.store(found, folder)
    Path(report).write_text(_text(found, missing, len(values)), encoding="utf-8")


def _quality(known):
    rows = {part: [] for part in store.PARTS}
    for job, value in known:
        rows[job.part].append(job.facts | value)
    for part in (jobs.TRUTH, jobs.NOISE):
        _in_table_order(rows[part])
    rows[jobs.WIDE].sort(key=lambda row: [*sets.WIDE_KINDS, *sets.CURVED_KINDS].index(row["kind"]))
    many = {key: method.label for key, method in (*MANY_COLUMNS.items(), (jobs.TOLD, told_k(1)))}
    answered = {row["method"] for row in rows[jobs.TRUTH]}
    methods = {key: method for key, method in METHODS.items() if key in answered}
    return store.Quality(
        results.today(),
        results.versions(),
        results.machine(),
        {key: method.label for key, method in methods.items()},
        {key: method.about for key, method in methods.items()},
        *(store.table(part, rows[part]) for part in rows),
        {key: label for key, label in many.items() if any(row["method"] == key for row in rows[jobs.MANY])},
        rests_on=fresh.WHOLE["quality"].digest,  # what is known is kept by its code: see jobs
    )


def _in_table_order(rows):
    """Set by set, methods in the order of their table: a stored run does not depend on the order of measuring."""
    places, methods = {}, list(METHODS)
    for row in rows:
        places.setdefault((row.get("group"), row["set"]), len(places))
    rows.sort(key=lambda row: (places[row.get("group"), row["set"]], methods.index(row["method"])))


# ---- the report -----------------------------------------------------------------------------------------------------


def _text(found, missing, planned):
    parts = [
        _head(found, missing, planned),
        fresh.mark("quality"),
        _totals(found),
        _groups(found),
        *_many(found),
        _noise(found),
        _wide(found),
        _reliability(found),
        _tables(found),
        _out_of_fold(),
        _elbow(found),
        _cpu(found),
        _per_set(found),
    ]
    return "\n\n".join(parts) + "\n"


def _head(found, missing, planned):
    versions = ", ".join(f"{name} {version}" for name, version in found.versions.items())
    machine = f"{found.machine['processor']}, {found.machine['cores']} cores"
    lines = [
        "# How good is the automatic answer?",
        "",
        f"Made by `make quality`. {found.made}, {versions}; {machine}.",
        "",
        "Nothing is given to any method. The score is the adjusted Rand index: 1 for the true classes, 0 for chance. "
        "Points without a class are left out of it; where a set has several true labellings the best counts. Time is "
        f"processor time on one thread; an answer that takes more than {jobs.LIMIT:g} s is none and scores 0.",
        "",
        "The weights of ThetA's verdict were fitted on these sets too, and on drawn ones, so these figures flatter it; "
        "what it reaches out of fold has a table of its own below. Nothing was tuned for the other methods.",
        "",
        "How sure a verdict is was written down before it was measured. An answer is wrong and sure if its adjusted "
        f"Rand is below {store.RIGHT:g} at a confidence above {store.SURE:.0%}; at most 4 % of 200 everyday tables may "
        "be, drawn by numbers that nothing was fitted on. Confidence is a logistic model of the answer's probability "
        "and of what makes it doubt: clusters that are lost without columns of few values, another answer that density "
        "agrees with more, little backing by ranges of ε, a narrow range, runs that disagree, uneven sizes, few rows. "
        "It was fitted to answers out of fold and judged out of fold, by family or collection. An answer whose result "
        "has a warning is never called clear.",
        "",
        *(f"- **{label}**: {found.about[key]}." for key, label in found.methods.items()),
    ]
    if missing:
        lines += ["", f"**{missing} of {planned} measurements were not made in this run.**"]
    return "\n".join(lines)


def _section(title, about, header, rows):
    if not rows:
        return f"## {title}\n\nNot measured in this run."
    lines = [header, ["---"] * len(header), *rows]
    return f"## {title}\n\n{about}\n\n" + "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _totals(found):
    table = store.totals(found)
    best = table["mean"].max()
    rows = [
        [r.method, _bold(r.mean, best), f"{r.best:.1f}", f"{r.right:.0%}", f"{r.seconds:.2g} s"]
        for r in table.itertuples()
    ]
    count = store.count_sets(found.complete)
    about = f"{count} sets that every method was measured on. Of equals, each is best in part."
    header = ["method", "mean adjusted Rand", "best on sets", f"right (≥ {store.RIGHT:g})", "median CPU"]
    return _section("In one table", about, header, rows if count else [])


def _bold(value, best):
    if value != value:
        return "–"
    value, best = round(value, 3) + 0.0, round(best, 3)  # not -0.000
    return f"**{value:.3f}**" if value == best else f"{value:.3f}"


def _scores(found, table, facts):
    labels = list(found.methods.values())
    return [
        [*(row[name] for name in facts), *(_bold(row[label], row[labels].max()) for label in labels)]
        for _, row in table.iterrows()
    ]


def _groups(found):
    header = ["group", "sets", *found.methods.values()]
    rows = _scores(found, store.group_means(found), ["group", "sets"])
    return _section("Mean adjusted Rand by group", "Of the same sets.", header, rows)


def _per_set(found):
    facts = ["set", "points", "features", "classes"]
    rows = _scores(found, store.per_set(found), facts)
    over = found.truth[found.truth["note"] != ""]
    notes = "; ".join(f"{found.methods[r.method]} on {r.set} {r.note}" for r in over.itertuples())
    about = f"Adjusted Rand index. {notes + '.' if notes else 'Every method answered in time.'}"
    return _section("Set by set", about, [*facts, *found.methods.values()], rows)


def _noise(found):
    table = store.false_alarms(found)
    rows = [[r.label, r.sets, r.alarms, f"{r.share:.1%}"] for r in table.itertuples() if r.sets]
    caps = ", ".join(f"{cap:,} points with up to {features} features" for features, cap in sets.NOISE_CAPS)
    late = found.noise[found.noise["note"] != ""]
    about = (
        "Uniform and Gaussian clouds of 1 to 20 features and 100 to 20,000 points, both drawn log-uniformly, at most "
        f"{caps}. A false alarm is an answer of two or more clusters."
    )
    drawn = found.noise["set"].nunique()
    if drawn < sets.NOISE_SETS:
        about += f" Here the first {drawn} of {sets.NOISE_SETS}."
    if len(late):
        about += f" {len(late)} answers were not there in time and do not count."
    return _section("Noise: false alarms", about, ["method", "noise sets", "false alarms", "share"], rows)


def _many(found):
    ari, seconds = store.many_columns(found)
    labels = list(found.many_methods.values())
    facts = ["set", "points", "features", "classes"]
    about = (
        "Tables are standardised, images and embeddings as they are; the embeddings are made by "
        "`benchmarks.quality.sets.embedding`. Adjusted Rand index. Only K-Means told K is given anything."
    )
    scored = [
        [*(row[name] for name in facts), *(_bold(row[name], row[labels].max()) for name in labels)]
        for _, row in ari.iterrows()
    ]
    yield _section("Many columns", about, [*facts, *labels], scored)
    timed = [
        [row["set"], *("–" if row[name] != row[name] else f"{row[name]:.2g} s" for name in labels)]
        for _, row in seconds.iterrows()
    ]
    yield _section("Many columns: CPU time", "Of the same answers; the last row has medians.", ["set", *labels], timed)


def _wide(found):
    rows = [[r.kind, r.sets, r.alarms, r.clear, r.maps] for r in store.wide_alarms(found).itertuples()]
    about = (
        "What ThetA finds in clouds of 4 to 50 columns and 100 to 5,000 rows, both drawn log-uniformly, where it looks "
        "in a neighbour map too. A false alarm is an answer of two or more clusters; in a map: found there. "
        "The last three kinds are bent sheets and heavy tails, harder to tell from clusters."
    )
    drawn = found.wide.loc[found.wide["kind"].isin(sets.WIDE_KINDS), "set"].nunique()
    if drawn < sets.NOISE_SETS:
        about += f" Of the first four kinds the first {drawn} of {sets.NOISE_SETS}."
    header = ["kind", "sets", "false alarms", "said to be clear", "in a map"]
    return _section("Noise in many columns", about, header, rows)


def _reliability(found):
    rows = [
        [f"{r.low:g} to {r.high:g}", r.answers, f"{r.confidence:.2f}", f"{r.right:.2f}"]
        for r in store.reliability(found).itertuples()
    ]
    own = found.truth[found.truth["method"] == store.OURS]
    about = (
        f"Right is an adjusted Rand of at least {store.RIGHT:g}; an answer on noise is wrong. "
        f"{int(own['algorithm'].isna().sum())} of {len(own)} sets with classes got no answer (nothing found, or not in "
        "time) and are not counted here."
    )
    return _section("Is the confidence what it says?", about, ["confidence", "answers", "mean", "share right"], rows)


def _tables(found):
    table = store.wrong_and_sure(found)
    rows = [[r.kind, r.sets, r.right, r.sure, r.wrong_and_sure] for r in table.itertuples()]
    about = (
        "Drawn tables of measured columns beside what people's files have, standardised. Segments must be found that "
        "only the measured columns make; where yes/no is farther apart than these, doubt is the best answer."
    )
    header = ["kind", "tables", "right", f"confidence above {store.SURE:.0%}", "of these wrong"]
    return _section("Everyday tables: wrong and sure", about, header, rows)


def _out_of_fold():
    known = json.loads((Path(selection.__file__).parent / "weights.json").read_text(encoding="utf-8"))
    shown = [line for line in known["out_of_fold"] if line["fold"] not in corpus.FAMILIES]
    drawn = [line for line in known["out_of_fold"] if line["fold"] in corpus.FAMILIES]
    groups = [
        ("Drawn, nothing to find", [line for line in drawn if line["mean"] is None]),
        ("Drawn, everyday tables", [line for line in drawn if corpus.is_everyday(line["fold"])]),
        ("Drawn, all others", [line for line in drawn if line["mean"] and not corpus.is_everyday(line["fold"])]),
    ]
    rows = [_fold_row(name, lines) for name, lines in [*((line["fold"], [line]) for line in shown), *groups]]
    six = known["six_seeds_of_WUT_and_FCPS"]
    about = (
        f"Answered by weights fitted without the collection or family; {known['from']['sets']} looks, published sets "
        f"with three seeds. WUT and FCPS together over {six['seeds']} seeds: mean {six['mean']:.3f} (the aim is 0.82), "
        f"difference between two seeds on a set {six['difference']:.3f} (the aim is 0.02)."
    )
    header = ["sets", "looks", "mean adjusted Rand", "false alarms", "right and sure", "wrong and sure"]
    return _section("Out of fold", about, header, rows)


def _fold_row(name, lines):
    sums = [sum(line[part] for line in lines) for part in ("sets", "alarms", "right_and_sure", "wrong_and_sure")]
    means = [line["mean"] for line in lines if line["mean"] is not None]
    mean = f"{sum(means) / len(means):.3f}" if means else "–"
    return [name, sums[0], mean, *sums[1:]]


def _elbow(found):
    rows = [[r.set, f"{r.theta:g}", r.true, f"{r.hits} of {r.seeds}"] for r in found.elbow.itertuples()]
    about = "Runs of TDG (50 shuffles, another seed each) whose sizes drop after the true number of clusters."
    return _section("The size elbow", about, ["set", "θ", "true clusters", "hits"], rows)


def _cpu(found):
    rows = [
        [f"{r.points:,} × {r.features}", f"{r.ours:.2f} s", r.peer, f"{r.theirs:.2f} s", f"{r.ours / r.theirs:.2f}"]
        for r in found.cpu.itertuples()
    ]
    header = ["10 blobs", "verdict", "peer", "theirs", "ours / theirs"]
    return _section("CPU time", "One after the other in one run; rely on the ratios.", header, rows)
