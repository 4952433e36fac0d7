# Everything a newcomer needs: `make run` opens tables, `make play` plays a game, `make test` checks all there is to check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/uv pip install -q --python $(BIN)/python -c requirements.lock

.PHONY: run web compiled play test check soak bench docs format clean

run: $(VENV)/installed ## hold live tables for friends far apart, at port 8000 (docs/hosting.md)
	@$(BIN)/python tools/build_web.py || echo "Without it the server holds tables all the same, for other clients."
	@$(BIN)/roundtable serve

web: $(VENV)/installed ## the web app, built into the package where it is older than its sources (docs/web.md)
	@$(BIN)/python tools/build_web.py

compiled: $(VENV)/ready ## what every move goes through, compiled, for a busy server: a wheel in dist/ (docs/hosting.md)
	@$(BIN)/python tools/build_compiled.py

play: $(VENV)/installed ## sit down to a game of Avalon; without a terminal, watch bots play one
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/roundtable play avalon; else $(BIN)/roundtable watch avalon --seats 5; fi

test: $(VENV)/ready ## everything CI checks
	$(MAKE) --no-print-directory --output-sync=target -j 3 lint web-check web browser
	$(BIN)/pytest -n 3 --dist worksteal $(PYTEST) # on two cores too: those that wait for a browser leave room for a third

check: $(VENV)/ready ## the quick form, under a minute: before every push
	$(MAKE) --no-print-directory --output-sync=target -j 3 lint web-check quick-tests

.PHONY: quick-tests
quick-tests: $(VENV)/ready
	$(BIN)/pytest -n 2 -m "not slow" $(PYTEST)

soak: $(VENV)/ready browser ## the tests of `make test` with larger numbers (tests/support/sizes.py), in random order; some hours
	ROUNDTABLE_SOAK=1 $(BIN)/pytest -n 2 --dist worksteal -p randomly -rP $(PYTEST)

.PHONY: lab
lab: $(VENV)/ready ## the packages of the lab: simulation, environments, studies

.PHONY: timings
timings: $(VENV)/ready browser ## where the tests spend their CPU time
	$(BIN)/pytest -n 2 -p support.cpu_times $(PYTEST)

.PHONY: coverage
coverage: $(VENV)/ready browser ## which lines and branches the tests reach, by package
	$(BIN)/python tools/measure_coverage.py $(PYTEST)

.PHONY: lint
lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: web-check
web-check: $(VENV)/installed ## the web app: types, lint, unit tests
	@$(BIN)/python tools/build_web.py install
	cd web && npm run --silent check && npm run --silent lint && npm test --silent

.PHONY: screenshots
screenshots: $(VENV)/ready browser ## the pictures of README and docs, taken anew
	$(BIN)/python tools/screenshots.py

.PHONY: browser
browser: ## the browser that the tests of the web app drive
	@tools/install_browser.sh

bench: $(VENV)/ready ## how fast the engine and the kernels play, beside bare loops; environments and a server, beside peers
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.kernels
	-$(INSTALL) -r benchmarks/peers.txt
	$(BIN)/python -m benchmarks.environments
	$(MAKE) --no-print-directory compiled
	$(BIN)/python -m benchmarks.server --package build/compiled

docs: $(VENV)/ready ## the documentation site, in build/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

.PHONY: dist
dist: ## thavalon.py as one file that needs nothing beside it
	$(PYTHON) tools/single_file.py

.PHONY: package
package: $(VENV)/ready ## what a release publishes: an sdist in dist/, and the wheel that is built from it
	$(BIN)/uv build -q --no-build-isolation --python $(BIN)/python

.PHONY: lock
lock: $(BIN)/uv ## the newest versions that the groups in pyproject.toml allow, for Python 3.11 and later
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --all-extras --group dev --group docs \
		--custom-compile-command 'make lock' pyproject.toml -o requirements.lock

format: $(VENV)/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web && npm run --silent format

clean:
	rm -rf $(VENV) web/node_modules web/src/protocol/generated web/src/text/generated src/roundtable/web_app .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Round Table needs Python 3.11 or newer; set PYTHON to one, as in: make run PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip --disable-pip-version-check -q install -c requirements.lock uv

$(VENV)/installed: pyproject.toml requirements.lock $(BIN)/uv
	$(INSTALL) -b requirements.lock -e .
	@touch $@

$(VENV)/ready: $(VENV)/installed
	$(INSTALL) -b requirements.lock -e '.[lab,ray]' --group dev --group docs
	@touch $@
