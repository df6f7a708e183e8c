"""The plain forms of the chat page; each works without JavaScript."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.models import ChatModel
from chat.selectors.conversations import PAGE

LONGEST_QUERY = 200


class ListForm(forms.Form):
    """Which conversations to list; what is wrong is left out, since a list is better than an error."""

    q = forms.CharField(max_length=LONGEST_QUERY, required=False, empty_value="")
    size = forms.IntegerField(min_value=1, required=False)
    current = forms.UUIDField(required=False)

    def wanted(self) -> dict[str, Any]:
        """Return the query, the number of conversations, and the one on view."""
        self.full_clean()
        chosen = self.cleaned_data
        return {"q": chosen.get("q") or "", "size": chosen.get("size") or PAGE, "current": chosen.get("current")}


class NewConversationForm(forms.Form):
    """The switches that a new conversation begins with."""

    model = forms.ModelChoiceField(ChatModel.objects.filter(enabled=True), required=False)
    tools = forms.BooleanField(required=False)
    thinking = forms.BooleanField(required=False)


class RenameForm(forms.Form):
    """A conversation's title."""

    title = forms.CharField(label=_("Title"), max_length=200)


class BranchForm(forms.Form):
    """A message of the branch to show."""

    message = forms.IntegerField(min_value=1)
