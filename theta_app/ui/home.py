"""Where app.py and pages/ are: in the project's folder, or where an installed package carries them."""

from pathlib import Path

_ABOVE = Path(__file__).resolve().parents[2]
HOME = next((f for f in (_ABOVE / "theta_app_pages", _ABOVE) if (f / "app.py").is_file()), _ABOVE)
