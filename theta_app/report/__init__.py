"""What was found, to keep: one page of HTML that stands on its own, and a notebook that finds it again."""

from theta_app.report.content import Report, profile
from theta_app.report.notebook import notebook
from theta_app.report.page import page
from theta_app.report.pictures import Picture, picture
from theta_app.report.snippet import snippet
from theta_app.report.words import place, summary, sureness, verdict_facts
