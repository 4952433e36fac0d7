# The commands of the project. Start with `make run` (a server), `make play` (a game) and `make test` (all checks).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/uv pip install -q --python $(BIN)/python -c requirements.lock

# Some machines forbid Python to cache bytecode. The tests start many programs, each of which would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run web compiled play test check soak bench docs format clean

run: $(VENV)/installed ## a server with the web app, on port 8000 or PORT=8001 (docs/hosting.md)
	@$(BIN)/python tools/build_web.py || echo "Without it the server holds tables all the same, for other clients."
	@$(BIN)/roundtable serve $(if $(PORT),--port $(PORT))

web: $(VENV)/installed ## build the web app into the package if its sources have changed (docs/web.md)
	@$(BIN)/python tools/build_web.py

compiled: $(VENV)/ready ## a server with its busiest modules compiled: a wheel in dist/ (docs/hosting.md)
	@$(BIN)/python tools/build_compiled.py

play: $(VENV)/installed ## play a game of Avalon; without a terminal, watch bots play one
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/roundtable play avalon; else $(BIN)/roundtable watch avalon --seats 5; fi

test: $(VENV)/ready ## everything that CI checks
	$(MAKE) --no-print-directory --output-sync=target -j 3 lint web-check web browser postgres
	$(BIN)/pytest -n 3 --dist worksteal $(PYTEST) # three processes on two cores as well: browser tests mostly wait

check: $(VENV)/ready ## lint, types and quick tests, in under a minute: before every push
	$(MAKE) --no-print-directory --output-sync=target -j 3 lint web-check quick-tests

.PHONY: quick-tests
quick-tests: $(VENV)/ready
	$(BIN)/pytest -n 2 -m "not slow" $(PYTEST)

soak: $(VENV)/ready browser postgres ## the tests of `make test` with larger numbers (tests/support/sizes.py), in random order; several hours
	ROUNDTABLE_SOAK=1 $(BIN)/pytest -n 2 --dist worksteal -p randomly -rP $(PYTEST)

.PHONY: lab
lab: $(VENV)/ready ## the packages of the lab: simulation, environments, studies

.PHONY: timings
timings: $(VENV)/ready browser postgres ## where the tests spend their CPU time
	$(BIN)/pytest -n 2 -p support.cpu_times $(PYTEST)

.PHONY: coverage
coverage: $(VENV)/ready browser postgres ## which lines and branches the tests reach, by package
	$(BIN)/python tools/measure_coverage.py $(PYTEST)

.PHONY: lint
lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: web-check
web-check: $(VENV)/installed ## the web app: types, lint, unit tests
	@$(BIN)/python tools/build_web.py check

.PHONY: screenshots
screenshots: $(VENV)/ready browser ## take the pictures of README and docs again
	$(BIN)/python tools/screenshots.py

.PHONY: browser
browser: ## the browser that the tests of the web app drive
	@tools/install_browser.sh

.PHONY: postgres
postgres: ## the PostgreSQL that the tests of the shared log start
	@tools/install_postgres.sh

bench: $(VENV)/ready ## speed of the engine and the kernels, of environments and a server, compared with references
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.kernels
	$(BIN)/python -m benchmarks.dead_time
	$(BIN)/python -m benchmarks.belief
	-$(INSTALL) -r benchmarks/peers.txt
	$(BIN)/python -m benchmarks.environments
	$(MAKE) --no-print-directory compiled
	$(BIN)/python -m benchmarks.server --package build/compiled
	@echo 'Several workers: $(BIN)/python -m benchmarks.workers --database postgresql://USER@HOST/EMPTY'

docs: $(VENV)/ready ## the documentation site, in build/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

.PHONY: dist
dist: ## thavalon.py, the dealer in a single file, from the package: after a change to what it contains
	$(PYTHON) tools/single_file.py

.PHONY: confusables
confusables: ## core/confusables.py, the letters that look alike, from UNICODE=path/to/confusables.txt of a new Unicode
	$(PYTHON) tools/confusables.py $(UNICODE)

.PHONY: package
package: $(VENV)/ready ## what a release publishes: an sdist and the wheel built from it, in dist/
	$(BIN)/uv build -q --no-build-isolation --python $(BIN)/python

.PHONY: lock
lock: $(BIN)/uv ## update requirements.lock to the newest versions that pyproject.toml allows, for Python 3.11 and later
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --all-extras --group dev --group docs \
		--custom-compile-command 'make lock' pyproject.toml -o requirements.lock

format: $(VENV)/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web && npm run --silent format

clean:
	rm -rf $(VENV) web/node_modules web/src/protocol/generated web/src/text/generated web/src/games/generated src/roundtable/web_app .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Round Table needs Python 3.11 or newer; set PYTHON to one, as in: make run PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --disable-pip-version-check -q install -c requirements.lock uv

$(VENV)/installed: pyproject.toml requirements.lock $(BIN)/uv
	$(INSTALL) -b requirements.lock -e .
	@touch $@

$(VENV)/ready: $(VENV)/installed
	$(INSTALL) -b requirements.lock -e '.[lab,postgres,ray]' --group dev --group docs
	@touch $@
