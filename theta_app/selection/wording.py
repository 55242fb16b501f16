"""Numbers in sentences."""

import math


def short(value: float) -> str:
    """A length or count with four significant digits: 3.602, 101,200, 4.02e-07."""
    if value == 0:
        return "0"
    if abs(value) >= 1e7 or abs(value) < 1e-4:
        return f"{value:.3g}"
    value = float(f"{value:.4g}")
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
