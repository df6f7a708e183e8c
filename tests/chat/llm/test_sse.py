from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.llm.sse import Frame, FrameTooLargeError, SseSplitter


def split(*pieces: bytes) -> list[Frame]:
    splitter = SseSplitter()
    frames = [frame for piece in pieces for frame in splitter.feed(piece)]
    return [*frames, *splitter.close()]


@pytest.mark.parametrize(
    ("body", "frames"),
    [
        pytest.param(b"data: x\n\n", [Frame("", "x")], id="LF"),
        pytest.param(b"data: x\r\n\r\n", [Frame("", "x")], id="CRLF"),
        pytest.param(b"data: x\r\rdata: y\r\r", [Frame("", "x"), Frame("", "y")], id="CR"),
        pytest.param(b"data: x\r\n\ndata: y\n\r\n", [Frame("", "x"), Frame("", "y")], id="mixed"),
        pytest.param(b"data:x\n\n", [Frame("", "x")], id="no blank behind the colon"),
        pytest.param(b"data:  x\n\n", [Frame("", " x")], id="one blank belongs to the format"),
        pytest.param(b"data: a\ndata: b\n\n", [Frame("", "a\nb")], id="several data lines"),
        pytest.param(b"data\ndata: b\n\n", [Frame("", "\nb")], id="a field without a colon"),
        pytest.param(b"event: error\ndata: x\n\n", [Frame("error", "x")], id="a name"),
        pytest.param(b"event: error\n\ndata: x\n\n", [Frame("", "x")], id="a name without data is dropped"),
        pytest.param(b"id: 7\nretry: 1\nfoo: bar\ndata: x\n\n", [Frame("", "x")], id="other fields"),
        pytest.param(b": ping\n\n", [Frame("", "ping", comment=True)], id="a comment"),
        pytest.param(b":\n\n", [Frame("", "", comment=True)], id="an empty comment"),
        pytest.param(
            b"data: x\n: ping\ndata: y\n\n", [Frame("", "ping", comment=True), Frame("", "x\ny")], id="between"
        ),
        pytest.param(b"\xef\xbb\xbfdata: x\n\n", [Frame("", "x")], id="a byte order mark"),
        pytest.param(b"data: x\n\xef\xbb\xbfdata: y\n\n", [Frame("", "x")], id="a later mark is no mark"),
        pytest.param(b"data: x\n", [Frame("", "x")], id="no final blank line"),
        pytest.param(b"data: x", [Frame("", "x")], id="no final line end"),
        pytest.param(b"\n\n\n", [], id="blank lines"),
        pytest.param(b"", [], id="nothing"),
        pytest.param("data: é😀\n\n".encode(), [Frame("", "é😀")], id="UTF-8"),
        pytest.param(b"data: \xff\n\n", [Frame("", "\ufffd")], id="not UTF-8"),
        pytest.param(
            "data: a\u2028b\x0b\x0c\x85c\n\n".encode(),
            [Frame("", "a\u2028b\x0b\x0c\x85c")],
            id="other line ends are text",
        ),
    ],
)
def test_events_are_split_as_the_standard_says_however_the_bytes_are_cut(body: bytes, frames: list[Frame]) -> None:
    assert split(body) == frames
    assert split(*(body[place : place + 1] for place in range(len(body)))) == frames
    for end in range(len(body)):
        assert split(body[:end], b"", body[end:]) == frames


LINES = st.sampled_from(
    [b"data: x", b"data:", "data: é😀".encode(), b": c", b"event: e", b"", b"", b"id", b"\xef\xbb\xbf"]
)
ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])


@given(st.lists(st.tuples(LINES, ENDS), max_size=12), st.lists(st.integers(0, 200), max_size=8))
def test_any_split_gives_the_same_events(lines: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    body = b"".join(line + end for line, end in lines)
    places = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    pieces = [body[start:end] for start, end in pairwise(places)]
    assert split(*pieces) == split(body)


@pytest.mark.parametrize("endless", [b"x" * 11, b"data: " + b"x" * 11, b"data: xxxxx\ndata: xxxxx\n", b"data:\n" * 12])
def test_an_event_without_an_end_is_given_up(endless: bytes) -> None:
    splitter = SseSplitter(max_frame_bytes=10)
    with pytest.raises(FrameTooLargeError, match="larger than 10 bytes"):
        splitter.feed(endless)
