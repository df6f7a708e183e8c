"""Which charset is believed, and what becomes of bodies that were cut."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings import LABELS

from agent_tools.text.charset import Source, decode, stated_charset
from agent_tools.text.charset_names import codec_of, find_charset

JAPANESE = "日本語のページです。文字コードの判定を試すための文章です。"
CHINESE = "中文网页，用来测试字符集检测。朱镕基总理，汉字很多。"
KOREAN = "한국어 문서입니다. 문자 인코딩 판별을 위한 문장입니다."
RUSSIAN = "Привет, мир! Это проверка определения кодировки текста."
NO_CHARSETS = ["hex", "rot13", "rot_13", "idna", "punycode", "utf-7", "unicode_escape", "raw_unicode_escape", "base64"]
NO_CHARSETS += ["zlib", "bz2", "uu", "undefined", "mbcs", "hz-gb-2312", "iso-2022-kr", "replacement", "x-user-defined"]
FRENCH = "Déjà vu, l'été dernier, nous avons mangé à l'hôtel près de la forêt. "


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("UTF-8", "utf-8"),
        (" Latin1 ", "windows-1252"),
        ("ascii", "windows-1252"),
        ("gb2312", "gbk"),
        ("x-gbk", "gbk"),
        ("x-sjis", "shift_jis"),
        ("windows-31j", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        ("unicode", "utf-16le"),
    ],
)
def test_a_label_is_what_browsers_take_it_for(label: str, name: str) -> None:
    assert find_charset(label) == name


@pytest.mark.parametrize(
    "label",
    [*NO_CHARSETS, "", "ä", "\ud800"],
)
def test_a_codec_that_is_no_charset_of_the_web_is_never_reached(label: str) -> None:
    assert find_charset(label) is None
    if label.isascii():
        assert decode(b"+ADw-script+AD4- 3c3e", f"text/html; charset={label}").text == "+ADw-script+AD4- 3c3e"


def test_every_charset_of_the_web_has_a_codec() -> None:
    for name in set(LABELS.values()) - {"replacement", "x-user-defined"}:
        codecs.lookup(codec_of(name))


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("text/html; charset=UTF-8", "utf-8"),
        ('text/html;CHARSET="gbk"', "gbk"),
        ("text/html; charset='gbk'; x=y", "gbk"),
        ("text/html; x=y; charset=gbk", "gbk"),
        ("text/html; charset=", None),
        ("text/html; charset=nonsense", None),
        ("text/html", None),
        ("", None),
    ],
)
def test_the_header_states_a_charset_or_none(content_type: str, name: str | None) -> None:
    assert stated_charset(content_type) == name


@pytest.mark.parametrize(
    ("body", "content_type", "text", "charset", "source"),
    [
        (b"\xef\xbb\xbfa", "text/html; charset=gbk", "a", "utf-8", Source.BOM),
        ("é".encode("utf-16"), "", "é", "utf-16le", Source.BOM),
        (codecs.BOM_UTF16_BE + "é".encode("utf-16-be"), "", "é", "utf-16be", Source.BOM),
        (codecs.BOM_UTF32_LE + "é".encode("utf-32-le"), "", "é", "utf-32le", Source.BOM),
        ("镕".encode("gbk"), "text/html; charset=gb2312", "镕", "gb18030", Source.HEADER),
        ("①".encode("cp932"), "text/plain; charset=shift_jis", "①", "shift_jis", Source.HEADER),
        (b"\xad\xa1", "text/plain; charset=euc-jp", "①", "euc-jp", Source.HEADER),
        (b"\x93a\x94", "text/plain; charset=iso-8859-1", "“a”", "windows-1252", Source.HEADER),
        (b"<meta charset=gbk>" + "中".encode("gbk"), "", "<meta charset=gbk>中", "gb18030", Source.META),
        (b"<!-- <meta charset=gbk> -->\xc3\xa9", "", "<!-- <meta charset=gbk> -->é", "utf-8", Source.UTF8),
        (b"<meta charset=utf-16>\xc3\xa9", "", "<meta charset=utf-16>é", "utf-8", Source.META),
        (
            b"<meta name=d content='charset=gbk'>\xc3\xa9",
            "",
            "<meta name=d content='charset=gbk'>é",
            "utf-8",
            Source.UTF8,
        ),
        (
            b'<?xml version="1.0" encoding="koi8-r"?>\xc1',
            "",
            '<?xml version="1.0" encoding="koi8-r"?>а',
            "koi8-r",
            Source.XML,
        ),
        (b'{"h": "<meta charset=gbk>\xc3\xa9"}', "", '{"h": "<meta charset=gbk>é"}', "utf-8", Source.UTF8),
        (b"caf\xe9", "", "café", "windows-1252", Source.FALLBACK),
        (b"", "", "", "utf-8", Source.UTF8),
    ],
)
def test_the_first_witness_that_knows_is_believed(
    body: bytes, content_type: str, text: str, charset: str, source: Source
) -> None:
    decoded = decode(body, content_type)
    assert (decoded.text, decoded.charset, decoded.source) == (text, charset, source)


def test_a_meta_tag_may_come_as_http_equiv_in_any_order() -> None:
    body = b'<META content="text/html; charset=Shift_JIS" HTTP-EQUIV=Content-Type>' + JAPANESE.encode("cp932")
    assert decode(body).text.endswith(JAPANESE)
    far = b"<p>" + b" " * 2_000 + b"<meta charset=gbk>\xc3\xa9"
    assert decode(far).text.endswith("é")


@pytest.mark.parametrize(
    ("stated", "inside", "text", "believed"),
    [
        ("iso-8859-1", "shift_jis", JAPANESE, "shift_jis"),
        ("iso-8859-1", "utf-8", FRENCH, "utf-8"),
        ("latin1", "windows-1251", RUSSIAN, "windows-1251"),
        ("us-ascii", "euc-kr", KOREAN, "euc-kr"),
        ("utf-8", "gbk", CHINESE, "gb18030"),
        ("windows-1251", "utf-8", RUSSIAN, "windows-1251"),
    ],
)
def test_a_server_s_default_gives_way_to_a_page_that_its_bytes_confirm(
    stated: str, inside: str, text: str, believed: str
) -> None:
    used = believed if believed != inside else inside
    body = f"<meta charset={inside}>{text}".encode(codec_of(find_charset(used) or used))
    decoded = decode(body, f"text/html; charset={stated}")
    assert (decoded.charset, decoded.text.endswith(text)) == (believed, True)


def test_a_plausible_header_wins_over_the_page() -> None:
    body = b"<meta charset=iso-8859-2>" + FRENCH.encode("cp1252")
    assert decode(body, "text/html; charset=iso-8859-1").text.endswith(FRENCH)


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (CHINESE, "gb18030", "gb18030"),
        (KOREAN, "cp949", "euc-kr"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8_r", "koi8-r"),
        (FRENCH, "cp1252", "windows-1252"),
        ("<p>plain</p>", "utf-16-le", "utf-16le"),
        ("<p>plain 中文</p>", "utf-16-be", "utf-16be"),
    ],
)
def test_without_a_witness_the_bytes_are_guessed(text: str, codec: str, name: str) -> None:
    decoded = decode((text * 10).encode(codec))
    assert (decoded.charset, decoded.text) == (name, text * 10)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16le", "utf-16be", "gb18030", "shift_jis", "euc-kr", "big5", "euc-jp"])
def test_a_cut_body_ends_with_a_whole_character(codec: str) -> None:
    text = "a中文字😀" if codec in {"utf-8", "utf-16le", "utf-16be", "gb18030"} else "a中文字"
    body = text.encode(codec_of(codec))
    for length in range(len(body) + 1):
        decoded = decode(body[:length], f"text/plain; charset={codec}", truncated=True)
        assert text.startswith(decoded.text)
        assert not decoded.lossy


@given(st.text(max_size=60), st.data())
def test_a_cut_utf8_body_is_still_seen_as_utf8(text: str, data: st.DataObject) -> None:
    body = b"start \xc3\xa9 " + text.replace("\0", "").encode()
    decoded = decode(body[: data.draw(st.integers(9, len(body)))], truncated=True)
    assert decoded.charset == "utf-8"
    assert not decoded.lossy or "\ufffd" in text


@given(st.binary(max_size=200), st.sampled_from(["", *LABELS]))
def test_no_bytes_make_it_fail(body: bytes, label: str) -> None:
    decode(body, f"text/html; charset={label}")
    assert decode(b"\xff\xc3(", "text/plain; charset=utf-8").lossy
