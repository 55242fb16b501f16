"""How do other methods do on your data?"""

from theta_app.ui import shell
from theta_app.ui.pages import compare

with shell.page("Compare") as data:
    compare.follow_old_link()
    shell.fragment(compare.show)(data)
