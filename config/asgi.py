"""The ASGI entry point."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

http = get_asgi_application()

# Consumers need the app registry, which the line above fills.
from config.sockets import websocket_application  # noqa: E402

application = ProtocolTypeRouter({"http": http, "websocket": websocket_application})
