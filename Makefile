# flocksim. `make` alone lists the targets; `make run` and `make test` each need nothing but Python 3.11+.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,$(shell \
  $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $(name))))
BIN := .venv/bin
RUN := .venv/.installed
DEV := .venv/.installed-dev
SOURCES := flocksim simulate strategies analysis reports tests

.DEFAULT_GOAL := help
.PHONY: help run test referee fuzz unit check format lint types bench calibrate screenshots clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: $(RUN) ## play Flock Together's variants and write the balance report
	$(BIN)/flocksim run configs/flock-together-variants.yaml

test: $(DEV) ## every test
	FLOCKSIM_ORACLE_GAMES=$${FLOCKSIM_ORACLE_GAMES:-200} $(BIN)/python -m pytest -n 2 --dist worksteal

referee: $(DEV) ## the oracles referee ten times the games of the tests: 2,000 of Flock Together a player count and variant
	FLOCKSIM_ORACLE_GAMES=$${FLOCKSIM_ORACLE_GAMES:-2000} $(BIN)/python -m pytest -n 2 --dist worksteal -m refereed

fuzz: $(DEV) ## hostile files, words and rules, FLOCKSIM_FUZZ examples of each (5,000), kernels with bounds checked
	NUMBA_BOUNDSCHECK=1 FLOCKSIM_CACHE_DIR="$(CURDIR)/build/fuzz" FLOCKSIM_FUZZ=$${FLOCKSIM_FUZZ:-5000} \
	  $(BIN)/python -m pytest -x tests/fuzz tests/system/test_odd_machines.py

unit: $(DEV) ## the quick tests only, for the inner loop
	$(BIN)/python -m pytest -q -x tests/unit

check: format lint types unit ## formatting, lint, types and the quick tests

format: $(DEV) ## check the formatting (fix it with: .venv/bin/ruff format .)
	$(BIN)/ruff format --check $(SOURCES)

lint: $(DEV) ## ruff
	$(BIN)/ruff check $(SOURCES)

types: $(DEV) ## mypy, over links that lay the folders out as the package they are
	$(BIN)/python tests/tools/type_links.py build/types
	$(BIN)/mypy -p flocksim

bench: $(DEV) ## speed of every game, as ratios to a C program and between settings, measured in one go
	$(BIN)/python tests/bench/bench.py

calibrate: $(DEV) ## play toy games of known truth and publish how often verdicts are wrong (docs/calibration.md)
	$(BIN)/python tests/calibrate/calibrate.py

screenshots: $(DEV) ## pictures of every shipped study's report, for people to look at (build/screenshots; needs Chromium)
	$(BIN)/python tests/tools/screenshots.py build/screenshots

clean: ## remove the virtual environment and everything built
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "flocksim needs Python 3.11 or newer on the PATH (or make PYTHON=...)"; exit 1; }
	$(PYTHON) -m venv .venv

$(RUN): .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(DEV): $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
