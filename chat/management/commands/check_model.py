"""Tries a language model's provider and says what works."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.models import ChatModel
from chat.services.models import keep_profile
from chat.services.provider_checks import SECONDS, Report, check_provider


class Command(BaseCommand):
    help = (
        "Check a language model with at most four small requests to its provider, which may cost a little, and keep "
        "what was learned. The exit status is 1 when a check failed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("label", help="The model's label, as people see it.")
        parser.add_argument(
            "--seconds", type=float, default=SECONDS, help=f"How long each request may take (default: {SECONDS:g})."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        model = ChatModel.objects.filter(label=options["label"]).first()
        if model is None:
            known = ", ".join(ChatModel.objects.values_list("label", flat=True)) or "none"
            raise CommandError(f"There is no model labelled {options['label']!r}. Known: {known}.")
        if options["seconds"] <= 0:
            raise CommandError("--seconds must be more than 0.")
        report = async_to_sync(check_provider)(model, seconds=options["seconds"])
        keep_profile(model.pk, report.profile)
        self._tell(report)
        if report.failed:
            raise CommandError(f"{report.failed} of {len(report.checks)} checks failed.")

    def _tell(self, report: Report) -> None:
        for check in report.checks:
            seconds = "" if check.seconds is None else f" ({check.seconds:.1f} s)"
            self.stdout.write(f"{check.verdict.upper():8} {check.name.label}{seconds}: {check.told}")
            if check.advice:
                self.stdout.write(f"         {check.advice}")
