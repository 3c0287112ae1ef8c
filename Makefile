# In-Place Lab. `make help` lists what can be made.

PYTHON ?= python3 python3.13 python3.12 python3.11 python
JOBS ?= 2
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help lab test test-all bench notebooks colab lint clean again

RUN := .venv/bin/python
COURSE := course
DEV := course,dev

# The environment notes the folder it was made in. One that was moved, copied or lost its Python is installed again.
ifneq ($(shell $(RUN) -c "import os; print(open('.venv/folder', 'rb').read() == os.getcwdb())" 2>/dev/null),True)
AGAIN := again
endif

# $(call why,PATTERN,SENTENCE): what to do about an installation that failed, where pip's log matches the pattern.
comma := ,
why = if grep -Eqi "$(1)" .venv/pip.log; then echo "$(2) Nothing is lost: mend that and run make again." >&2; exit 1; fi;

# $(call install,EXTRAS): a working virtual environment with this folder in it.
define install
	@[ -w . ] || { echo "This folder cannot be written to: copy it to a folder of your own and run make there." >&2; exit 1; }
	@began=$$(date +%s); if ! $(RUN) -c "import pip" 2>/dev/null; then \
	    found=; seen=; \
	    for python in $(PYTHON); do \
	        version=$$("$$python" -c "import sys; print('%d.%d' % sys.version_info[:2])" 2>/dev/null) || continue; \
	        seen="$$seen $$python is $$version;"; \
	        if "$$python" -c "import sys; sys.exit(sys.version_info < (3, 11))"; then found=$$python; break; fi; \
	    done; \
	    if [ -z "$$found" ]; then \
	        echo "In-Place Lab needs Python 3.11 or newer, and found none (looked for: $(PYTHON);$${seen:- none of them runs;})." >&2; \
	        echo "Install one, or name it: make $(or $(MAKECMDGOALS),lab) PYTHON=/path/to/python3.12" >&2; exit 1; \
	    fi; \
	    echo "Making a virtual environment in .venv with $$found (Python $$version)."; \
	    "$$found" -m venv --clear .venv || { \
	        echo "Python could not make a virtual environment in .venv (its message is above)." >&2; \
	        echo "On Debian and Ubuntu the part that is missing is the package python3-venv." >&2; exit 1; }; \
	fi; echo $$began > .venv/began
	@echo "Installing In-Place Lab [$(1)] into .venv. The first time this takes minutes: PyTorch is large."
	@rm -f .venv/pip.log
	@$(RUN) -m pip install --disable-pip-version-check --log .venv/pip.log -c constraints.txt -e ".[$(1)]" || { \
	    $(call why,no space left|quota exceeded,The disk is full: about 6 GB are needed in this folder and 2 GB for temporary files.) \
	    $(call why,NewConnectionError|name resolution|name or service|timed out|unreachable|ProxyError|refused|from versions: none,The packages could not be fetched: there is no network$(comma) or a proxy is in the way (pip reads HTTPS_PROXY).) \
	    $(call why,permission denied|read-only file system,A file could not be written$(comma) as pip's message above says: does this folder belong to somebody else?) \
	    echo "Nothing is lost: pip's message above says what was missing. Mend that and run make again." >&2; exit 1; }
	@mkdir -p .venv/share/jupyter/lab/settings
	@echo '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}' \
	    > .venv/share/jupyter/lab/settings/overrides.json
	@$(RUN) -c "import os; open('.venv/folder', 'wb').write(os.getcwdb())"
endef

.venv/course: pyproject.toml constraints.txt $(AGAIN)
	$(call install,$(COURSE))
	@touch .venv/course

.venv/dev: pyproject.toml constraints.txt $(AGAIN)
	$(call install,$(DEV))
	@touch .venv/course .venv/dev

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

# The server listens on this computer alone and keeps its token, which is part of the address that it prints.
# A port that was asked for is used or refused; otherwise the next free one after 8888 is taken.
lab: .venv/course  ## open the lessons in JupyterLab (PORT=9000; BROWSER=0 only prints the address)
	@if [ -f .venv/began ]; then $(RUN) -m inplace_lab.first_move .venv/began; fi
	@echo "JupyterLab opens notebooks/start_here.ipynb. Stop it with Ctrl-C, twice."
	@exec $(RUN) -m jupyterlab --ip=127.0.0.1 --log-level=WARN \
	    --LabApp.default_url=/lab/tree/notebooks/start_here.ipynb \
	    --KernelManager.transport_encryption=auto \
	    $(if $(PORT),--port=$(PORT) --ServerApp.port_retries=0) \
	    $(if $(filter 0,$(BROWSER)),--no-browser) \
	    $(if $(filter 0,$(shell id -u)),--allow-root)

# One thread for each process: two test processes share two cores. A file stays in one process, since its tests share a
# server or a graded class (the groups of pytest-xdist 3.8 do nothing under pytest 9.2).
PYTEST = OMP_NUM_THREADS=1 $(RUN) -m pytest -n $(JOBS) --dist loadfile

test: lint  ## lint, then run the tests (ARGS="tests/repository -k make" goes to pytest)
	@$(PYTEST) -m "not long" $(ARGS)

test-all: lint  ## the same with the tests that take long
	@$(PYTEST) $(ARGS)

lint: .venv/dev  ## run ruff over the Python files
	@$(RUN) -m ruff check --quiet --output-format concise .

bench: .venv/dev  ## measure, each figure beside its rival; writes build/bench.json (ARGS=NAME: only that one)
	@OMP_NUM_THREADS=1 $(RUN) -m tests.bench $(ARGS)

# The shell reads the two values from its environment, so that no character of them is a command.
notebooks: .venv/course  ## build release/ and notebooks/ (REPOSITORY=owner/name REF=tag: for Colab, from GitHub)
	@$(RUN) -m autograder editions $(if $(REPOSITORY),--repository "$$REPOSITORY") $(if $(REF),--ref "$$REF")

colab: .venv/course  ## build dist/colab/: notebooks to mail or put on a drive, each with the lab inside
	@$(RUN) -m autograder colab

clean:  ## remove .venv and whatever else make created; lessons and grades stay
	@rm -rf .venv build dist inplace_lab.egg-info .hypothesis
	@find inplace_lab autograder tests -name __pycache__ -type d -prune -exec rm -rf {} +
