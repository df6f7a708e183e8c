"""The browsable pages: forms that open with a body that works."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from rest_framework import renderers
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser
from rest_framework.request import Request, override_method
from rest_framework.views import APIView


class BodyForm(forms.Form):
    """The raw form of a browsable page; its script sends the text as the body, in the media type chosen."""

    _content_type = forms.ChoiceField(label="Media type", widget=forms.Select(attrs={"data-override": "content-type"}))
    _content = forms.CharField(
        label="Body",
        required=False,
        widget=forms.Textarea(
            attrs={"data-override": "content", "rows": 16, "spellcheck": "false", "style": "font-family: monospace"}
        ),
    )

    def __init__(self, media_types: list[str], body: object) -> None:
        text = json.dumps(body, indent=2, ensure_ascii=False)
        super().__init__(initial={"_content_type": media_types[0], "_content": text})
        self.fields["_content_type"].choices = [(media_type, media_type) for media_type in media_types]  # type: ignore[attr-defined]


class PrefilledBrowsableAPIRenderer(renderers.BrowsableAPIRenderer):
    """Asks the view's `example_body(method)` for what the form holds; where it gives none there is no form."""

    def get_raw_data_form(self, data: Any, view: APIView, method: str, request: Request) -> Any:
        example_body = getattr(view, "example_body", None)
        if example_body is None:
            return None
        with override_method(view, request, method) as overridden:
            if not self.show_form_for_method(view, method, overridden, None):
                return None
            try:
                body = example_body(method)
            except APIException:  # the page already tells what is wrong
                return None
        return None if body is None else BodyForm(_media_types(view.parser_classes), body)

    def get_rendered_html_form(self, data: Any, view: APIView, method: str, request: Request) -> Any:
        return super().get_rendered_html_form(data, view, method, request) if method in {"DELETE", "OPTIONS"} else None


def _media_types(parsers: Any) -> list[str]:
    return [str(parser.media_type) for parser in parsers if issubclass(parser, BaseParser)]
