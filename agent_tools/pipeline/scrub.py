"""The one gate through which every result leaves: safe to store, to send and to show, without the tool's secrets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from agent_tools.pipeline import wording
from agent_tools.pipeline.running import Running
from agent_tools.text.scrub import lenient_json, safe_text


def scrub(running: Running) -> None:
    """Make the result safe. A result without text shows its data as JSON, or says that there is none.

    The number of characters that had to be mended stands in the metadata as `mended_characters`.
    """
    result, strike = running.ended(), running.striker
    data, metadata = lenient_json(result.data), lenient_json(dict(result.metadata))
    content, error = safe_text(result.content), safe_text(result.error or "")
    mended = data.mended + metadata.mended + content.mended + error.mended
    struck = strike.data(data.value)
    running.result = replace(
        result,
        data=struck,
        content=strike.text(content.value) if content.value.strip() else _shown(struck),
        error=None if result.error is None else strike.text(error.value),
        reason=safe_text(result.reason).value,
        metadata={**strike.data(metadata.value), **({"mended_characters": mended} if mended else {})},
    )
    running.notes = [strike.text(safe_text(note).value) for note in running.notes]


def _shown(data: Any) -> str:
    if data is None or data in ("", [], {}):
        return wording.NO_OUTPUT
    return data if isinstance(data, str) and data.strip() else json.dumps(data, indent=2, ensure_ascii=False)
