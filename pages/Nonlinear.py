"""Do small clusters chain into shapes?"""

from theta_app.ui import session, shell
from theta_app.ui.pages import nonlinear
from theta_app.ui.pages.nonlinear import methods
from theta_app.ui.widgets import inside, verdict


@shell.fragment
def chains(data):
    """Runs again alone when ε is released or a setting changes."""
    inside.show_part(data)
    found, suggested = verdict.of(data), nonlinear.suggestion(data)
    choice = nonlinear.current(data, found, suggested)

    nonlinear.answer(data, found, suggested, choice)
    nonlinear.choices(data, choice)
    nonlinear.show_timeline(data, choice)
    nonlinear.explain(data)
    nonlinear.show_findings(data, choice, found)
    nonlinear.apply(data, choice)
    nonlinear.show_clusters(data, choice)
    nonlinear.show_export(data, choice, found)
    if suggested.stands_out:
        nonlinear.shapes("Other shapes that chain well:")
    session.write_url()

    nonlinear.show_map(data, suggested, choice)
    methods.show(data, choice)


with shell.page("Nonlinear (TNC)") as data:
    nonlinear.CURSOR.reopened()
    chains(data)
