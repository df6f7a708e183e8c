"""The sockets of the site: only from its own pages, and with the person's session."""

from __future__ import annotations

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from chat.routing import websocket_urlpatterns

if "*" in settings.ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts: with '*' any web site could open sockets here.")

websocket_application = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))
