"""Who is faster and closer to the truth?"""

from theta_app.ui import shell
from theta_app.ui.pages import compare

with shell.page("Compare") as data:
    compare.show(data)
