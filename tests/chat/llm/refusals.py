"""The words that providers refuse requests with, and what they teach."""

from __future__ import annotations

from typing import Any

from chat.llm.profile import Echo, EmptyContent, IdStyle, MaxTokensName, SchemaLevel

COMPLETION = MaxTokensName.MAX_COMPLETION_TOKENS
WITH_CALLS = {"echo": Echo.DEMANDED_WITH_CALLS, "reasoning_field": "reasoning_content"}
# What changes, what was learned before, and the words (after "param|") that providers say it with.
TEACHES: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    (
        # evalstate/fast-agent#279
        {"refused": {"parallel_tool_calls"}},
        {},
        ["parallel_tool_calls|Unsupported parameter: 'parallel_tool_calls' is not supported with this model."],
    ),
    (
        # ding113/claude-code-hub#1165
        {"refused": {"stream_options"}},
        {},
        [
            "Unrecognized request argument supplied: stream_options",
            "stream_options.include_usage|Unknown parameter: 'stream_options.include_usage'",
            "stream_options: Extra inputs are not permitted",
        ],
    ),
    (
        {"refused": {"temperature"}},
        {},
        ["temperature|Unsupported value: 'temperature' does not support 0.2 with this model."],
    ),
    ({"refused": {"chat_template_kwargs"}}, {}, ["chat_template_kwargs is not supported"]),
    (
        {"refused": {"tool_choice"}},
        {},
        [
            "tool_choice|tool_choice 'none' is not supported",
            "tool_choice|Invalid value: 'none'. Supported values are: 'auto' and 'required'.",
        ],
    ),
    (
        {"refused": {"stream"}},
        {},
        [
            "stream|Your organization must be verified to stream this model.",
            "This model does not support streaming",
        ],
    ),
    (
        {"max_tokens_name": COMPLETION},
        {},
        ["max_tokens|Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."],
    ),
    (
        {"max_tokens_name": MaxTokensName.MAX_TOKENS},
        {"max_tokens_name": COMPLETION},
        ["Unknown field: max_completion_tokens"],
    ),
    (
        {"tools": False},
        {},
        [
            "registry.ollama.ai/library/gemma:2b does not support tools",
            "No endpoints found that support tool use",
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            "Function calling is not supported by this model",
        ],
    ),
    (
        # lmstudio-ai/lmstudio-bug-tracker#261
        {"empty_content": EmptyContent.EMPTY},
        {},
        [
            "messages.[2].content|Invalid value for 'content': expected a string, got null.",
            "invalid message content type: <nil>",
            "messages.2.content: Input should be a valid string",
        ],
    ),
    (
        # vercel/ai#13505
        {"empty_content": EmptyContent.NULL},
        {"empty_content": EmptyContent.EMPTY},
        [
            "The text field in the ContentBlock object at messages.1.content.0 is blank.",
            "messages: text content blocks must be non-empty",
        ],
    ),
    (
        # continuedev/continue#10193
        WITH_CALLS,
        {},
        [
            "Missing `reasoning_content` field in the assistant message at message index 2.",
            "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
        ],
    ),
    (
        {"echo": Echo.DEMANDED},
        WITH_CALLS,
        ["The reasoning_content in the thinking mode must be passed back to the API."],
    ),
    ({"echo": Echo.NEVER}, {}, ["'messages.2': for 'role:assistant' property 'reasoning' is unsupported"]),
    (
        {"replay": False},
        {},
        [
            "'messages.2': property 'annotations' is unsupported",
            "Unknown name \"sig\" at 'messages[2].tool_calls[0]'",
        ],
    ),
    (
        # anomalyco/opencode#1680
        {"id_style": IdStyle.ALNUM9},
        {},
        ["Tool call id was call_abc but must be a-z, A-Z, 0-9, with a length of 9."],
    ),
    (
        {"id_style": IdStyle.OWN},
        {},
        ["Invalid 'messages[2].tool_calls[0].id': string too long. Expected a maximum length of 40."],
    ),
    # mistralai/mistral-common#169
    ({"user_after_tool": False}, {}, ["Unexpected role 'user' after role 'tool'"]),
    (
        {"system": False},
        {},
        [
            "messages[0].role|Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            "Developer instruction is not enabled for models/gemma-3",
            "System role not supported",
        ],
    ),
    ({"images": False}, {}, ["Invalid content type. image_url is only supported by certain models."]),
    (
        # tashfeenahmed/freellmapi#97, pizza-bot-app/pizza-bot#62
        {"schema": SchemaLevel.PLAIN},
        {},
        [
            "Invalid JSON payload received. Unknown name \"exclusiveMinimum\" at 'tools[0].function_declarations[0]'",
            'Invalid JSON payload received. Unknown name "additionalProperties": Cannot find field.',
            "tools.0.custom.input_schema: JSON schema is invalid",
        ],
    ),
]
