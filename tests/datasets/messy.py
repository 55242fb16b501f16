"""Files as people have them: units in the cells, dates, gaps, identifiers, columns of very different units."""

import numpy as np
import pandas as pd


def customers(n=600, seed=0):
    """Customers of three kinds: only what is read and scaled tells them apart."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    income = 20_000 + 15_000 * rng.random(n)
    frame = pd.DataFrame(
        {
            "customer_id": rng.permutation(np.arange(10_000, 10_000 + n)),
            "email": [f"person{i}@example.org" for i in range(n)],
            "income": np.round(income, 2),
            "visits": np.round(2.0 + 6.0 * kind + rng.normal(0, 0.5, n), 3),
            "salary": [f"€{value:,.2f}" for value in income],
            "share": [f"{value:.0f} %" for value in 10 + 30 * kind + rng.normal(0, 2, n)],
            "age": [f"{int(value)} years" for value in 30 + 10 * kind + rng.normal(0, 1, n)],
            "joined": [f"{day:%d.%m.%Y}" for day in pd.Timestamp("2020-01-01") + pd.to_timedelta(kind * 365, unit="D")],
            "plan": np.array(["basic", "plus", "pro"])[kind],
            "region": rng.choice(["north", "south"], n),
            "country": "NL",
            "version": 3,
            "children": rng.integers(0, 4, n),
        }
    )
    frame.loc[[3, 10, 11], "visits"] = np.nan
    frame.loc[[10, 20], "income"] = np.nan
    return frame


def csv(frame):
    return frame.to_csv(index=False).encode()
