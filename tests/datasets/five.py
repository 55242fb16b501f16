"""Five files as people have them, and the truth each was made with: what the app must find in them.

Each function gives a `Made`: the bytes as a person would upload them, and the group every row was drawn from.
"""

import io
from dataclasses import dataclass

import numpy as np
import openpyxl
import pandas as pd

SENTINELS = 64


@dataclass(frozen=True, eq=False)
class Made:
    """A file to upload: its name, its bytes, its rows as a table of what was written, and the group of each row."""

    name: str
    content: bytes
    frame: pd.DataFrame
    truth: np.ndarray


def customers(n=800, seed=0):
    """Four segments that income, spend, share, age and tenure tell apart, beside columns that must not be clustered.

    64 ages are -999; household (1 to 9) and newsletter (yes, no) have nothing to do with the segments.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    income = rng.normal(np.array([28_000, 46_000, 74_000, 108_000])[truth], 4_000)
    spend = rng.normal(np.array([900, 5_200, 2_600, 8_400])[truth], 380)
    share = rng.normal(np.array([62, 18, 40, 81])[truth], 4.0)
    age = rng.normal(np.array([24, 37, 67, 51])[truth], 2.6).round().astype(int)
    tenure = rng.normal(np.array([1.5, 6.0, 14.0, 9.5])[truth], 0.7).clip(0.1).round(2)
    gone = rng.choice(n, SENTINELS, replace=False)
    days = pd.Timestamp("2016-01-01") + pd.to_timedelta(rng.integers(0, 3000, n), unit="D")
    first = np.array(["Anna", "Bert", "Chloe", "Dev", "Ela", "Finn", "Gus", "Hana"])
    words = np.array(["called", "asked for a refund", "moved", "prefers e-mail", "complained", "thanked us"])
    frame = pd.DataFrame(
        {
            "id": rng.permutation(np.arange(10_000, 10_000 + n)),
            "name": [f"{first[i % 8]} {chr(65 + i % 26)}{i}" for i in range(n)],
            "income": [f"${value:,.2f}" for value in income],
            "spend": [f"${value:,.2f}" for value in spend],
            "share": [f"{value:.1f}%" for value in share],
            "age": np.where(np.isin(np.arange(n), gone), -999, age),
            "tenure": tenure,
            "household": rng.integers(1, 10, n),
            "newsletter": rng.choice(["yes", "no"], n),
            "signup": [f"{day:%Y-%m-%d}" for day in days],
            "notes": [
                f"{words[a]}, {words[b]} {c}" if c % 3 else ""
                for a, b, c in zip(rng.integers(0, 6, n), rng.integers(0, 6, n), rng.integers(0, 10**6, n))
            ],
        }
    )
    return Made("customers.csv", frame.to_csv(index=False).encode(), frame, truth)


def spreadsheet(n=300, seed=1):
    """Parts of three sizes, as a measuring machine writes them: two title rows, a blank one, names, units, rows."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    size = np.array([[12.0, 8.0, 3.0], [25.0, 9.0, 6.5], [31.0, 21.0, 9.0]])[truth] + rng.normal(0, 0.5, (n, 3))
    frame = pd.DataFrame(
        {
            "Part": [f"P-{i:04d}" for i in range(n)],
            "Length": size[:, 0].round(3),
            "Width": size[:, 1].round(3),
            "Height": size[:, 2].round(3),
            "Operator": rng.choice(["Kim", "Lee", "Sam"], n),
        }
    )
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Measured parts, line 4"], ["Exported 2024-05-02", None, "by the machine"], []):
        sheet.append(row)
    sheet.append(list(frame.columns))
    sheet.append([None, "mm", "mm", "mm", None])
    for row in frame.itertuples(index=False):
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return Made("parts.xlsx", out.getvalue(), frame, truth)


def places(n=400, seed=2):
    """Shops in and around five towns of one country, latitude before longitude; two have impossible latitudes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, n)
    towns = np.array([[52.52, 13.40], [48.14, 11.58], [53.55, 9.99], [50.94, 6.96], [51.05, 13.74]])[truth]
    where = towns + rng.normal(0, 0.06, (n, 2)) / [1.0, np.cos(np.radians(51))]
    frame = pd.DataFrame(
        {
            "shop": [f"Shop {i}" for i in range(n)],
            "latitude": where[:, 0].round(5),
            "longitude": where[:, 1].round(5),
            "stars": rng.integers(1, 6, n),
        }
    )
    frame.loc[[17, 230], "latitude"] = [152.5, -999.0]
    return Made("shops.csv", frame.to_csv(index=False).encode(), frame, truth)


def questionnaire(n=500, seed=3):
    """Twelve answers from 1 to 5 by people of three opinions: nothing but whole numbers."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    usual = np.array([[5, 1, 3] * 4, [1, 5, 1] * 4, [3, 3, 5] * 4])[truth]
    moved = rng.choice([-1, 0, 0, 0, 0, 1], (n, 12))
    frame = pd.DataFrame(np.clip(usual + moved, 1, 5), columns=[f"q{j}" for j in range(1, 13)])
    frame.insert(0, "respondent", np.arange(1, n + 1))
    return Made("survey.csv", frame.to_csv(index=False).encode(), frame, truth)


def sensors(n=400, seed=4):
    """Three states of a machine; temperatures in °C and some in °F, a flow in L/min, a pressure that is 1e20 at times.

    A title line and a note stand above the header, separated by semicolons, with decimal commas.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    temperature = rng.normal(np.array([21.0, 48.0, 75.0])[truth], 1.5)
    flow = rng.normal(np.array([4.0, 9.0, 2.0])[truth], 0.3)
    pressure = rng.normal(np.array([1.2, 2.6, 4.1])[truth], 0.1)
    fahrenheit = rng.random(n) < 0.08
    broken = rng.choice(n, 12, replace=False)
    when = pd.Timestamp("2024-03-01") + pd.to_timedelta(np.arange(n) * 37, unit="min")
    written = np.where(np.isin(np.arange(n), broken), 1e20, pressure)
    frame = pd.DataFrame(
        {
            "time": [f"{stamp:%Y-%m-%d %H:%M}" for stamp in when],
            "temperature": [
                f"{value * 9 / 5 + 32:.1f} °F" if other else f"{value:.1f} °C"
                for value, other in zip(temperature, fahrenheit)
            ],
            "flow [L/min]": flow.round(3),
            "pressure [bar]": [value if value > 1e10 else round(value, 3) for value in written],
            "valve": rng.choice(["open", "closed"], n),
        }
    )
    lines = ["Log of machine 7", "written by the logger; do not edit", ""]
    text = frame.to_csv(index=False, sep=";", decimal=",")
    return Made("sensors.csv", ("\n".join(lines) + "\n" + text).encode(), frame, truth)


FIVE = {made.__name__: made for made in (customers, spreadsheet, places, questionnaire, sensors)}
