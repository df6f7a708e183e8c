"""Bodies decoded within their limit."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tools.guards.body import BoundedBody
from agent_tools.guards.inflating import PIECE
from agent_tools.guards.response import BodyFlaw

TEXT = b"The quick brown fox. " * 500


def _raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush()


def _take(body: BoundedBody, chunks: Iterable[bytes], *, complete: bool = True) -> bytes:
    taken = b""
    for chunk in chunks:
        if body.done:
            return taken
        taken += b"".join(body.feed(chunk))
    return taken + b"".join(body.finish(complete=complete))


def _chunks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


CODED = {
    "": TEXT,
    "identity": TEXT,
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    " GZIP , identity": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "Deflate": _raw_deflate(TEXT),
}


@pytest.mark.parametrize("size", [1, 2, 3, 1_000, 1_000_000])
@pytest.mark.parametrize("coding", CODED)
def test_a_body_is_decoded_however_it_is_cut_into_chunks(coding: str, size: int) -> None:
    body = BoundedBody(coding, 1_000_000)
    assert _take(body, _chunks(CODED[coding], size)) == TEXT
    assert (body.truncated, body.note) == (False, None)
    assert body.wire_size == len(CODED[coding])


@pytest.mark.parametrize("coding", CODED)
def test_exactly_the_limit_is_whole_and_one_byte_more_is_truncated(coding: str) -> None:
    exact = BoundedBody(coding, len(TEXT))
    assert _take(exact, _chunks(CODED[coding], 7)) == TEXT
    assert not exact.truncated
    over = BoundedBody(coding, len(TEXT) - 1)
    assert _take(over, _chunks(CODED[coding], 7)) == TEXT[:-1]
    assert over.truncated
    assert over.note is None


@pytest.mark.parametrize("coding", ["", "gzip", "deflate"])
def test_an_empty_body_is_whole_whatever_its_coding_promises(coding: str) -> None:
    body = BoundedBody(coding, 10)
    assert _take(body, []) == b""
    assert body.note is None
    assert _take(BoundedBody(coding, 0), []) == b""


def test_a_limit_of_zero_gives_nothing_and_says_that_there_was_more() -> None:
    body = BoundedBody("gzip", 0)
    assert _take(body, [gzip.compress(b"a")]) == b""
    assert body.truncated


@pytest.mark.parametrize("size", [1, 5, 100_000])
def test_all_members_of_a_gzip_body_are_read(size: int) -> None:
    data = gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two") + bytes(8)
    body = BoundedBody("gzip", 100)
    assert _take(body, _chunks(data, size)) == b"one two"
    assert body.note is None


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_data_behind_the_end_of_a_coded_body_is_ignored_and_noted(coding: str) -> None:
    data = gzip.compress(b"ok") if coding == "gzip" else zlib.compress(b"ok")
    body = BoundedBody(coding, 100)
    assert _take(body, [data + b"trailing"]) == b"ok"
    assert body.note is not None
    assert body.note.flaw is BodyFlaw.TRAILING_DATA
    assert body.done


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_broken_data_gives_what_came_before_and_says_so(coding: str) -> None:
    data = gzip.compress(TEXT, mtime=0) if coding == "gzip" else zlib.compress(TEXT)
    broken = data[:-4] + b"\xff\xff\xff\xff"  # where the checksum or the size stands
    body = BoundedBody(coding, 1_000_000)
    assert TEXT.startswith(_take(body, _chunks(broken, 40)))
    assert body.note is not None
    assert body.note.flaw is BodyFlaw.BROKEN_CODING


@pytest.mark.parametrize("size", [1, 40, 1_000_000])
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_of_broken_data_all_that_came_before_the_fault_is_given(coding: str, size: int) -> None:
    data = gzip.compress(TEXT) if coding == "gzip" else zlib.compress(TEXT)
    wrong_checksum = BoundedBody(coding, 1_000_000)
    assert _take(wrong_checksum, _chunks(data[:-4] + b"\xff\xff\xff\xff", size)) == TEXT
    assert wrong_checksum.note is not None
    words = b" ".join(b"%d" % number for number in range(5_000))
    data = gzip.compress(words) if coding == "gzip" else zlib.compress(words)
    middle = len(data) // 2
    broken = BoundedBody(coding, 1_000_000)
    taken = _take(broken, _chunks(data[:middle] + b"\xff" * 40 + data[middle + 40 :], size))
    assert taken[:5_000] == words[:5_000]
    assert broken.note is not None
    assert broken.note.flaw is BodyFlaw.BROKEN_CODING


@pytest.mark.parametrize("size", [1, 3, 1_000_000])
@pytest.mark.parametrize("label", ["gzip", "deflate"])
def test_a_format_is_known_by_its_data_whatever_its_label(label: str, size: int) -> None:
    for data in (gzip.compress(TEXT), zlib.compress(TEXT)):
        body = BoundedBody(label, 1_000_000)
        assert _take(body, _chunks(data, size)) == TEXT
        assert body.note is None


@pytest.mark.parametrize("size", [1, 3, 1_000_000])
@pytest.mark.parametrize("label", ["gzip", "deflate"])
@pytest.mark.parametrize("plain", [b"<html>not compressed</html>", b'{"a": 1}', b"ok", TEXT])
def test_what_is_not_compressed_at_all_is_given_with_a_note(plain: bytes, label: str, size: int) -> None:
    body = BoundedBody(label, 1_000_000)
    assert _take(body, _chunks(plain, size)) == plain
    assert body.note is not None
    assert body.note.flaw is BodyFlaw.MISLABELLED
    cut = BoundedBody(label, len(plain) - 1)
    assert _take(cut, _chunks(plain, size)) == plain[:-1]
    assert cut.truncated


@pytest.mark.parametrize("label", ["none", "UTF-8", "binary", "identity, none", "chunked"])
def test_what_is_no_coding_is_none(label: str) -> None:
    body = BoundedBody(label, 100)
    assert _take(body, [b"data"]) == b"data"
    assert body.note is None


@pytest.mark.parametrize("kept", [1, 5, -1])
def test_a_coded_body_that_ends_early_is_incomplete(kept: int) -> None:
    body = BoundedBody("gzip", 1_000_000)
    assert TEXT.startswith(_take(body, [gzip.compress(TEXT)[:kept]]))
    assert body.note is not None
    assert body.note.flaw is BodyFlaw.INCOMPLETE


def test_a_plain_body_is_incomplete_when_the_connection_says_so() -> None:
    body = BoundedBody("", 100)
    assert _take(body, [b"half"], complete=False) == b"half"
    assert body.note is not None
    assert body.note.flaw is BodyFlaw.INCOMPLETE


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip", "deflate, gzip", "gzip;q=1", "x" * 10_000])
def test_other_and_stacked_codings_give_no_body_but_a_note(coding: str) -> None:
    body = BoundedBody(coding, 100)
    assert body.done
    assert _take(body, [b"data"]) == b""
    assert body.note is not None
    assert body.note.flaw is BodyFlaw.UNSUPPORTED_CODING
    assert len(body.note.message) < 200


def test_a_body_that_inflates_a_thousandfold_never_takes_more_than_its_limit() -> None:
    bomb = gzip.compress(bytes(64 * 1024 * 1024))
    body = BoundedBody("gzip", 102_400)
    tracemalloc.start()
    try:
        kept = sum(len(piece) for chunk in _chunks(bomb, 65_536) if not body.done for piece in body.feed(chunk))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept == 102_400
    assert body.truncated
    assert peak < 1_000_000


def test_pieces_are_small_however_much_a_chunk_inflates_to() -> None:
    body = BoundedBody("gzip", 10_000_000)
    sizes = [len(piece) for piece in body.feed(gzip.compress(bytes(5_000_000)))]
    assert max(sizes) <= PIECE
    assert sum(sizes) == 5_000_000


@pytest.mark.parametrize("filler", [gzip.compress(b""), b"\x00"], ids=["empty members", "padding"])
def test_coded_data_that_decodes_to_nothing_is_cut_on_the_wire(filler: bytes) -> None:
    body = BoundedBody("gzip", 10_000)
    chunks = [gzip.compress(b"x"), *[filler * 50] * 1_000]
    assert _take(body, chunks) == b"x"
    assert body.truncated
    assert body.wire_size < 15_000


@given(st.binary(max_size=3_000), st.sampled_from([1, 9, 70_000]))
def test_incompressible_data_of_exactly_the_limit_is_whole(data: bytes, size: int) -> None:
    for coding, wire in (("gzip", gzip.compress(data, 0)), ("deflate", zlib.compress(data, 0))):
        body = BoundedBody(coding, len(data))
        assert _take(body, _chunks(wire, size)) == data
        assert not body.truncated
        assert body.note is None


@given(st.sampled_from(["gzip", "deflate", ""]), st.lists(st.binary(max_size=200)), st.integers(0, 300))
def test_whatever_the_wire_brings_the_limit_holds(coding: str, chunks: list[bytes], limit: int) -> None:
    body = BoundedBody(coding, limit)
    assert len(_take(body, chunks)) == body.size <= limit
