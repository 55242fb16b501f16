"""Does TDG start a deep clustering better?"""

from theta_app.ui import shell
from theta_app.ui.pages import deep

with shell.page("Deep") as data:
    deep.show(data)
