"""What the app needs of Streamlit that Streamlit does not promise: after an upgrade, this says what broke.

Each part is tried on Streamlit itself: a script that runs, the classes of its server, the script of its browser side.
"""

import dataclasses
import inspect
import threading
from pathlib import Path

import pytest
import streamlit
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime, RuntimeConfig
from streamlit.runtime.scriptrunner import ScriptRunContext
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from theta_app.ui import streamlit_internals as internals

SAYS = f"Streamlit {streamlit.__version__}: {{}} Mend theta_app/ui/streamlit_internals.py."


def test_a_script_knows_its_tab_and_other_threads_have_none():
    def script():
        import streamlit as st

        from theta_app.ui import streamlit_internals

        streamlit_internals.may_stop_here()
        st.text(streamlit_internals.session_id())
        st.text(f"{streamlit_internals.went_through_history()} {streamlit_internals.is_part_of_page()}")

    at = AppTest.from_function(script).run()
    assert not at.exception, SAYS.format(f"a script's context has changed: {at.exception}")
    assert at.text[0].value, SAYS.format("a script no longer says whose it is, so visitors take no turns.")
    assert at.text[1].value == "False False"
    assert internals.session_id() is None
    internals.may_stop_here()  # nothing to stop


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("is_history_navigation", "Back and Forward no longer say so, and the page would stay as it is."),
        ("fragment_ids_this_run", "a run no longer says that it is a fragment's: no map would be looked at unasked."),
    ],
)
def test_the_context_of_a_run_has_what_is_read(name, lost):
    assert name in {field.name for field in dataclasses.fields(ScriptRunContext)}, SAYS.format(lost)


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server that does not listen: its sessions and files are real."""
    monkeypatch.setattr(Runtime, "_instance", None)
    config = RuntimeConfig(
        script_path=str(tmp_path / "app.py"),
        media_file_storage=MemoryMediaFileStorage("/media"),
        uploaded_file_manager=MemoryUploadedFileManager("/upload"),
    )
    return Runtime(config)


def test_the_server_is_found_and_lists_its_sessions(server):
    assert internals.is_running()
    assert internals.running_server() is server, SAYS.format("`_session_mgr` is gone: ended sessions would be kept.")
    assert isinstance(server._session_mgr, WebsocketSessionManager)
    assert internals.forget_ended_sessions(server) == 0


def test_files_for_downloads_stay_until_they_are_tidied(server):
    manager = server.media_file_mgr
    manager.add(b"labels", "text/csv", "a place on the page")
    manager.clear_session_refs()
    remove_orphans = internals.keep_download_files(server)
    manager.remove_orphaned_files()
    manager.remove_orphaned_files()
    lost = "a file made for a download is deleted as scripts end, maybe before its browser comes for it."
    assert len(manager._file_metadata) == 1, SAYS.format(lost)
    remove_orphans()
    remove_orphans()
    assert len(manager._file_metadata) == 0, SAYS.format("files made for downloads would be kept for ever.")


def test_scripts_end_by_tidying_files_of_downloads():
    """If Streamlit tidied by another name, replacing this one would do nothing."""
    from streamlit.runtime import app_session, runtime
    from streamlit.runtime.scriptrunner import script_runner

    sources = "".join(map(inspect.getsource, (app_session, runtime, script_runner)))
    assert "media_file_mgr.remove_orphaned_files()" in sources, SAYS.format("files of downloads are deleted elsewhere.")


def test_there_is_a_place_for_headers(monkeypatch):
    from streamlit.web.server.starlette import starlette_app

    before = starlette_app.create_streamlit_middleware
    monkeypatch.setattr(starlette_app, "create_streamlit_middleware", before)  # put back at the end
    lost = "`theta-app` would send no headers against framing."
    assert internals.add_middleware(threading.Thread), SAYS.format(lost)
    assert starlette_app.create_streamlit_middleware()[0].cls is threading.Thread, SAYS.format(lost)


def test_the_browser_adds_an_entry_to_its_history_by_pushstate():
    """`js/trail.js` replaces `history.pushState` and `replaceState`, so that one thing done is one step of Back."""
    served = Path(streamlit.__file__).parent / "static"
    scripts = "".join(path.read_text(encoding="utf-8") for path in served.rglob("*.js"))
    for name in ("history.pushState", "popstate"):
        assert name in scripts, SAYS.format(f"the browser's side no longer uses {name}; see theta_app/ui/js/trail.js.")
