"""Which part of a page is its content, what is hidden, what the reader is told about it."""

from __future__ import annotations

import pytest

from agent_tools.text.html.choose import HIDDEN_SHOWN, WHOLE_PAGE
from agent_tools.text.html.markdown import SCRIPTS_NEEDED, MarkdownResult, html_to_markdown

BODY = f"<p>{'The report explains what the crews said about it. ' * 8}</p>"


def convert(html: str, *, main_content: bool = True, limit: int = 100_000) -> MarkdownResult:
    return html_to_markdown(html, "https://example.org/", main_content=main_content, limit=limit)


@pytest.mark.parametrize(
    "chrome",
    [
        "<nav>LEAK</nav>",
        "<header><nav>LEAK</nav></header>",
        "<footer>LEAK</footer>",
        "<aside>LEAK</aside>",
        "<form><label>LEAK</label></form>",
        "<dialog open>LEAK</dialog>",
        "<button>LEAK</button>",
        "<search>LEAK</search>",
        *(
            f'<div role="{role}">LEAK</div>'
            for role in ("navigation", "contentinfo", "complementary", "search", "dialog")
        ),
        '<div id="cookie-banner">LEAK</div>',
        '<div class="cc consent-modal">LEAK</div>',
        '<section class="onetrust-consent-sdk">LEAK</section>',
        '<div class="share"><a href=/x>LEAK</a></div>',
        '<span class="mw-editsection">[<a href=/edit>LEAK</a>]</span>',
        '<span class="material-icons">LEAK</span>',
        '<div aria-hidden="true">LEAK</div>',
    ],
)
def test_the_site_around_a_page_is_left_out_unless_it_is_asked_for(chrome: str) -> None:
    assert "LEAK" not in convert(chrome + BODY).text
    if "material" not in chrome and "aria-hidden" not in chrome:
        assert "LEAK" in convert(chrome + BODY, main_content=False).text


@pytest.mark.parametrize(
    "content",
    [
        "<header><p>KEPT</p></header>",
        "<blockquote>Said<footer>KEPT</footer></blockquote>",
        '<aside class="admonition note">KEPT</aside>',
        '<aside role="note">KEPT</aside>',
        "<h2><button>KEPT</button></h2>",
        "<details><summary><button>KEPT</button></summary>x</details>",
        '<div role="banner"><h1>KEPT</h1></div>',
        '<div class="cookie-recipes">KEPT</div>',
        '<p hidden="until-found">KEPT</p>',
        '<p style="display:block">KEPT</p>',
        "<noscript>KEPT</noscript>",
        '<main role="main"><p>KEPT</p></main>',
    ],
)
def test_what_belongs_to_the_text_stays(content: str) -> None:
    assert "KEPT" in convert(content + BODY).text


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>LEAK</p>",
        '<p style="display:none">LEAK</p>',
        '<p style="color: red; DISPLAY : None !important">LEAK</p>',
        '<p style="display/* x */:none">LEAK</p>',
        '<p style="visibility:hidden">LEAK</p>',
        "<dialog>LEAK</dialog>",
        "<template>LEAK</template>",
        "<script>LEAK</script>",
        "<style>LEAK</style>",
        "<svg><title>LEAK</title><foreignObject><p>LEAK</p></foreignObject></svg>",
        "<iframe>LEAK</iframe>",
        "<object>LEAK</object>",
        "<select><option>LEAK</option></select>",
        "<input type=hidden value=LEAK>",
        "<!-- LEAK --><![CDATA[LEAK]]>",
        "<ul hidden><li>LEAK</li></ul>",
        "<table><tr><td hidden>LEAK</td><td>x</td></tr></table>",
        "\U000e004c\U000e0045\U000e0041\U000e004b",
    ],
)
def test_what_a_reader_could_not_see_is_not_shown(hidden: str) -> None:
    for main_content in (True, False):
        text = convert(BODY + hidden, main_content=main_content).text
        assert "LEAK" not in text
        assert "\U000e004c" not in text


def test_a_page_that_is_mostly_chrome_is_shown_whole_and_says_so() -> None:
    result = convert("<nav>Menu</nav><p>short</p>")
    assert result.text == "Menu\n\nshort"
    assert result.notes == (WHOLE_PAGE,)
    assert convert("<p>short</p>").notes == ()


def test_chrome_that_holds_most_of_the_text_is_content() -> None:
    assert "The report" in convert(f"<form><nav>LEAK</nav>{BODY}</form><p>tail</p>").text
    assert "LEAK" not in convert(f"<form><nav>LEAK</nav>{BODY}</form><p>tail</p>").text
    assert "The report" in convert(f'<body class="cookie-notice-open">{BODY}').text


def test_content_that_is_streamed_into_hidden_elements_is_found() -> None:
    result = convert(f'<div id="root"></div><div hidden id="S:0">{BODY}</div>')
    assert result.text.startswith("The report")
    assert result.notes == (HIDDEN_SHOWN,)


def test_a_page_that_needs_its_scripts_says_so() -> None:
    result = convert("<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>")
    assert SCRIPTS_NEEDED in result.notes
    assert SCRIPTS_NEEDED not in convert(f"{BODY}<p>Learn JavaScript</p>").notes


@pytest.mark.parametrize(
    ("html", "first"),
    [
        ("<title>T &amp; U</title><p>x</p>", "# T & U"),
        ("<title>Same\n page</title><h1>same <i>Page</i></h1>", "# same _Page_"),
        ("<title>Page | Site</title><h1>Page</h1>", "# Page | Site"),
        ('<meta property="og:title" content="Shared"><p>x</p>', "# Shared"),
        ("<title></title><p>x</p>", "x"),
        ("<p>x</p><svg><title>Drawn</title></svg>", "x"),
        ("<title># &lt;b&gt;*x*</title>", r"# # \<b>\*x\*"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_the_title_comes_first_unless_a_heading_says_it(html: str, first: str) -> None:
    assert convert(html).text.split("\n")[0] == first


def test_a_long_page_is_cut_between_paragraphs_with_a_note() -> None:
    result = convert("".join(f"<p>paragraph {number} with some words</p>" for number in range(200)), limit=1000)
    assert result.cut
    assert len(result.text) <= 1000
    assert result.text.endswith("with some words")
    assert "longer than 1000 characters" in result.notes[0]


def test_code_that_is_cut_is_closed_or_left_out() -> None:
    assert convert("<pre>" + "line of code\n" * 100, limit=200).text.endswith("\n```")
    assert convert(f"<p>word <code>{'x ' * 300}&lt;b&gt;</code></p>", limit=200).text == "word"


def test_surrogates_and_nul_do_no_harm() -> None:
    assert convert("<p>a\0b \ud800 \ud83d\ude00</p>").text == "ab \ufffd 😀"
