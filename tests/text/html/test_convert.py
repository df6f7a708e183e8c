"""The asynchronous conversion: an answer for every page, in time."""

from __future__ import annotations

import asyncio
import time

import pytest

from agent_tools.text.html.convert import convert
from agent_tools.text.html.markdown import html_to_markdown

HEAVY = "<title>T</title><p>First words</p><p>" + "".join(f"<b id={n}>" for n in range(1_000)) + "</p><p>x" * 200_000


async def test_it_says_what_the_plain_function_says() -> None:
    page = "<title>T</title><nav>menu</nav><a href=x>y</a>" + "<p>some words</p>" * 30
    for main_content in (True, False):
        result = await convert(page, "https://e.org/", main_content=main_content, timeout=60)
        assert result == html_to_markdown(page, "https://e.org/", main_content=main_content)
    assert (await convert(page, limit=50, timeout=60)).cut


async def test_a_page_that_takes_too_long_comes_back_as_text_in_time() -> None:
    await convert("<p>warm</p>", timeout=60)
    start = time.perf_counter()
    result = await convert(HEAVY, timeout=0.5)
    assert time.perf_counter() - start < 10
    assert result.text.startswith("T") or result.text.startswith("First words")
    assert "First words" in result.text
    assert "took too long" in result.notes[0]


async def test_the_text_of_a_page_that_failed_is_still_no_live_html() -> None:
    result = await convert(f"<p>&lt;img src=x onerror=alert(1)&gt; # </p>{HEAVY}", timeout=0.3)
    assert result.notes
    assert r"\<img src=x" in result.text


async def test_no_time_at_all_still_gives_an_answer() -> None:
    assert "words" in (await convert("<p>words</p>", timeout=0.0)).text


async def test_cancelling_ends_it() -> None:
    task = asyncio.create_task(convert(HEAVY, timeout=60))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await convert("<p>next</p>", timeout=60)).text == "next"
