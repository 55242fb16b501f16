"""Who is faster and closer to the truth?"""

from theta_app.ui import compare, frame

with frame.page("Compare", "Who is faster and closer to the truth?") as data:
    compare.show(data)
