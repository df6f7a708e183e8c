"""What to enter for well-known servers, as a table."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

TEMPLATE_ON = '{"chat_template_kwargs": {"enable_thinking": true}}'
TEMPLATE_OFF = '{"chat_template_kwargs": {"enable_thinking": false}}'


@dataclass(frozen=True, slots=True)
class Example:
    """One server: where it is, which variable holds its key, and how thinking is switched on and off."""

    name: str
    base_url: str
    key: str = ""
    on: str = ""
    off: str = ""


EXAMPLES = (
    Example(
        "OpenAI",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        '{"reasoning_effort": "medium"}',
        '{"reasoning_effort": "minimal"}',
    ),
    Example(
        "DeepSeek",
        "https://api.deepseek.com",
        "DEEPSEEK_API_KEY",
        '{"thinking": {"type": "enabled"}}',
        '{"thinking": {"type": "disabled"}}',
    ),
    Example(
        "Qwen",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        '{"enable_thinking": true}',
        '{"enable_thinking": false}',
    ),
    Example("vLLM", "http://127.0.0.1:8000/v1", "", TEMPLATE_ON, TEMPLATE_OFF),
    Example("llama.cpp", "http://127.0.0.1:8080/v1", "", TEMPLATE_ON, TEMPLATE_OFF),
    Example(
        "Ollama",
        "http://127.0.0.1:11434/v1",
        "",
        '{"reasoning_effort": "medium"}',
        '{"reasoning_effort": "none"}',
    ),
    Example("LM Studio", "http://127.0.0.1:1234/v1"),
)


def examples() -> str:
    """Return the table, folded."""
    heads = (_("Server"), _("Base URL"), _("Key variable"), _("With thinking"), _("Without thinking"))
    head = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in heads))
    rows = format_html_join(
        "",
        '<tr><th scope="row">{}</th>{}</tr>',
        (
            (each.name, format_html_join("", "<td>{}</td>", ((_code(part),) for part in _parts(each))))
            for each in EXAMPLES
        ),
    )
    return format_html(
        '<details class="examples-folded"><summary>{}</summary><div class="scroll" tabindex="0">'
        '<table class="examples"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div></details>',
        _("What to enter for well-known servers"),
        head,
        rows,
    )


def _parts(example: Example) -> tuple[str, ...]:
    return (example.base_url, example.key, example.on, example.off)


def _code(text: str) -> str:
    return format_html("<code>{}</code>", text) if text else "–"
