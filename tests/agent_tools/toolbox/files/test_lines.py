from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agent_tools.toolbox.files.lines import Wanted, Window, take

TEXT = st.text(alphabet="ab\r\n é", max_size=40)


@given(text=TEXT, cuts=st.lists(st.integers(0, 40), max_size=4), offset=st.integers(1, 12), limit=st.integers(1, 12))
def test_a_window_is_the_same_however_the_text_comes(text: str, cuts: list[int], offset: int, limit: int) -> None:
    text = "\n" + text  # so that each piece's line ends are of one kind
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    wanted = Wanted(offset=offset, limit=limit, characters=10_000, longest=100, scan=0)
    window = take(pieces, wanted, Window())
    lines = text.split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    assert window.total == len(lines)
    assert window.lines == [line.removesuffix("\r") for line in lines[offset - 1 : offset - 1 + limit]]
