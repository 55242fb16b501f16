"""The packages to install: those of theta_app as they are found, and what lies beside it.

data/ travels as theta_app_data, for the look-alikes; app.py, pages/, docs/teach and Streamlit's settings travel as
theta_app_pages, for the command theta-app.
"""

from setuptools import find_namespace_packages, setup

BESIDE = {
    "theta_app_data": "data",
    "theta_app_pages": ".",
    "theta_app_pages.pages": "pages",
    "theta_app_pages.teach": "docs/teach",
}

setup(packages=[*find_namespace_packages(include=["theta_app", "theta_app.*"]), *BESIDE], package_dir=BESIDE)
