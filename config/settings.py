"""Django settings, read from the environment alone; README.md has the table that explains each variable.

A wrong value stops the start with the variable's name and the remedy.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config import environment

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
environment.env.read_env(BASE_DIR / ".env")

TESTING = Path(sys.argv[0]).name in {"pytest", "py.test"} or "pytest" in sys.modules

# --- Where this runs ---------------------------------------------------------------------------------------------

ENVIRONMENT = environment.choice("ENVIRONMENT", "development", {"development", "production"})
DEBUG = environment.boolean("DEBUG", default=False)
LONG_ENOUGH = 50
INSECURE_SECRET_KEY = "insecure-development-key-insecure-development-key-insecure"  # noqa: S105 - refused in production
SECRET_KEY = environment.text("SECRET_KEY", INSECURE_SECRET_KEY)
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS")
DATA_DIR = Path(environment.text("DATA_DIR", str(BASE_DIR / "data"))).expanduser().resolve()
HTTPS_ONLY = environment.boolean("HTTPS_ONLY", default=ENVIRONMENT == "production")
BEHIND_PROXY = environment.boolean("BEHIND_PROXY", default=False)

if ENVIRONMENT == "production":
    if DEBUG:
        raise ImproperlyConfigured("DEBUG must be off when ENVIRONMENT is production.")
    if SECRET_KEY == INSECURE_SECRET_KEY or len(SECRET_KEY) < LONG_ENOUGH:
        raise ImproperlyConfigured(f"SECRET_KEY must be set to at least {LONG_ENOUGH} random characters in production.")
    if not environment.words("ALLOWED_HOSTS") or "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured("ALLOWED_HOSTS must list the host names of this site in production, without '*'.")

# --- What it is made of ------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "agent_tools",
    "agent_tools.workspace",
    "chat",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.security.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- Data --------------------------------------------------------------------------------------------------------

STATIC_ROOT = DATA_DIR / "static"
if not TESTING:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)

DATABASE_URL = environment.url(
    "DATABASE_URL", f"sqlite:///{DATA_DIR / 'db.sqlite3'}", {"sqlite", "postgres", "postgresql"}
)
DATABASES = {"default": environment.env.db_url_config(DATABASE_URL)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Deferred transactions lose writes under concurrency; immediate ones wait their turn.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
    }
    # A file, so that tests of concurrency meet the same locks as the real thing.
    DATABASES["default"]["TEST"] = {
        "NAME": str(Path(tempfile.gettempdir()) / f"agent-tools-test-{os.getpid()}.sqlite3")
    }
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = environment.url("REDIS_URL", "", {"redis", "rediss", "unix"})
REDIS_PREFIX = environment.text("REDIS_PREFIX", "agent-tools")
if REDIS_URL:
    layer = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": REDIS_PREFIX},
    }
    cache = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
    }
else:
    layer = {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    cache = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
CHANNEL_LAYERS, CACHES = {"default": layer}, {"default": cache}

# --- People ------------------------------------------------------------------------------------------------------

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = environment.choice("LANGUAGE_CODE", "en", {"en", "zh-hans"})
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = environment.text("TIME_ZONE", "UTC")
USE_TZ = True

# --- Static files ------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# --- Security ----------------------------------------------------------------------------------------------------

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS_ONLY
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS_ONLY else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS_ONLY
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# --- Tools (agent_tools/conf.py reads and checks these) ------------------------------------------------------------

AGENT_TOOLS: dict[str, Any] = {
    "SECRET_KEYS": environment.words("TOOL_SECRET_KEYS"),
    "TOOL_TIMEOUT": environment.integer("TOOL_TIMEOUT", 60, at_least=1, at_most=3600),
    "LOG_OUTPUT_BYTES": environment.integer("LOG_OUTPUT_BYTES", 65_536, at_least=1_024, at_most=10_000_000),
    "DUPLICATE_THRESHOLD": environment.integer("DUPLICATE_THRESHOLD", 3, at_least=2, at_most=100),
    "PERMISSION_TIMEOUT": environment.integer("PERMISSION_TIMEOUT", 300, at_least=5, at_most=86_400),
    "USER_AGENT": environment.text(
        "FETCH_USER_AGENT", "AgentTools/0.1 (self-hosted; name a contact with FETCH_USER_AGENT)"
    ),
    "PROXY": environment.url("FETCH_PROXY", "", {"http", "https"}),
    "EXECUTE_RATE": environment.rate("EXECUTE_RATE", "60/min"),
    "WORKSPACES_DIR": DATA_DIR / "workspaces",
    "LIBRARY_DIR": DATA_DIR / "library",
    "SKILLS_DIR": Path(environment.text("SKILLS_DIR", str(DATA_DIR / "skills"))).expanduser().resolve(),
    "WORKSPACE_BYTES": environment.integer("WORKSPACE_MB", 1_024, at_least=1, at_most=1_000_000) * 1_048_576,
    "WORKSPACE_FILES": environment.integer("WORKSPACE_FILES", 100_000, at_least=10, at_most=10_000_000),
    "SANDBOX": environment.choice("SANDBOX", "auto", {"auto", "bubblewrap", "unshare", "off"}),
    "SHELL_WITHOUT_ISOLATION": environment.text("SHELL_WITHOUT_ISOLATION"),
    "HIDDEN_DIRS": [BASE_DIR, DATA_DIR],
    "PORTS_FACTORY": "chat.ports.factory.build_ports",
}

# --- Conversations (chat/conf.py reads and checks these) -----------------------------------------------------------

CHAT: dict[str, Any] = {
    "MAX_STEPS": environment.integer("CHAT_MAX_STEPS", 5, at_least=1, at_most=50),
    "SYSTEM_PROMPT": environment.text("CHAT_SYSTEM_PROMPT"),
    "TURN_SECONDS": environment.integer("CHAT_TURN_SECONDS", 1_800, at_least=10, at_most=86_400),
    "STEP_SECONDS": environment.integer("CHAT_STEP_SECONDS", 600, at_least=5, at_most=86_400),
    "FIRST_CONTENT_SECONDS": environment.integer("CHAT_FIRST_CONTENT_SECONDS", 120, at_least=1, at_most=3_600),
    "BETWEEN_CONTENT_SECONDS": environment.integer("CHAT_BETWEEN_CONTENT_SECONDS", 60, at_least=1, at_most=3_600),
    "LEASE_SECONDS": environment.integer("CHAT_LEASE_SECONDS", 30, at_least=3, at_most=600),
    "DRAIN_SECONDS": environment.integer("CHAT_DRAIN_SECONDS", 10, at_least=1, at_most=600),
    "UPLOAD_BYTES": environment.integer("CHAT_UPLOAD_MB", 50, at_least=1, at_most=10_000) * 1_048_576,
    "DAILY_TOKENS": environment.integer("CHAT_DAILY_TOKENS", 0),
    "OPENAI_BASE_URL": environment.url("OPENAI_BASE_URL", "", {"http", "https"}),
    "OPENAI_MODEL": environment.text("OPENAI_MODEL", "gpt-5-mini"),
}

# --- Interfaces --------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "agent_tools.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
    "DEFAULT_THROTTLE_RATES": {"execute": AGENT_TOOLS["EXECUTE_RATE"], "api": environment.rate("API_RATE", "600/min")},
    "DEFAULT_THROTTLE_CLASSES": ["agent_tools.api.throttling.ApiThrottle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "agent_tools.api.problems.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Agent Tools",
    "DESCRIPTION": "Manage and run the tools that language models may use.",
    "VERSION": "0.1.0",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAdminUser"],
    "SERVE_INCLUDE_SCHEMA": False,
}

# --- Telling what happens ------------------------------------------------------------------------------------------

LOG_LEVEL = environment.choice("LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"})
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        "httpx": {"level": "WARNING"},
        "httpcore": {"level": "WARNING"},
        "daphne.server": {"level": "WARNING"},
    },
}
