"""Figures: data in, a Plotly figure out. Nothing here knows Streamlit; colours come from ``palette``."""
