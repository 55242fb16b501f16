# make run   the app in a browser      make test   every test, browser included
# make bench speed against the peers   make lint   ruff, and ESLint where npx is there
# make fuzz  upload parser, for longer

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test bench lint fuzz clean

run: $(VENV)/.run
	$(BIN)/python -m streamlit run app.py

test: $(VENV)/.dev
	$(BIN)/python tests/browser/find_chromium.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n 2 --dist loadgroup --durations=15

# Two peers are measured where they install; without them the rest is.
bench: $(VENV)/.dev
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check dipy pyclustering
	$(BIN)/python -m benchmarks

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.datasets.fuzz --seconds 600

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@if command -v npx >/dev/null; then npx --yes eslint@9 .; else echo "npx is not here: ESLint was passed over"; fi

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12 run" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

# The numba kernels are compiled here, once, so that nobody waits for them in front of the page.
$(VENV)/.run: requirements.txt $(wildcard theta_app/engine/*.py) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m theta_app.engine
	touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
