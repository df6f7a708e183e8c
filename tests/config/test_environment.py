"""Settings: a wrong value stops the start with the variable's name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from config import dotenv

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "ENVIRONMENT": "production",
    "SECRET_KEY": "a long key: 3kf9w-q0zLmN7vbYt2XsRcHe5uJdPgAi8oEK4TyWnBM6D1",
    "ALLOWED_HOSTS": "tools.example.org",
    "TOOL_SECRET_KEYS": Fernet.generate_key().decode(),
}


def started(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**kept, "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ENVIRONMENT", "staging"),
        ("DEBUG", "maybe"),
        ("TOOL_TIMEOUT", "soon"),
        ("TOOL_TIMEOUT", "0"),
        ("LOG_OUTPUT_BYTES", "-1"),
        ("DATABASE_URL", "mongodb://x/y"),
        ("REDIS_URL", "http://x/"),
        ("LANGUAGE_CODE", "tlh"),
        ("LOG_LEVEL", "LOUD"),
        ("EXECUTE_RATE", "often"),
        ("CHAT_MAX_STEPS", "0"),
    ],
)
def test_a_wrong_value_names_its_variable(tmp_path: Path, name: str, value: str) -> None:
    result = started(tmp_path, "-c", "import config.settings", **{name: value})
    assert result.returncode != 0
    assert f"ImproperlyConfigured: {name}" in result.stderr


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"DEBUG": "true"}, "DEBUG"),
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "a.example,*"}, "ALLOWED_HOSTS"),
    ],
)
def test_production_refuses_what_is_only_for_development(tmp_path: Path, changes: dict[str, str], name: str) -> None:
    result = started(tmp_path, "-c", "import config.settings", **{**PRODUCTION, **changes})
    assert result.returncode != 0
    assert f"ImproperlyConfigured: {name}" in result.stderr


def test_the_deployment_checks_are_clean(tmp_path: Path) -> None:
    result = started(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert result.returncode == 0, result.stderr


def test_no_migration_is_missing(tmp_path: Path) -> None:
    result = started(tmp_path, "manage.py", "makemigrations", "--check", "--dry-run")
    assert result.returncode == 0, result.stdout


def test_the_first_env_file_has_fresh_keys_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    assert dotenv.write(path)
    text = path.read_text()
    assert not path.stat().st_mode & 0o077
    values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))
    Fernet(values["TOOL_SECRET_KEYS"])
    assert len(values["SECRET_KEY"]) >= 50
    assert not dotenv.write(path)
    assert path.read_text() == text
