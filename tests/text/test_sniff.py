"""What kind of content a body is, whatever its header says."""

from __future__ import annotations

import pytest

from agent_tools.text.sniff import Kind, classify, human_size, media_type

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("text/html; charset=utf-8", b"<p>x", Kind.HTML),
        ("TEXT/HTML", b"<p>x", Kind.HTML),
        ("application/xhtml+xml", b"<html/>", Kind.HTML),
        ("application/xml", b'<?xml version="1.0"?><!-- c --><html xmlns="x">', Kind.HTML),
        ("text/xml", b"<rss/>", Kind.XML),
        ("application/rss+xml", b"<rss/>", Kind.XML),
        ("image/svg+xml", b"<svg/>", Kind.XML),
        ("application/json", b"{}", Kind.JSON),
        ("application/ld+json", b"{}", Kind.JSON),
        ("application/x-ndjson", b"{}\n{}", Kind.JSON),
        ("application/json", b"<html>", Kind.JSON),
        ("text/plain", b"<html>", Kind.TEXT),
        ("text/css", b"a{}", Kind.TEXT),
        ("application/javascript", b"x", Kind.TEXT),
        ("application/yaml", b"a: b", Kind.TEXT),
        ("application/x-of-my-own", b"readable", Kind.TEXT),
        ("application/x-of-my-own", b"\0\1\2\3" * 9, Kind.BINARY),
        ("application/pdf", b"anything", Kind.BINARY),
        ("image/png", b"anything", Kind.BINARY),
        ("video/mp4", b"x", Kind.BINARY),
        ("font/woff2", b"x", Kind.BINARY),
        ("application/zip", b"x", Kind.BINARY),
        ("text/html", b"", Kind.EMPTY),
    ],
)
def test_the_header_s_type_decides(content_type: str, body: bytes, kind: Kind) -> None:
    assert classify(body, content_type).kind is kind


@pytest.mark.parametrize("content_type", ["", "application/octet-stream", "*/*", "nonsense", "binary/octet-stream"])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<!DOCTYPE html><p>", Kind.HTML),
        (b"\xef\xbb\xbf \n<html>", Kind.HTML),
        (b"<!-- c --><body>", Kind.HTML),
        ("<p>x</p>".encode("utf-16"), Kind.HTML),
        ("<p>plain</p>".encode("utf-16-le"), Kind.HTML),
        (b'<?xml version="1.0"?><feed/>', Kind.XML),
        (b"<urlset xmlns='x'>", Kind.XML),
        (b'{"a": 1}', Kind.JSON),
        (b"[1, 2]", Kind.JSON),
        (b"plain words", Kind.TEXT),
        (b"#include <stdio.h>", Kind.TEXT),
        (b"BM is a text", Kind.TEXT),
        (b"a\0b", Kind.BINARY),
        (b"\x01\x02\x03abc", Kind.BINARY),
        (PNG, Kind.BINARY),
    ],
)
def test_without_a_useful_type_the_bytes_decide(content_type: str, body: bytes, kind: Kind) -> None:
    assert classify(body, content_type).kind is kind


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("text/plain", b"%PDF-1.7\n\xe2\xe3", Kind.BINARY),
        ("text/html", PNG, Kind.BINARY),
        ("application/json", b"\x1f\x8b\x08\0", Kind.BINARY),
        ("text/plain", bytes(range(32)) * 9, Kind.BINARY),
        ("text/html", b'{"a": 1}', Kind.JSON),
        ("text/html", b"User-agent: *\nDisallow:", Kind.TEXT),
    ],
)
def test_a_header_that_lies_is_found_out(content_type: str, body: bytes, kind: Kind) -> None:
    content = classify(body, content_type)
    assert (content.kind, content.contradicts) == (kind, True)


def test_a_stray_nul_or_wide_characters_make_no_text_binary() -> None:
    assert classify(b"a\0b", "text/plain").kind is Kind.TEXT
    assert classify("é words".encode("utf-16"), "text/plain").kind is Kind.TEXT
    assert classify("中文".encode("utf-16-le") * 9, "text/plain; charset=utf-16le").kind is Kind.TEXT


@pytest.mark.parametrize(
    ("content_type", "body", "statement"),
    [
        ("application/pdf", b"%PDF-", "PDF document, 12.3 kB; not shown"),
        ("text/plain", b"%PDF-1.4", "PDF document, 12.3 kB; not shown"),
        ("", PNG, "PNG image, 12.3 kB; not shown"),
        ("audio/mpeg", b"x", "MP3 audio, 12.3 kB; not shown"),
        ("video/mp4", b"\0\0\0\x18ftypisom", "MP4 video, 12.3 kB; not shown"),
        ("font/woff2", b"wOF2", "WOFF2 font, 12.3 kB; not shown"),
        ("application/octet-stream", b"PK\3\4....word/document.xml", "Word document, 12.3 kB; not shown"),
        ("application/octet-stream", b"PK\3\4....other", "zip archive, 12.3 kB; not shown"),
        ("application/x-odd", b"\0\1", "binary data (application/x-odd), 12.3 kB; not shown"),
        ("", b"\0\1", "binary data, 12.3 kB; not shown"),
        ("", b"RIFF....WEBPVP8", "WEBP image, 12.3 kB; not shown"),
        ("application/vnd.ms-excel", b"x", "Excel workbook, 12.3 kB; not shown"),
        ("text/html", b"", "Empty body."),
    ],
)
def test_what_is_not_shown_is_named_with_its_size(content_type: str, body: bytes, statement: str) -> None:
    assert classify(body, content_type).statement(12_345) == statement


def test_an_unknown_size_is_said_to_be_unknown() -> None:
    pdf = classify(b"%PDF-")
    assert pdf.statement(None) == "PDF document; not shown"
    assert pdf.statement(5_000, at_least=True) == "PDF document, at least 5.0 kB; not shown"


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 kB"),
        (999_940, "999.9 kB"),
        (999_990, "1.0 MB"),
        (4_000_000_000_000_000, "4000.0 TB"),
    ],
)
def test_sizes_are_for_people(size: int, words: str) -> None:
    assert human_size(size) == words


@pytest.mark.parametrize(
    ("value", "stated"),
    [
        ("Text/HTML ; charset=x", "text/html"),
        ("text/html, text/html", "text/html"),
        ("html", ""),
        ("a/b/c", ""),
        ("", ""),
    ],
)
def test_a_media_type_is_its_essence(value: str, stated: str) -> None:
    assert media_type(value) == stated
