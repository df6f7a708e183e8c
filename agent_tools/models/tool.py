"""A tool: one configured instance of a type."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Collection, Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from agent_tools import configs
from agent_tools.contract.errors import AgentToolsError, ConfigError
from agent_tools.contract.executor import ToolConfig


def config_validation_error(error: AgentToolsError) -> ValidationError:
    """Return the error as Django's own, at the field it belongs to: `config`, or `type` when that is unknown."""
    if isinstance(error, ConfigError):
        return ValidationError({"config": [str(problem) for problem in error.problems]})
    return ValidationError({"type" if error.reason == "unknown_tool_type" else "config": [error.message]})


class AgentToolQuerySet(models.QuerySet["AgentTool"]):
    """Keeps configurations checked on the ways that go round `save`."""

    def enabled(self) -> AgentToolQuerySet:
        """Return the tools that a model may use by default."""
        return self.filter(enabled=True)

    def update(self, **fields: Any) -> int:
        if {"config", "type"} & set(fields):
            raise ValidationError({"config": [_("A configuration is changed tool by tool, with save().")]})
        return super().update(**fields)

    def bulk_create(self, objs: Iterable[AgentTool], *args: Any, **kwargs: Any) -> list[AgentTool]:
        tools = list(objs)
        for tool in tools:
            tool.prepare_config()
        return super().bulk_create(tools, *args, **kwargs)

    def bulk_update(self, objs: Iterable[AgentTool], fields: Iterable[str], batch_size: int | None = None) -> int:
        names = list(fields)
        if {"config", "type"} & set(names):
            raise ValidationError({"config": [_("A configuration is changed tool by tool, with save().")]})
        return super().bulk_update(objs, names, batch_size)


class AgentTool(models.Model):
    """One configured instance of a tool type. Tools belong to the platform, not to a user.

    `config` may be assigned as an operator writes it, secrets in plain text; saving checks and seals it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=50, help_text=_("For people."))
    slug = models.CharField(
        _("slug"),
        max_length=50,
        unique=True,
        validators=[RegexValidator(r"^[a-zA-Z0-9_-]+\Z", _("Use letters, digits, hyphens and underscores only."))],
        help_text=_("The function name that the model sees: letters, digits, hyphens and underscores."),
    )
    description = models.TextField(_("description"), help_text=_("What the model reads to decide on a call."))
    type = models.CharField(_("type"), max_length=30)
    config = models.JSONField(_("configuration"), default=dict, blank=True)
    enabled = models.BooleanField(_("enabled"), default=True, help_text=_("Whether models may call it."))
    sort_order = models.IntegerField(_("sort order"), default=0)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    objects = AgentToolQuerySet.as_manager()

    class Meta:
        verbose_name = _("tool")
        verbose_name_plural = _("tools")
        ordering = ["sort_order", "slug"]
        indexes = [models.Index(fields=["enabled", "slug"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(slug__regex=r"^[a-zA-Z0-9_-]+$"),
                name="agent_tool_slug_form",
                violation_error_message=_("Use letters, digits, hyphens and underscores only."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"

    def save(self, *, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        names = None if update_fields is None else set(update_fields)
        if names is None or {"config", "type"} & names:
            self.prepare_config()
        super().save(update_fields=names, **kwargs)
        self.remember_stored()

    def clean(self) -> None:
        super().clean()
        self.prepare_config()

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any) -> AgentTool:
        tool = super().from_db(db, field_names, values, **kwargs)
        tool.remember_stored()
        return tool

    def remember_stored(self) -> None:
        """Note what the database holds, so that absent secrets can be kept and an untouched row saved as it is."""
        self._stored = (self.__dict__.get("type"), copy.deepcopy(self.__dict__.get("config")))

    def prepare_config(self) -> None:
        """Check and seal the configuration unless it is as stored, or as this left it; raises Django's
        `ValidationError`.
        """
        stored_type, stored_config = stored = getattr(self, "_stored", (None, None))
        if (self.type, self.config) in (stored, getattr(self, "_prepared", None)):
            return
        try:
            self.config = configs.prepare(self.type, self.config, stored_config if self.type == stored_type else None)
        except AgentToolsError as error:
            raise config_validation_error(error) from error
        self._prepared = (self.type, copy.deepcopy(self.config))

    def load_config(self) -> ToolConfig:
        """Return the configuration as the type's model; raises `ConfigError` or `UnknownToolTypeError`."""
        return configs.load(self.type, self.config)


class InstalledDefault(models.Model):
    """Remembers that a type's default tool was installed once, so that a deleted one does not come back."""

    type = models.CharField(max_length=30, primary_key=True)
    installed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("installed default")

    def __str__(self) -> str:
        return self.type
