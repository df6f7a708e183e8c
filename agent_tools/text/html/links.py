"""Addresses from a page: absolute, of a scheme that is no code, written so that a Markdown link stays one link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote, urljoin, urlsplit

_SCHEMES = frozenset(("http", "https", "ftp", "ftps", "mailto", "tel", "sms", "geo", "irc", "ircs", "xmpp", "magnet"))
_IMAGE_SCHEMES = frozenset(("http", "https"))
_LONGEST = 4_000  # longer addresses carry data, not a place
_LONGEST_NAME = 60

# WHATWG URL: what its parser strips from both ends, and what it removes everywhere.
_ENDS = "".join(map(chr, range(0x21)))
_REMOVED = re.compile(r"[\t\n\r]")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_UNSAFE = re.compile(r"""[\x00-\x20"'()<>\\^`{|}\x7f\u00a0\u2028\u2029]""")
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[wxh],?")
_MOST_TOKENS = 200
# In the order of trust: lazy loaders put a placeholder into src.
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-full-src", "data-url")


class Links:
    """Resolves what stands in href and src against the page's base."""

    def __init__(self, page: str, base: str | None = None) -> None:
        self._page = page
        self._base = page
        resolved = self._join(base) if base else None
        if resolved and urlsplit(resolved).scheme in _IMAGE_SCHEMES:
            self._base = resolved

    def target(self, href: str) -> str | None:
        """Return where a link leads, None for code, for places in the page itself, and for what is no address."""
        cleaned = _REMOVED.sub("", href.strip(_ENDS))
        if not cleaned or cleaned.startswith("#"):
            return None
        return self._allowed(cleaned, _SCHEMES)

    def source(self, src: str) -> str | None:
        """Return where an image or a medium can be loaded from, None for embedded data and what is no address."""
        cleaned = _REMOVED.sub("", src.strip(_ENDS))
        return self._allowed(cleaned, _IMAGE_SCHEMES) if cleaned else None

    def image(self, attributes: Mapping[str, str], alternatives: str = "") -> str | None:
        """Return an image's address: of its lazy loader, else its src, else the largest of its sets.

        `alternatives` is the srcset of an enclosing picture's source.
        """
        for name in (*_LAZY, "src"):
            found = self.source(attributes.get(name, ""))
            if found:
                return found
        for candidates in (attributes.get("data-srcset", ""), attributes.get("srcset", ""), alternatives):
            found = self._largest(candidates)
            if found:
                return found
        return None

    def _largest(self, srcset: str) -> str | None:
        candidates: list[tuple[float, str]] = []
        for token in srcset.split()[:_MOST_TOKENS]:
            size = _SIZE.fullmatch(token)
            if size and candidates:
                candidates[-1] = (float(size[1]), candidates[-1][1])
            elif token.strip(","):
                candidates.append((1.0, token.strip(",")))
        for _, address in sorted(candidates, key=lambda candidate: -candidate[0]):
            found = self.source(address)
            if found:
                return found
        return None

    def _allowed(self, address: str, schemes: frozenset[str]) -> str | None:
        if len(address) > _LONGEST:
            return None
        stated = _SCHEME.match(address)
        if stated and stated[1].lower() not in schemes:
            return None
        joined = self._join(address)
        found = _SCHEME.match(joined) if joined else None
        if joined is None or found is None or found[1].lower() not in schemes:
            return None
        return _UNSAFE.sub(_percent, joined)

    def _join(self, address: str) -> str | None:
        if not _SCHEME.match(address):
            path, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", address, re.DOTALL).groups()  # type: ignore[union-attr]
            address = f"{path.replace(chr(92), '/')}{mark}{rest}"
        try:
            return urljoin(self._base, address)
        except ValueError:
            return None


def name_of(address: str) -> str:
    """Return the last part of an address's path, to call a thing by that has no name."""
    try:
        path = urlsplit(address).path
    except ValueError:
        return ""
    return unquote(path.rstrip("/").rpartition("/")[2])[:_LONGEST_NAME]


def _percent(char: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in char[0].encode())
