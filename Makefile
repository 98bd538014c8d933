# The two commands that everybody needs are `make demo` and `make test`. Each makes the virtual environment .venv and
# installs into it what it lacks; a second run starts at once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROFILE ?= ci
# As a path, so that a checkout named lookback is not taken for the package of that name from the folder above.
EDITABLE := --config-settings editable_mode=compat -e
# One process a core, one thread a process: more threads only get in each other's way.
export OMP_NUM_THREADS ?= 1

.PHONY: demo test check unit lab notebooks bench reproduce format clean

demo: $(VENV)/installed
	$(BIN)/lookback demo

test: check unit notebooks

check: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit: $(VENV)/installed-dev
	LOOKBACK_PROFILE=$(PROFILE) $(BIN)/python -m pytest -n 2

lab: $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt $(EDITABLE) '.[notebooks]'
	$(BIN)/jupyter lab notebooks

notebooks: $(VENV)/installed-dev
	LOOKBACK_QUICK=1 $(BIN)/python -m pytest --nbmake notebooks -p no:cacheprovider

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

# The published table: about two CPU hours, in as many pieces as you like; the same command goes on.
TABLE := experiments/table-1.toml --store results/table-1

reproduce: $(VENV)/installed
	$(BIN)/lookback experiment run $(TABLE)
	$(BIN)/lookback experiment table $(TABLE) --format markdown --out docs/table-1.md
	$(BIN)/lookback experiment table $(TABLE) --format csv --out docs/table-1.csv
	$(BIN)/lookback experiment plot $(TABLE) --out docs/table-1.svg

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lookback needs Python 3.11 or later; name one with: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt $(EDITABLE) .
	touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt $(EDITABLE) '.[dev]'
	touch $@ $(VENV)/installed
