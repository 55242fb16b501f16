"""What each lesson shows: point sets made for one idea each, and their numbers from the engine.

Everything here is plain data (lists, numbers, sentences) ready to be sent to the browser; nothing knows Streamlit.
"""
