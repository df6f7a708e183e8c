"""The plain forms of the chat page; each works without JavaScript."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.models import ChatModel
from chat.selectors.conversations import PAGE

LONGEST_QUERY = 200


class ListForm(forms.Form):
    """Which conversations to list; what is wrong is left out, since a list is better than an error."""

    q = forms.CharField(max_length=LONGEST_QUERY, required=False, empty_value="")
    size = forms.IntegerField(min_value=1, required=False)

    def wanted(self) -> tuple[str, int]:
        """Return the query and the number of conversations."""
        self.full_clean()
        return self.cleaned_data.get("q") or "", self.cleaned_data.get("size") or PAGE


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
