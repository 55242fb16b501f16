"""A former page: see theta_app/ui/moved.py."""

from theta_app.ui import moved

moved.lead_on(__file__)
