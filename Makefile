# `make run` from a fresh clone to a working server, `make test` for the tests, `make check` for the whole gate.

SHELL := /bin/sh
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
SITE_PORT ?= 8001
VENV := .venv
BIN := $(VENV)/bin
MODEL_VENV := .venv-model
PYTEST_ARGS ?= -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help run demo toy-model setup test test-real-model check format lint types imports messages locks clean

help: ## List what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

run: setup ## Start a working server on HOST:PORT (127.0.0.1:8000)
	@$(BIN)/python manage.py serve --host $(HOST) --port $(PORT)

demo: setup ## The same with a sample site and a tool for it, to try everything without internet or key
	@$(BIN)/python manage.py demo --host $(HOST) --port $(PORT) --site-port $(SITE_PORT)

toy-model: setup $(MODEL_VENV)/model.stamp ## Offer a real but tiny model on the chat page, beside `make run` or `make demo`
	@$(BIN)/python manage.py toy_model

setup: $(VENV)/run.stamp .env
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py install_tools
	@$(BIN)/python manage.py install_models
	@$(BIN)/python manage.py ensure_operator

.env:
	@$(PYTHON) -m config.dotenv

test: $(VENV)/dev.stamp ## Run the tests
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-real-model: $(VENV)/dev.stamp $(MODEL_VENV)/model.stamp ## Run the tests that need a real model, with the tiny one
	$(BIN)/python -m pytest -m real_model tests/real_model

check: $(VENV)/dev.stamp ## Format, lint, types, imports, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

format: $(VENV)/dev.stamp ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

locks: ## Write both locks anew (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q pyproject.toml --group dev -o requirements-dev.lock

clean: ## Remove the environments and caches; data stay
	rm -rf $(VENV) $(MODEL_VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# --- The environment: uv where it is on the path, else pip; both check every hash ---------------------------------

define install
	@if command -v uv >/dev/null 2>&1; then \
		uv pip install --quiet --python $(2)/bin/python --require-hashes --no-deps -r $(1); \
	else \
		$(2)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $(1); \
	fi
endef

%/created.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: name one with  make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "Python's venv module is missing: on Debian and Ubuntu  apt install python3-venv"; exit 1; }
	@$(PYTHON) -m venv $*
	@touch $@

$(VENV)/run.stamp: requirements.lock $(VENV)/created.stamp
	@echo "installing (about a minute the first time)"
	$(call install,requirements.lock,$(VENV))
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/created.stamp
	@echo "installing what the tests need"
	$(call install,requirements-dev.lock,$(VENV))
	@touch $@ $(VENV)/run.stamp

$(MODEL_VENV)/model.stamp: chat/toy/requirements.lock $(MODEL_VENV)/created.stamp
	@echo "installing a tiny language model (about 150 MB the first time)"
	$(call install,chat/toy/requirements.lock,$(MODEL_VENV))
	@touch $@
