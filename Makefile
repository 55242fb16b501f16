# make run   the app in a browser      make test   every test, browser included
# make quick lint, and every test that needs neither a browser nor long: a minute
# make dev   the same, watching files  make bench  speed against the peers
# make lint  ruff, mypy, ESLint if npx is there    make fuzz   uploads, links, kernels, for longer
# make soak  a class at once          make quality  how often the automatic answer is right
# make docs  the documentation and the API reference as a site in docs/_site; GALLERY=1 runs its notebooks again
# make mnist digits in neighbour maps  make lock  requirements.lock anew    make clean  everything made here is removed
# make fresh  what was measured by code that has changed since: listed, and measured again (LIST=1: only listed)
#
# make run FILE=customers.csv   on a file of yours
# make run ADDRESS=0.0.0.0   others may open it: the link is printed     make run PORT=8600   another port

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run dev test quick docs bench soak quality mnist fresh lint fuzz lock clean

# What lies in an environment while it is made or filled: left behind, somebody was cut off, and it is made anew.
UNFINISHED := $(VENV)/.unfinished
ifneq ($(shell test ! -e $(UNFINISHED) && $(BIN)/python -c 'import pip' 2>/dev/null && echo sound),sound)
.PHONY: $(BIN)/python $(VENV)/.run $(VENV)/.dev
endif

# The kernels are compiled before the page opens: once, and again if what is on disk was damaged.
run: $(VENV)/.run
	@$(BIN)/python -m theta_app.command $(if $(FILE),"$(FILE)") $(if $(ADDRESS),--address $(ADDRESS)) $(if $(PORT),--port $(PORT))

dev: $(VENV)/.run
	$(BIN)/python -m streamlit run app.py --server.fileWatcherType=auto $(if $(PORT),--server.port=$(PORT))

# A worker that has nothing left takes tests from another, so that none is left alone with a long file at the end.
# Browser tests often wait: there are three workers for two cores.
test: $(VENV)/.dev
	$(BIN)/python tests/browser/find_chromium.py
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m theta_app.engine
	$(BIN)/python -m pytest -n 3 --dist worksteal --durations=15 -r fER

# What it leaves out is listed in tests/conftest.py.
quick: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m theta_app.engine
	$(BIN)/python -m pytest -n 2 --dist worksteal --quick

docs: $(VENV)/.dev
	$(BIN)/python -m theta_app.engine
	$(BIN)/python docs/make.py $(if $(GALLERY),--gallery)

# Two peers are measured where they install; without them the rest is.
bench: $(VENV)/.dev
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check dipy pyclustering
	$(BIN)/python -m theta_app.engine
	$(BIN)/python -m benchmarks engine distributed ui

# Half an hour; SOAK_SECONDS=60 SOAK_ROWS="largest badly" for a short form, which is printed and not kept.
soak: $(VENV)/.dev
	$(BIN)/python -m theta_app.engine
	SOAK_SECONDS="$(SOAK_SECONDS)" SOAK_ROWS="$(SOAK_ROWS)" $(BIN)/python -m benchmarks soak

# A peer that is measured where it installs; without it the rest is.
EVOC := -$(BIN)/python -m pip install --quiet --disable-pip-version-check evoc

# Goes on from where it was ended; QUALITY="--noise 60" for fewer noise sets, "--report" to measure nothing.
# FIT=1 first fits the weights of the verdict anew.
quality: $(VENV)/.dev
	$(EVOC)
	$(BIN)/python -m theta_app.engine
	$(if $(FIT),$(BIN)/python -m benchmarks.quality.fit)
	$(BIN)/python -m benchmarks.quality $(QUALITY)

# Hours on one core; goes on from where it was ended. MNIST="--images FILE", "--only 10000", "--again theta".
mnist: $(VENV)/.dev
	$(EVOC)
	$(BIN)/python -m theta_app.engine
	$(BIN)/python -m benchmarks.mnist $(MNIST)

fresh: $(VENV)/.dev
	$(BIN)/python -m theta_app.engine
	$(BIN)/python -m theta_app.paper fresh $(if $(LIST),--list)

fuzz: $(VENV)/.dev
	FUZZ=1 NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto tests/engine
	$(BIN)/python -m tests.ui.fuzz --seconds 600
	$(BIN)/python -m tests.datasets.fuzz --seconds 600

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npx >/dev/null; then npx --yes eslint@9 .; else echo "npx is not here: ESLint was passed over"; fi

clean:
	rm -rf $(VENV) .lock .pytest_cache .mypy_cache .ruff_cache .hypothesis docs/_site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12 run" if sys.version_info < (3, 11) else 0)'
	@echo "Making an environment for Python in $(VENV) (once) ..."
	@rm -rf $(VENV) && mkdir $(VENV) && touch $(UNFINISHED)
	@$(PYTHON) -m venv $(VENV)
	@rm $(UNFINISHED)

# The versions that were tried together, where they are for this system and Python; else what requirements.txt allows.
OWN := import platform, sys; print(sys.platform, platform.machine(), "Python %d.%d" % sys.version_info[:2])
LOCK = $(shell test -e requirements.lock && test "$$($(BIN)/python -c '$(OWN)')" = "$$(sed -n '2s/..//p' requirements.lock)" && echo requirements.lock)

# Made of nothing but requirements.txt, in an environment of its own.
lock:
	rm -rf .lock && $(PYTHON) -m venv .lock
	.lock/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	echo '# The versions that requirements.txt gave when "make lock" was run last; "make run" installs them on' > .lock/made
	echo "# $$(.lock/bin/python -c '$(OWN)')" >> .lock/made
	.lock/bin/python -m pip freeze >> .lock/made
	mv .lock/made requirements.lock && rm -rf .lock

# In a terminal, what pip is busy with: a minute or two would pass in silence.
WATCH := if [ -t 1 ]; then \
    while read -r step what rest; do case "$$step" in \
        Collecting) printf '\r\033[K  %s' "$$what" ;; \
        Installing) printf '\r\033[K  unpacking, which takes longest' ;; \
    esac; done; printf '\r\033[K'; else cat > /dev/null; fi
install = { $(BIN)/python -m pip install --disable-pip-version-check -r $(1); echo $$? > $(VENV)/.status; } | { $(WATCH); }; \
	status=$$(cat $(VENV)/.status)

# pip that gives up by itself (no network) leaves an environment that has worked as it was; pip that was killed does not.
define fill
	@touch $(UNFINISHED)
	@echo "Installing $(2) (once, a minute or two) ..."
	@$(call install,$(1)); \
	if [ $(1) = requirements.lock ] && [ $$status -gt 0 ] && [ $$status -lt 128 ]; then \
	    echo "Not all versions of requirements.lock can be had here: those that requirements.txt allows are taken."; \
	    $(call install,requirements.txt); \
	fi; \
	if [ $$status -eq 0 ] || { [ $$status -lt 128 ] && [ -e $(VENV)/.run ]; }; then rm -f $(UNFINISHED); fi; exit $$status
endef

$(VENV)/.run: requirements.txt $(wildcard requirements.lock) | $(BIN)/python
	$(if $(LOCK),,@echo "requirements.lock is for another system or Python: versions that requirements.txt allows are taken.")
	$(call fill,$(or $(LOCK),requirements.txt),what the app needs)
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(call fill,requirements-dev.txt,what the tests need)
	@touch $@
