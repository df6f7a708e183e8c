"""How long our conversion takes compared with bare html2text, side by side in one run.

Prints ratios (ours ÷ html2text; below 1 is faster), never asserts. Hostile pages are small, since html2text's own
parser needs time that grows with their square. Run: `python benchmarks/html_markdown.py`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

import html2text

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agent_tools.text.html.convert import convert
from agent_tools.text.html.markdown import html_to_markdown
from agent_tools.text.pool import close

ROUNDS = 5
PAGE = "https://example.org/docs/"


def documentation(sections: int) -> str:
    """Return a page such as a documentation generator writes: menus, prose with links and code, lists, tables."""
    menu = "".join(f'<li><a href="/page/{number}">Chapter {number}</a></li>' for number in range(sections))
    body = "".join(
        f'<section id="s{number}"><h2>Section {number}<a class="headerlink" href="#s{number}">¶</a></h2>'
        f'<p>The <code>call_{number}(a, b)</code> function <b>returns</b> what <a href="ref.html#{number}">it</a> was '
        "given, &amp; nothing else; see <em>the notes</em> for why that is so in every case that was tried.</p>"
        "<ul><li>first point<ul><li>nested one</li></ul></li><li>second <strong>point</strong></li></ul>"
        f'<div class="highlight"><pre><code class="language-python">def call_{number}(a, b):\n    return a &lt; b\n'
        "</code></pre></div><table><tr><th>Name</th><th>Meaning</th></tr><tr><td>a</td><td>the first</td></tr>"
        "<tr><td>b</td><td>the second | other</td></tr></table></section>"
        for number in range(sections)
    )
    return f"<!doctype html><title>Manual</title><nav><ul>{menu}</ul></nav><main>{body}</main><footer>Imprint</footer>"


PAGES = {
    "documentation, 100 kB": documentation(110),
    "documentation, 1 MB": documentation(1_100),
    "hostile, '<a ' × 3 000": "<a " * 3_000,
    "hostile, '<!--' × 8 000": "<!--" * 8_000,
    "hostile, '<b>' × 10 000": "<b>" * 10_000,
    "hostile, '<div>' × 10 000": "<div>" * 10_000,
}


def seconds(action: Callable[[str], object], page: str, rounds: int) -> float:
    """Return the processor's time of the cheapest of some rounds, which other work on the machine disturbs least."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        action(page)
        taken.append(time.process_time() - start)
    return min(taken)


def bare(page: str) -> str:
    """Convert with html2text as it comes, but without wrapping."""
    return html2text.html2text(page, baseurl=PAGE, bodywidth=0)


async def through_the_pool(page: str) -> float:
    """Return the time on the clock of the shortest of some rounds through the process pool."""
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await convert(page, PAGE, timeout=60)
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print a line for each page."""
    print(f"{'page':28}{'html2text':>12}{'ours':>12}{'ratio':>8}{'in the pool':>13}{'ratio':>8}")
    for name, page in PAGES.items():
        rounds = 1 if name.startswith("hostile") else ROUNDS
        theirs = seconds(bare, page, rounds)
        ours = seconds(lambda html: html_to_markdown(html, PAGE), page, ROUNDS)
        pooled = asyncio.run(through_the_pool(page))
        print(
            f"{name:28}{theirs * 1000:10.1f}ms{ours * 1000:10.1f}ms{ours / theirs:8.2f}"
            f"{pooled * 1000:11.1f}ms{pooled / theirs:8.2f}"
        )
    close()


if __name__ == "__main__":
    main()
