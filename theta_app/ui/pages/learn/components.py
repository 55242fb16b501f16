"""The lessons' pictures as components: the browser draws, Python clusters."""

from pathlib import Path

from theta_app.figures.palette import COLOURS
from theta_app.ui.components import component

_PARTS = Path(__file__).parent / "parts"


def _picture(name: str):
    mount = component(f"theta_learn_{name}", _PARTS / f"{name}.js", css=_PARTS / "learn.css")

    def show(data, **options):
        return mount(data={**data, "palette": list(COLOURS)}, **options)

    return show


start = _picture("start")
player = _picture("player")
orders = _picture("orders")
lemma = _picture("lemma")
vote = _picture("vote")
chain = _picture("chain")
beside = _picture("beside")
growth = _picture("growth")
finder = _picture("finder")
