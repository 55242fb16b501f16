"""Why does it work, and when not?"""

from theta_app.ui import shell
from theta_app.ui.pages.learn import lessons

with shell.page("Learn"):
    lessons.show()
