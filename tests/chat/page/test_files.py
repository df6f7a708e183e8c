"""A conversation's files over HTTP: listed, uploaded, downloaded, and only by their owner."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils.http import urlencode

from agent_tools.workspace.files import safe_name
from agent_tools.workspace.folders import folder_of, roots_of
from chat.models import Conversation
from chat.services.conversations import delete_conversation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def visitor(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def workspace(conversation: Conversation) -> Path:
    roots_of(conversation.pk)
    return folder_of(conversation.pk)


def upload(client: Client, conversation: Conversation, *files: SimpleUploadedFile) -> Any:
    address = reverse("chat:upload", args=[conversation.pk])
    return client.post(address, {"files": list(files)}, follow=True)


def words(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


async def downloaded(person: User, conversation: Conversation, path: str) -> tuple[HttpResponse, bytes]:
    client = AsyncClient()
    await client.aforce_login(person)
    response: Any = await client.get(f"{reverse('chat:download', args=[conversation.pk])}?{urlencode({'path': path})}")
    octets = b"".join([piece async for piece in response]) if response.streaming else b""
    return response, octets


def test_an_empty_conversation_says_what_files_are_for(visitor: Client, conversation: Conversation) -> None:
    page = visitor.get(reverse("chat:files", args=[conversation.pk]))
    assert "There are no files yet." in page.content.decode()
    assert not folder_of(conversation.pk).exists()


def test_uploads_are_listed_and_never_replace_one_another(
    visitor: Client, conversation: Conversation, workspace: Path
) -> None:
    page = upload(visitor, conversation, SimpleUploadedFile("data.csv", b"1"), SimpleUploadedFile("data.csv", b"2"))
    assert words(page) == ["workspace/data.csv was uploaded.", "workspace/data (2).csv was uploaded."]
    assert (workspace / "data.csv").read_bytes() == b"1"
    assert (workspace / "data (2).csv").read_bytes() == b"2"
    assert "workspace/data (2).csv" in page.content.decode()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\notes.txt", "notes.txt"),
        ("..", "upload"),
        ("", "upload"),
        (".env", "env"),
        ("a\nb\0c.txt", "a_b_c.txt"),
        ("~root.txt", "_root.txt"),
        ("x" * 400 + ".pdf", "x" * 150 + ".pdf"),
        ("名前.txt", "名前.txt"),
        ("a..b", "a.b"),
    ],
)
def test_a_name_is_made_safe(given: str, kept: str) -> None:
    assert safe_name(given) == kept


def test_limits_are_told_and_leave_nothing_behind(
    visitor: Client, conversation: Conversation, workspace: Path, settings: Any
) -> None:
    settings.CHAT = {**settings.CHAT, "UPLOAD_BYTES": 1_000}
    page = upload(visitor, conversation, SimpleUploadedFile("big", b"x" * 1_001), SimpleUploadedFile("small", b"x"))
    assert words(page) == ["big is larger than 1,000 bytes.", "workspace/small was uploaded."]
    settings.AGENT_TOOLS = {**settings.AGENT_TOOLS, "WORKSPACE_BYTES": 4_500}
    page = upload(visitor, conversation, SimpleUploadedFile("more", b"x" * 990))
    assert words(page) == ["more does not fit into the workspace any more; delete files, or raise WORKSPACE_MB."]
    assert words(visitor.post(reverse("chat:upload", args=[conversation.pk]), {}, follow=True)) == [
        "Choose a file to upload."
    ]
    assert not [path for path in workspace.iterdir() if path.name.endswith(".part")]


async def test_a_file_is_given_as_something_to_save(person: User, conversation: Conversation, workspace: Path) -> None:
    (workspace / "pagé.html").write_text("<script>alert(1)</script>")
    response, octets = await downloaded(person, conversation, "workspace/pagé.html")
    assert octets == b"<script>alert(1)</script>"
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"] == "attachment; filename*=utf-8''pag%C3%A9.html"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"]
    assert response["Content-Length"] == "25"


async def test_odd_names_can_be_downloaded_and_what_leads_out_cannot(
    person: User, conversation: Conversation, workspace: Path
) -> None:
    (workspace / os.fsdecode(b"a\n\xff")).write_text("odd")
    (workspace / "out").symlink_to("/etc/passwd")
    os.mkfifo(workspace / "pipe")
    _response, octets = await downloaded(person, conversation, '"workspace/a\\n\\377"')
    assert octets == b"odd"
    for path in ("out", "pipe", "../x", "/etc/passwd", "workspace", "", "library/x", "missing"):
        response, _octets = await downloaded(person, conversation, path)
        assert response.status_code == 302, path


def test_only_the_owner_sees_and_changes_files(
    conversation: Conversation, workspace: Path, operator_client: Client
) -> None:
    (workspace / "mine").write_text("mine")
    for name in ("files", "download", "upload"):
        address = reverse(f"chat:{name}", args=[conversation.pk])
        method = operator_client.post if name == "upload" else operator_client.get
        assert method(address).status_code == 404
        anonymous = Client().post(address) if name == "upload" else Client().get(address)
        assert anonymous.status_code == 302
        assert "/login/" in anonymous["Location"]


def test_a_deleted_conversation_takes_its_files_with_it(conversation: Conversation, workspace: Path) -> None:
    (workspace / "folder").mkdir()
    (workspace / "folder" / "file").write_text("x")
    (workspace / "folder").chmod(0o500)
    delete_conversation(conversation)
    assert not workspace.exists()
