"""The addresses of the chat."""

from __future__ import annotations

from django.urls import path

from chat import views

app_name = "chat"

urlpatterns = [
    path("", views.start, name="start"),
    path("new/", views.create, name="create"),
    path("list/", views.conversations, name="list"),
    path("<uuid:conversation_id>/", views.conversation, name="conversation"),
    path("<uuid:conversation_id>/transcript/", views.transcript_part, name="transcript"),
    path("<uuid:conversation_id>/manage/", views.manage, name="manage"),
    path("<uuid:conversation_id>/rename/", views.rename, name="rename"),
    path("<uuid:conversation_id>/delete/", views.delete, name="delete"),
    path("<uuid:conversation_id>/branch/", views.branch, name="branch"),
    path("<uuid:conversation_id>/calls/<uuid:call_id>/", views.call, name="call"),
    path("<uuid:conversation_id>/calls/<uuid:call_id>/output/", views.call_output, name="call-output"),
]
