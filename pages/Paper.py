"""Do the paper's claims hold?"""

from theta_app.ui import shell
from theta_app.ui.pages import paper

with shell.page("Paper") as data:
    paper.show(data)
