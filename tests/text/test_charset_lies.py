"""Charsets where servers lie, pages stutter and nobody says anything."""

from __future__ import annotations

import pytest

from agent_tools.text.charset import Source, decode
from agent_tools.text.charset_names import codec_of
from agent_tools.text.sniff import Kind, classify

JAPANESE = "日本語のページです。文字コードの判定を試すための文章です。"
FRENCH = "Déjà vu, l'été dernier, nous avons mangé à l'hôtel près de la forêt. "
MIXED = "<html><body><p>日本語のページです。</p></body></html>"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text", [MIXED, "Привет, мир! Как дела?", "plain words", '{"a": "é日😀"}', "1", f"{JAPANESE} (2) {JAPANESE}"]
)
@pytest.mark.parametrize("content_type", ["", "text/html", "text/plain; charset=utf-8", "application/json"])
def test_wide_text_without_a_mark_is_known_by_its_zeros(codec: str, text: str, content_type: str) -> None:
    body = text.encode(codec)
    assert decode(body, content_type).text == text
    assert classify(body, content_type).kind is not Kind.BINARY


@pytest.mark.parametrize(
    "body", [b"ab\0c", b"a\0bcdefg", b"\1\0\2\0\3\0\4\0" * 9, bytes(range(256)) * 4, b"\0" * 64, b"x" + b"\0" * 63]
)
def test_zeros_alone_make_no_wide_text(body: bytes) -> None:
    assert decode(body).charset not in {"utf-16le", "utf-16be", "utf-32le", "utf-32be"}


@pytest.mark.parametrize(
    ("text", "codec", "stated", "believed"),
    [
        (JAPANESE, "cp932", "utf-8", "shift_jis"),
        (JAPANESE, "euc_jp", "utf-8", "euc-jp"),
        (FRENCH, "cp1252", "utf-8", "windows-1252"),
        (JAPANESE, "utf-8", "iso-8859-1", "utf-8"),
        (FRENCH, "utf-8", "iso-8859-1", "utf-8"),
        (FRENCH, "utf-8", "utf-16", "utf-8"),
        (JAPANESE, "utf-8", "euc-kr", "utf-8"),
    ],
)
@pytest.mark.parametrize("place", ["header", "meta"])
def test_what_is_stated_gives_way_to_bytes_that_speak_loudly_against_it(
    text: str, codec: str, stated: str, believed: str, place: str
) -> None:
    start, header = ("", f"text/html; charset={stated}") if place == "header" else (f"<meta charset={stated}>", "")
    decoded = decode(f"{start}<p>{text}".encode(codec), header)
    assert (decoded.charset, decoded.text.endswith(text)) == (believed, True)


@pytest.mark.parametrize("body", [b"caf\xe9", b"a \xff\xfe b", "日本語\udcff日本語".encode("utf-8", "surrogateescape")])
def test_a_slip_does_not_overturn_what_is_stated(body: bytes) -> None:
    decoded = decode(body, "text/plain; charset=utf-8")
    assert (decoded.charset, decoded.source, decoded.lossy) == ("utf-8", Source.HEADER, True)


def test_a_page_of_accents_stays_what_its_server_says() -> None:
    accents = "éèêëàâäîïôöùûü ÄÖÜÉÈ" * 9
    assert decode(accents.encode("cp1252"), "text/html; charset=iso-8859-1").text == accents


def test_one_broken_character_of_many_spoils_no_page_that_says_nothing() -> None:
    body = (JAPANESE * 20).encode() + b"\xe6\x97" + JAPANESE.encode()
    decoded = decode(body, "text/html")
    assert (decoded.charset, decoded.lossy) == ("utf-8", True)
    assert decoded.text.endswith(JAPANESE)


@pytest.mark.parametrize(
    "tag",
    [
        '<meta data-x="<meta charset=utf-8>" charset=shift_jis>',
        "<meta data-x='>' charset=shift_jis>",
        "<meta\ncharset\n=\nshift_jis\n>",
        "<meta/charset=shift_jis/>",
        "<META CONTENT='text/html;charset=\"x-sjis\"' HTTP-EQUIV=Content-Type>",
        "<meta charset=nonsense><meta charset=' Shift_JIS '>",
        '<script>var a = "<meta charset=utf-8>"</script><meta charset=shift_jis>',
        "<title><meta charset=utf-8></title><meta charset=shift_jis>",
    ],
)
def test_meta_tags_in_odd_forms_are_read_as_browsers_read_them(tag: str) -> None:
    assert decode(f"<html><head>{tag}</head><p>{JAPANESE}".encode("cp932"), "text/html").text.endswith(JAPANESE)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Привет мир. ", "windows-1251"),
        ("Привет мир. ", "koi8-r"),
        ("Погода сегодня хорошая. ", "ibm866"),
        ("Погода сегодня хорошая. ", "iso-8859-5"),
        ("Καλημέρα κόσμε, τι κάνεις σήμερα; ", "windows-1253"),
        ("שלום עולם, מה שלומך היום? ", "windows-1255"),
        ("مرحبا بالعالم كيف حالك اليوم ", "windows-1256"),
        ("สวัสดีชาวโลก วันนี้อากาศดี ", "windows-874"),
        ("こんにちは世界。", "shift_jis"),
        ("こんにちは世界。", "euc-jp"),
        ("这是中文网页的一个测试。", "gb18030"),
        ("這是一個中文網頁的測試，你好。", "big5"),
        ("안녕하세요 세계. ", "euc-kr"),
        ("Größe über Straße, schöne Grüße. ", "windows-1252"),
    ],
)
@pytest.mark.parametrize("times", [1, 3, 200])
def test_short_texts_are_known_by_the_letters_of_their_language(text: str, name: str, times: int) -> None:
    decoded = decode((text * times).encode(codec_of(name)), "text/plain")
    assert (decoded.charset, decoded.text) == (name, text * times)
