"""The files of a conversation: listed, uploaded by the person, downloaded. Nothing of them is ever shown as a page."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from typing import BinaryIO

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agent_tools.contract.errors import RefusedError
from agent_tools.workspace.files import listing, open_download, save_upload
from chat.conf import conf
from chat.views.common import conversation_or_404, frame

MOST_SHOWN = 200
PIECE = 262_144


@require_safe
@login_required
def files(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Show a conversation's files, the newest first."""
    found = conversation_or_404(request, conversation_id)
    context = {
        **frame(request, found),
        "conversation": found,
        "files": listing(found.pk, MOST_SHOWN),
        "largest": conf.upload_bytes,
    }
    return render(request, "chat/files.html", context)


@require_POST
@login_required
def upload(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Put files of the person into the conversation's workspace, and say what became of each."""
    found = conversation_or_404(request, conversation_id)
    given = request.FILES.getlist("files")
    if not given:
        messages.error(request, _("Choose a file to upload."))
    for file in given:
        try:
            kept = save_upload(found.pk, file.name or "", file.chunks(), conf.upload_bytes)
        except RefusedError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("%(name)s was uploaded.") % {"name": kept.shown})
    return redirect("chat:files", found.pk)


@require_safe
@login_required
def download(request: HttpRequest, conversation_id: uuid.UUID) -> HttpResponseBase:
    """Give one file, always as something to be saved."""
    found = conversation_or_404(request, conversation_id)
    path = request.GET.get("path", "")
    try:
        file = open_download(found.pk, path)
    except RefusedError as error:
        messages.error(request, error.message)
        return redirect("chat:files", found.pk)
    response = StreamingHttpResponse(Pieces(file), content_type="application/octet-stream")
    response["Content-Length"] = str(os.fstat(file.fileno()).st_size)
    name = path.rpartition("/")[2].strip('"').encode("utf-8", "replace").decode()
    response["Content-Disposition"] = content_disposition_header(True, name or "file") or "attachment"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


class Pieces:
    """A file's octets piece by piece, read beside the event loop; closed with the response."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await asyncio.to_thread(self._file.read, PIECE):
            yield piece

    def close(self) -> None:
        self._file.close()
