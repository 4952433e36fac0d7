# Everything a newcomer needs: `make run` opens tables, `make play` plays a game, `make test` checks all there is to check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/uv pip install -q --python $(BIN)/python -c requirements.lock

.PHONY: run web compiled play test check soak bench format clean

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
	$(MAKE) --no-print-directory --output-sync=target -j 3 lint web-check browser
	$(BIN)/pytest -n 3 --dist worksteal # on two cores too: those that wait for a browser leave room for a third

check: $(VENV)/ready ## the quick form, for every commit
	$(MAKE) --no-print-directory --output-sync=target -j 2 lint web-check
	$(BIN)/pytest -n 2 -m "not slow"

soak: $(VENV)/ready ## the long forms of what `make test` checks; some hours
	ROUNDTABLE_CAREFUL_GAMES=1000 $(BIN)/pytest -m slow -rP tests/test_careful.py
	ROUNDTABLE_KERNEL_GAMES=100000 $(BIN)/pytest -n 2 -m slow tests/test_kernels.py tests/test_saviom_kernel.py
	ROUNDTABLE_SIMULATIONS=10000 $(BIN)/pytest -n 2 tests/test_simulation.py
	ROUNDTABLE_EVERY_LOOK=1 $(BIN)/pytest -n 2 tests/web/test_web_access.py
	ROUNDTABLE_TWIN_SCALE=15 $(BIN)/pytest -n 2 tests/test_server_twins.py
	ROUNDTABLE_TWIN_SCALE=67 $(BIN)/pytest -n 2 tests/test_twins.py
	ROUNDTABLE_KILLS=200 ROUNDTABLE_CUT=30 ROUNDTABLE_ROOMS=1000 ROUNDTABLE_EXAMPLES=200 $(BIN)/pytest tests/test_kill.py tests/test_restart.py tests/test_server_api.py tests/test_server_sockets.py

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

.PHONY: dist
dist: $(BIN)/uv ## thavalon.py as one file that needs nothing beside it
	$(BIN)/python tools/single_file.py

.PHONY: lock
lock: $(BIN)/uv ## the newest versions that the groups in pyproject.toml allow, for Python 3.11 and later
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --all-extras --group dev --group docs \
		--custom-compile-command 'make lock' pyproject.toml -o requirements.lock

format: $(VENV)/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cd web && npm run --silent format

clean:
	rm -rf $(VENV) web/node_modules web/src/wire/generated src/roundtable/web_app .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist

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
