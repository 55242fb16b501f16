"""Units as people write them: which one a column's name says, and how one becomes another."""

import re

CURRENCY = "|".join(
    ["[€$£¥₹₽₩₺₴₪₫฿¢]", "US\\$", "R\\$", "EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|NZD|BRL|ZAR"]
)
_LINEAR = {  # what is measured -> unit -> how many of the first it is
    "length": {"m": 1, "µm": 1e-6, "μm": 1e-6, "um": 1e-6, "nm": 1e-9, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "km": 1e3}
    | {"in": 0.0254, "inch": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "mile": 1609.344},
    "mass": {"g": 1, "µg": 1e-6, "mg": 1e-3, "kg": 1e3, "t": 1e6, "lb": 453.59237, "oz": 28.349523125},
    "time": {"s": 1, "sec": 1, "ms": 1e-3, "µs": 1e-6, "min": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86400}
    | {"day": 86400, "week": 604800, "year": 31_557_600, "yr": 31_557_600, "month": 2_629_800},
    "pressure": {"pa": 1, "hpa": 100, "kpa": 1e3, "mpa": 1e6, "mbar": 100, "bar": 1e5, "psi": 6894.757293168}
    | {"atm": 101_325},
    "area": {"m²": 1, "m2": 1, "sqm": 1, "cm²": 1e-4, "cm2": 1e-4, "mm²": 1e-6, "mm2": 1e-6, "km²": 1e6, "km2": 1e6}
    | {"ha": 1e4},
    "volume": {"l": 1, "ml": 1e-3, "cl": 1e-2, "dl": 0.1, "m³": 1e3, "m3": 1e3, "gal": 3.785411784},
    "speed": {"m/s": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "mph": 0.44704, "kn": 0.514444},
    "power": {"w": 1, "kw": 1e3},
    "energy": {"j": 1, "kj": 1e3, "wh": 3600, "kwh": 3.6e6, "cal": 4.184, "kcal": 4184},
}
_DEGREES = {"°c": (1.0, 0.0), "℃": (1.0, 0.0), "°f": (5 / 9, -160 / 9), "℉": (5 / 9, -160 / 9), "k": (1.0, -273.15)}
_OTHER = {"%", "‰", "°", "deg", "rad", "l/min", "l/h", "rpm", "v", "mv", "a", "ma", "hz", "khz", "mhz", "ghz", "db"}
_OTHER |= {"px", "ppm", "ppb", "lx", "mol", "ω", "ohm", "n", "nm/s", "kg/m³", "g/l", "mg/dl", "mmol/l", "bpm", "mmhg"}
_OTHER |= {"µs", "ntu", "cfu", "iu", "db(a)", "mpa·s"}
_MAGNITUDES = {"k": 1e3, "K": 1e3, "T": 1e3, "Tsd": 1e3, "M": 1e6, "m": 1e6, "mn": 1e6, "Mn": 1e6, "mln": 1e6}
_MAGNITUDES |= {"Mio": 1e6, "million": 1e6, "bn": 1e9, "B": 1e9, "b": 1e9, "Mrd": 1e9, "billion": 1e9}
_BARE = {"k", "M", "Mio", "mln", "million", "bn", "Mrd", "billion"}  # nothing else where no currency is beside them
_MAGNITUDE = re.compile(
    rf"(?P<first>(?:{CURRENCY})?)\s*(?P<word>{'|'.join(sorted(_MAGNITUDES, key=len, reverse=True))})\.?\s*"
    rf"(?P<last>(?:{CURRENCY})?)"
)
_KNOWN = {unit: what for what, units in _LINEAR.items() for unit in units} | dict.fromkeys(_DEGREES, "temperature")
_IN_NAME = re.compile(r"[(\[]\s*([^()\[\]]{1,14}?)\s*[)\]]\s*$")
_LAST_WORD = re.compile(r"[a-z]_([a-z]{2,4}|pct)$")


def singular(unit: str) -> str:
    """One spelling of a unit: years and Year are one, and so are °c and °C."""
    unit = unit.strip().casefold()
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") and "/" not in unit else unit


def magnitude(text: str) -> tuple[float, str]:
    """(factor, unit): k€ is a thousand €, M alone a million of whatever it is; 1 and the text where it says neither."""
    found = _MAGNITUDE.fullmatch(text)
    currency = (found["first"] or found["last"]) if found else ""
    if not found or (not currency and found["word"] not in _BARE):
        return 1.0, text
    return _MAGNITUDES[found["word"]], currency


def is_unit(text: str) -> bool:
    """Whether a text is a unit or a currency that is known here, or something short per one: µS/cm, €/m²."""
    text = text.strip()
    if singular(text) in _KNOWN or singular(text) in _OTHER or re.fullmatch(CURRENCY, text):
        return True
    over, line, under = text.partition("/")
    return bool(line) and 0 < len(over.strip()) <= 4 and singular(under) in _KNOWN


def in_name(name: str) -> str:
    """The unit that the name of a column says, such as "Length (mm)", "flow [L/min]" or "height_cm"; empty for none."""
    found = _IN_NAME.search(name)
    if found and is_unit(found[1]):
        return found[1]
    found = _LAST_WORD.search(name)
    return found[1] if found and is_unit(found[1]) else ""


def converts(unit: str, other: str) -> bool:
    """Whether values of one unit can be said in the other."""
    what = _KNOWN.get(singular(unit))
    return what is not None and what == _KNOWN.get(singular(other))


def converted(value: float, unit: str, other: str) -> float:
    """A value of one unit in the other; see `converts`."""
    unit, other = singular(unit), singular(other)
    if unit in _DEGREES:
        (factor, offset), (back, back_offset) = _DEGREES[unit], _DEGREES[other]
        return (value * factor + offset - back_offset) / back
    factors = _LINEAR[_KNOWN[unit]]
    return value * (factors[unit] / factors[other])
