"""Why does it work, and when not?"""

from theta_app.ui import frame
from theta_app.ui.learn import lessons

with frame.page("Learn", "Why does it work, and when not?"):
    lessons.show()
