"""More files as people have them, each messy in its own way, and the truth it was made with."""

import io

import numpy as np
import openpyxl
import pandas as pd

from tests.datasets.five import Made


def flats(n=420, seed=10):
    """German flats of three kinds: semicolons, decimal commas, thousands dots, the encoding of Windows, €.

    Länge and Breite are the length and width of the living room, no place on Earth.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    area = rng.normal(np.array([35.0, 78.0, 145.0])[truth], 4.0)
    price = rng.normal(np.array([189_000, 420_000, 1_150_000])[truth], 22_000)
    rent = rng.normal(np.array([540, 1_130, 2_480])[truth], 45)
    frame = pd.DataFrame(
        {
            "Objekt-Nr.": [f"O-{i:05d}" for i in rng.permutation(n)],
            "Wohnfläche (m²)": area.round(1),
            "Kaufpreis": price.round(2),
            "Miete": rent.round(2),
            "Länge": rng.normal(np.array([4.2, 6.1, 8.8])[truth], 0.2).round(2),
            "Breite": rng.normal(np.array([3.1, 4.4, 5.9])[truth], 0.2).round(2),
            "Zimmer": np.array([1, 3, 5])[truth] + rng.integers(0, 2, n),
            "Balkon": rng.choice(["ja", "nein"], n),
            "Baujahr": rng.integers(1890, 2023, n),
            "PLZ": rng.choice([10115, 80331, 20095, 50667, 1067], n),
            "erfasst": [f"{day:%d.%m.%Y}" for day in pd.Timestamp("2023-01-01") + pd.to_timedelta(np.arange(n), "D")],
        }
    )

    def german(value):
        return f"{value:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")

    written = frame.assign(
        Kaufpreis=[f"{german(value)} €" for value in frame["Kaufpreis"]], Miete=[german(v) for v in frame["Miete"]]
    )
    text = written.to_csv(index=False, sep=";", decimal=",")
    return Made("wohnungen.csv", text.encode("cp1252"), frame, truth)


def water(n=240, seed=11):
    """Water samples of four wells in a workbook: two title rows, names, units, "<0.5" below a limit, a row of means."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    ph = rng.normal(np.array([5.6, 6.8, 7.6, 8.4])[truth], 0.12)
    conductivity = rng.normal(np.array([310, 620, 180, 910])[truth], 22)
    nitrate = rng.normal(np.array([4.0, 21.0, 9.0, 33.0])[truth], 1.1)
    iron = np.abs(rng.normal(0.6, 0.1, n))
    frame = pd.DataFrame(
        {
            "Sample": [f"W{i:03d}" for i in range(n)],
            "pH": ph.round(2),
            "Conductivity": conductivity.round(0),
            "Nitrate": nitrate.round(1),
            "Iron": ["<0.5" if value < 0.5 else round(float(value), 2) for value in iron],
            "Taken": pd.Timestamp("2024-04-01") + pd.to_timedelta(rng.integers(0, 90, n), unit="D"),
            "Analyst": rng.choice(["AB", "CD", "EF"], n),
            "Filtered": rng.choice([True, False], n),
        }
    )
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Groundwater monitoring 2024"])
    sheet.append(["Laboratory 12", None, None, "all values as measured"])
    sheet.append(list(frame.columns))
    sheet.append([None, None, "µS/cm", "mg/L", "mg/L", None, None, None])
    for row in frame.itertuples(index=False):
        sheet.append([cell.to_pydatetime() if isinstance(cell, pd.Timestamp) else cell for cell in row])
    sheet.append([])
    sheet.append(["Mean", float(ph.mean()), float(conductivity.mean()), float(nitrate.mean())])
    out = io.BytesIO()
    book.save(out)
    return Made("water.xlsx", out.getvalue(), frame, truth)


def weather(n=600, seed=12):
    """Three kinds of weather every half hour, tabs, a comment above; -9999 where a sensor failed, the wind in m/s."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    temperature = rng.normal(np.array([-4.0, 11.0, 27.0])[truth], 1.4)
    humidity = rng.normal(np.array([88.0, 62.0, 35.0])[truth], 3.0)
    wind = rng.normal(np.array([2.0, 9.5, 4.5])[truth], 0.5)
    when = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(n) * 30, unit="min")
    frame = pd.DataFrame(
        {
            "timestamp": [f"{stamp:%d/%m/%Y %H:%M}" for stamp in when],
            "temp_C": temperature.round(1),
            "rel_humidity": [f"{value:.0f} %" for value in humidity],
            "wind": [f"{value:.1f} m/s" for value in wind],
            "station": "north roof",
            "battery": rng.normal(12.4, 0.05, n).round(2),
            "rain": np.where(rng.random(n) < 0.85, 0.0, rng.gamma(2, 1.5, n)).round(1),
        }
    )
    failed = rng.choice(n, 30, replace=False)
    frame.loc[failed[:18], "temp_C"] = -9999
    frame.loc[failed[18:], "battery"] = -9999
    text = "# station 7, exported by the logger\n# -9999 = no data\n" + frame.to_csv(index=False, sep="\t")
    return Made("weather.tsv", text.encode(), frame, truth)


def ratings(n=450, seed=13):
    """Eight ratings from 1 to 5 by guests of three kinds, beside yes/no answers that say nothing; 9 = no answer."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    usual = np.array([[5, 5, 5, 5, 2, 2, 2, 2], [2, 2, 2, 2, 5, 5, 5, 5], [3, 1, 3, 1, 3, 1, 3, 1]])[truth]
    answers = np.clip(usual + rng.choice([-1, 0, 0, 0, 0, 1], (n, 8)), 1, 5)
    frame = pd.DataFrame(answers, columns=["room", "bath", "food", "bar", "staff", "price", "noise", "view"])
    frame.loc[rng.choice(n, 11, replace=False), "food"] = 9
    frame.insert(0, "guest", np.arange(1, n + 1))
    frame["returns"] = rng.choice(["Yes", "No"], n)
    frame["member"] = rng.integers(0, 2, n)
    frame["parking"] = rng.choice(["TRUE", "FALSE"], n)
    return Made("hotel ratings.csv", frame.to_csv(index=False).encode(), frame, truth)


def stores(n=360, seed=14):
    """Stores around four towns with a turnover in k€ and M€, stars, an opening date; three lie at 0, 0."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    towns = np.array([[40.42, -3.70], [41.39, 2.17], [37.39, -5.99], [43.26, -2.93]])[truth]
    where = towns + rng.normal(0, 0.05, (n, 2)) / [1.0, np.cos(np.radians(40))]
    turnover = rng.lognormal(6.0, 0.6, n)
    days = pd.Timestamp("2001-01-01") + pd.to_timedelta(rng.integers(0, 8000, n), unit="D")
    frame = pd.DataFrame(
        {
            "store": [f"S{i}" for i in range(n)],
            "lon": where[:, 1].round(5),
            "lat": where[:, 0].round(5),
            "turnover": [f"{value / 1000:.2f} M€" if value > 1000 else f"{value:.0f} k€" for value in turnover],
            "rating": rng.integers(1, 6, n),
            "opened": [f"{day:%m/%d/%Y}" for day in days],
        }
    )
    frame.loc[[5, 6, 7], ["lat", "lon"]] = 0.0
    return Made("stores.csv", frame.to_csv(index=False).encode(), frame, truth)


def repeated(n=400, repeats=37, seed=15):
    """Five kinds of bolts; 37 rows were pasted twice."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, n)
    size = np.array([[10, 3], [20, 3], [20, 8], [35, 8], [35, 14]], dtype=float)[truth] + rng.normal(0, 0.4, (n, 2))
    frame = pd.DataFrame(
        {
            "length (mm)": size[:, 0].round(2),
            "thread (mm)": size[:, 1].round(2),
            "weight": [f"{a * b * b / 50:.2f} g" for a, b in size],
            "box": rng.integers(1, 5, n),
            "lot": [f"L{value}" for value in rng.integers(100, 130, n)],
        }
    )
    again = rng.choice(n, repeats, replace=False)
    frame = pd.concat([frame, frame.iloc[again]], ignore_index=True)
    return Made("bolts.csv", frame.to_csv(index=False).encode(), frame, np.r_[truth, truth[again]])


def spectra(n=200, seed=16):
    """Three substances in 300 wavelengths, a sample name in front and the substance nowhere."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    x = np.arange(300)
    peaks = np.array([np.exp(-(((x - at) / 14.0) ** 2)) for at in (60, 150, 240)])
    values = peaks[truth] * rng.normal(1.0, 0.05, (n, 1)) + rng.normal(0, 0.02, (n, 300))
    frame = pd.DataFrame(values.round(4), columns=[f"{400 + 2 * j} nm" for j in x])
    frame.insert(0, "sample", [f"probe {i}" for i in range(n)])
    return Made("spectra.csv", frame.to_csv(index=False).encode(), frame, truth)


def waiting(n=300, seed=17):
    """One column, two kinds of values, and three that were typed in another unit."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    values = rng.normal(np.array([54.0, 80.0])[truth], 4.0).round(1)
    values[[10, 20, 30]] *= 60
    frame = pd.DataFrame({"waiting (min)": values})
    return Made("waiting.csv", frame.to_csv(index=False).encode(), frame, truth)


def ledger(n=380, seed=18):
    """Accounts of three kinds as an accountant writes them: (1,234.50) is negative, 12k and 1.2M are thousands."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    result = rng.normal(np.array([-42_000, 15_000, 96_000])[truth], 4_000)
    sales = rng.normal(np.array([310_000, 640_000, 1_450_000])[truth], 35_000)
    staff = rng.normal(np.array([12, 40, 75])[truth], 2).round().astype(int)
    frame = pd.DataFrame(
        {
            "account": [f"{a}-{b}" for a, b in zip(rng.integers(1000, 9999, n), range(n))],
            "result": [f"({-value:,.2f})" if value < 0 else f"{value:,.2f}" for value in result],
            "sales": [f"{value / 1e6:.2f}M" if value >= 1e6 else f"{value / 1e3:.0f}k" for value in sales],
            "staff": staff,
            "margin": [f"{value:.1f} %" for value in 100 * result / sales],
            "year": rng.choice([2019, 2020, 2021, 2022], n),
            "country": rng.choice(["AT", "CH", "DE"], n),
            "phone": [f"+43 {a} {b}" for a, b in zip(rng.integers(100, 999, n), rng.integers(10**5, 10**6, n))],
        }
    )
    return Made("ledger.csv", frame.to_csv(index=False).encode(), frame, truth)


def patients(n=500, seed=19):
    """Patients of three kinds; 999 and 0 where nothing was measured, sex as M and F, height in cm and some in m."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    glucose = rng.normal(np.array([88.0, 142.0, 205.0])[truth], 6.0)
    pressure = rng.normal(np.array([112.0, 138.0, 164.0])[truth], 3.5)
    bmi = rng.normal(np.array([21.5, 28.0, 35.0])[truth], 0.9)
    height = rng.normal(171, 8, n)
    in_m = rng.random(n) < 0.06
    frame = pd.DataFrame(
        {
            "PatientID": rng.permutation(np.arange(50_000, 50_000 + n)),
            "Sex": rng.choice(["M", "F"], n),
            "Glucose": glucose.round(0),
            "Blood pressure [mmHg]": pressure.round(0),
            "BMI": bmi.round(1),
            "Height": [f"{value / 100:.2f} m" if m else f"{value:.0f} cm" for value, m in zip(height, in_m)],
            "Children": rng.poisson(1.4, n),
            "Visit": [f"{day:%b %d, %Y}" for day in pd.Timestamp("2022-01-05") + pd.to_timedelta(np.arange(n), "D")],
            "Ward": rng.choice(["A1", "A2", "B1"], n),
        }
    )
    gone = rng.choice(n, 50, replace=False)
    frame.loc[gone[:22], "Glucose"] = 0
    frame.loc[gone[22:34], "Blood pressure [mmHg]"] = 999
    frame.loc[gone[34:], "BMI"] = 99.9
    return Made("patients.csv", frame.to_csv(index=False).encode(), frame, truth)


def opinions(n=200, seed=20):
    """Nothing but text: there is nothing to measure a distance in."""
    rng = np.random.default_rng(seed)
    words = np.array(["good", "slow", "friendly", "expensive", "clean", "late", "helpful", "broken"])
    frame = pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "city": rng.choice(["Lyon", "Turin", "Ghent"], n),
            "opinion": [" ".join(words[rng.integers(0, 8, 5)]) for _ in range(n)],
        }
    )
    return Made("opinions.csv", frame.to_csv(index=False).encode(), frame, np.zeros(n, dtype=int))


MORE = {
    made.__name__: made
    for made in (flats, water, weather, ratings, stores, repeated, spectra, waiting, ledger, patients)
}
