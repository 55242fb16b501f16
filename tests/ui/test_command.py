"""``theta-app``: what it asks Streamlit for, and whom it tells."""

import tomllib

import pytest

from theta_app.command import dashboard, main
from theta_app.ui import opened, shell
from theta_app.ui.home import HOME


@pytest.fixture
def served(monkeypatch):
    """The options of the server that would have started."""
    options = []
    monkeypatch.setattr("theta_app.ui.serving.serve", options.extend)
    return options


def test_without_options_streamlits_settings_file_decides(served):
    main([])
    assert not served
    server = tomllib.loads((HOME / ".streamlit" / "config.toml").read_text())["server"]
    assert server["address"] == "localhost"
    assert server["fileWatcherType"] == "none"


def test_options_reach_streamlit(served, capsys):
    main(["--port", "8600", "--address", "127.0.0.1", "--headless"])
    assert served == ["--server.port=8600", "--server.address=127.0.0.1", "--server.headless=true"]
    assert "Others open" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("address", "link"), [("0.0.0.0", "http://10.1.2.3:8600"), ("fd00::5", "http://[fd00::5]:8600")]
)
def test_an_open_address_prints_the_link_and_what_it_means(address, link, served, capsys, monkeypatch):
    monkeypatch.setattr(dashboard, "own_address", lambda: "10.1.2.3")
    main(["--address", address, "--port", "8600"])
    said = capsys.readouterr().out
    assert f"Others open: {link}\n" in said
    assert "Uploads stay private" in said
    assert f"--server.address={address}" in served


def test_the_link_has_the_port_that_is_used(served, capsys):
    main(["--address", "192.168.7.7"])
    assert "http://192.168.7.7:8501\n" in capsys.readouterr().out
    assert "--server.port=8501" in served


def test_without_the_dashboards_packages_it_says_how_to_get_them(monkeypatch, capsys):
    monkeypatch.setattr(dashboard.importlib.util, "find_spec", lambda name: None)
    assert main([]) == 1
    assert "pip install 'theta-app[app]'" in capsys.readouterr().err


def test_a_file_gets_a_private_link_beside_the_one_for_others(served, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(dashboard, "own_address", lambda: "10.1.2.3")
    file = tmp_path / "customers.csv"
    file.write_text("a,b\n1,2\n")
    assert main([str(file), "--address", "0.0.0.0", "--port", "8600", "--headless"]) == 0
    said = capsys.readouterr().out
    assert "Others open: http://10.1.2.3:8600\n" in said
    assert f"customers.csv: http://localhost:8600/?open={opened._offer.key}\n" in said
    assert opened._offer.paths == (file,)
    assert "--server.headless=true" in served  # the browser that Streamlit would open comes without the key


@pytest.mark.parametrize(
    ("file", "sentence", "code"),
    [("nowhere.csv", "There is no file", 1), (".", "is a folder", 1), ("https://example.org/a.csv", "Download", 2)],
)
def test_what_cannot_be_opened_gets_a_sentence(file, sentence, code, served, capsys):
    assert main([file]) == code
    assert sentence in capsys.readouterr().err
    assert not served


def test_every_page_of_the_menu_is_at_home():
    assert all((HOME / page.file).is_file() for page in shell.MENU)
