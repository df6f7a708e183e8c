"""Every address of the site."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path
from django.views.generic import RedirectView

from config.health import healthz, readyz

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="chat:start"), name="home"),
    path("chat/", include("chat.urls")),
    path("login/", LoginView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/", include("agent_tools.api.urls")),
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}chat/icon.svg")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]
