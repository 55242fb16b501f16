"""The dashboard's parts: the only package that imports Streamlit. Pages are thin and call these."""
