"""What happens as I drag θ?"""

from theta_app.ui import session, shell
from theta_app.ui.pages import explore
from theta_app.ui.pages.explore import drawers, everything, head, picture
from theta_app.ui.widgets import arriving, better_map, inside


@shell.fragment
def explorer(data, prepared):
    """Runs again alone when θ is released or a setting changes, and step by step while a sweep is under way."""
    drawers.follow(prepared)
    place = explore.places()  # first: what is slow must not move what is shown
    sweep = explore.current_sweep(data, place.line)
    theta = explore.current_theta(sweep)

    with place.head:
        head.show(sweep, data, theta)
    with place.notes:
        inside.show_part(data)
        better_map.offer(data)
        head.one_column_note(sweep, data, theta)
    with place.settings:
        drawers.show(sweep, data, theta)
    with place.timeline:
        explore.show_timeline(sweep, data, place.line)
    with place.findings:
        explore.show_findings(sweep, data, theta, place.line)
        swept = everything.place(sweep, data)
    session.write_url()
    explore.go_on(sweep, data, place.line)
    drawers.show_shuffles(sweep, data, theta, place)
    explore.show_clusters(sweep, data, theta, place.line)
    explore.show_export(sweep, data, theta)
    explore.show_ways(sweep, data)
    arriving.offer(data, sweep.sample, theta)
    picture.watch_projection(sweep, place.line)
    everything.go_on(sweep, data, swept)


with shell.page("Explore") as data:
    explore.CURSOR.reopened()
    explore.EPSILON.reopened()
    explorer(data, session.preparation())
