"""The page's colours, light and dark: text can be read, controls can be seen (WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SHEET = Path(__file__).resolve().parents[3] / "static" / "chat" / "css" / "base.css"
COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(
        r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", SHEET.read_text(encoding="utf-8")
    )
}
GROUNDS = ("ground", "side", "raised", "tint", "code")
TEXTS = ("text", "muted", "accent", "good", "bad")
PAIRS = [
    *((text, ground) for text in TEXTS for ground in GROUNDS),
    *((f"hl-{kind}", "code") for kind in ("word", "text", "number", "name", "quiet")),
    ("bad", "bad-ground"),
    ("care", "care-ground"),
    ("text", "care-ground"),
    ("muted", "care-ground"),
    ("on-accent", "accent-ground"),
    ("ground", "mark"),
]


def luminance(colour: str) -> float:
    """Relative luminance of sRGB, as WCAG defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str, theme: str) -> float:
    lighter, darker = sorted((luminance(COLOURS[name][theme]) for name in (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out_from_every_ground_it_may_be_on(theme: str) -> None:
    weak = {pair: round(contrast(*pair, theme), 2) for pair in PAIRS if contrast(*pair, theme) < 4.5}
    assert not weak


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_edges_of_controls_and_the_focus_can_be_seen(theme: str) -> None:
    pairs = [(edge, ground) for edge in ("field", "focus") for ground in ("ground", "side", "raised", "care-ground")]
    weak = {pair: round(contrast(*pair, theme), 2) for pair in pairs if contrast(*pair, theme) < 3}
    assert not weak
