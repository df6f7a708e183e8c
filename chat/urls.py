"""The addresses of the chat."""

from __future__ import annotations

from django.urls import path

from chat.views import files, pages

app_name = "chat"

urlpatterns = [
    path("", pages.start, name="start"),
    path("new/", pages.create, name="create"),
    path("list/", pages.conversations, name="list"),
    path("<uuid:conversation_id>/", pages.conversation, name="conversation"),
    path("<uuid:conversation_id>/transcript/", pages.transcript_part, name="transcript"),
    path("<uuid:conversation_id>/manage/", pages.manage, name="manage"),
    path("<uuid:conversation_id>/rename/", pages.rename, name="rename"),
    path("<uuid:conversation_id>/delete/", pages.delete, name="delete"),
    path("<uuid:conversation_id>/branch/", pages.branch, name="branch"),
    path("<uuid:conversation_id>/files/", files.files, name="files"),
    path("<uuid:conversation_id>/files/upload/", files.upload, name="upload"),
    path("<uuid:conversation_id>/files/download/", files.download, name="download"),
    path("<uuid:conversation_id>/calls/<uuid:call_id>/", pages.call, name="call"),
    path("<uuid:conversation_id>/calls/<uuid:call_id>/output/", pages.call_output, name="call-output"),
]
