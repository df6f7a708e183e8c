"""Emphasis, code, indices, quotations: spaces and marks where CommonMark reads them as meant."""

from __future__ import annotations

import pytest

from agent_tools.text.html.markdown import html_to_markdown

MEDIAWIKI = """<p style="display:none" class="mwe-math-mathml-inline"><math alttext="{\\displaystyle E=1}"></math></p>
<img src="/m.svg" class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=1}">"""


def markdown(html: str) -> str:
    return html_to_markdown(html, "https://example.org/", main_content=False).text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>hello</b>world", "**hello**world"),
        ("x<b> y </b>z", "x **y** z"),
        ("un<i>believ</i>able", "un*believ*able"),
        ("<i>a</i>b", "*a*b"),
        ("<i>a </i>b", "_a_ b"),
        ("<i>a</i> b", "_a_ b"),
        ("(<em>a</em>)", "(_a_)"),
        ("<b><i>both</i></b>", "**_both_**"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b>a<b>b</b></b>", "**ab**"),
        ("<b></b>x<b> </b>y<i></i>", "x y"),
        ("<b>a<br>b</b>", "**a  \nb**"),
        ("<b><br></b>x", "x"),
        ("a<b><br></b>x", "a  \nx"),
        ("<strong><p>block</p></strong>", "**block**"),
        ("<b>x</b> - y", "**x** - y"),
        ("<s>a</s> <del>b</del> <strike>c</strike>", "~~a~~ ~~b~~ ~~c~~"),
        ("<b>a</b><span hidden>h</span><b>b</b>", "**a** **b**"),
        ("<cite>Title</cite>, <dfn>word</dfn>", "_Title_, _word_"),
        ("<u>a</u> <ins>b</ins> <mark>c</mark> <small>d</small>", "a b c d"),
    ],
)
def test_emphasis_hugs_its_text(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<code>\nx\n</code>", "`x`"),
        ("<code>a  \n b</code>", "`a b`"),
        ("<code>a`b</code>", "``a`b``"),
        ("<code>`</code>", "`` ` ``"),
        ("<code>a</code><code>b</code>", "`a` `b`"),
        ("<code> a </code>b", "`a` b"),
        ("<code>a </code>.", "`a`."),
        ("<code></code>x", "x"),
        ("<code>*a* _b_ &lt;i&gt; \\</code>", "`*a* _b_ <i> \\`"),
        ("x\\<code>y</code>", "x\\\\`y`"),
        ("`<code>y</code>", "\\` `y`"),
        ("<a href=/x><code>f[0]</code></a>", "[`f[0]`](https://example.org/x)"),
        ("<code><a href=/x>f</a></code>", "[`f`](https://example.org/x)"),
        ("<code>see <a href=/x>f</a></code>", "`see f`"),
        ("<code>a\u00a0b\u200b</code>", "`a b`"),
    ],
)
def test_code_is_literal_and_closed(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("10<sup>6</sup>", "10^6"),
        ("m<sup>-2</sup>", "m^-2"),
        ("1<sup>st</sup> 2<sup>ème</sup>", "1st 2ème"),
        ("Name<sup>®</sup>", "Name®"),
        ("H<sub>2</sub>O", "H2O"),
        ("x<sub>i</sub>", "x_i"),
        ("<sup>a</sup>", "a"),
        ("a<sup>[1]</sup>", "a[1]"),
        ("e<sup>a <b>b</b></sup>", "ea **b**"),
        ("<ruby>東京<rt>とうきょう</rt></ruby>", "東京(とうきょう)"),
        ("<q>a <q>b</q></q>", "\"a 'b'\""),
        ("<q> a </q>b", '"a" b'),
        ('<abbr title="Long Name">LN</abbr>, <abbr title="Long Name">LN</abbr>', "LN (Long Name), LN"),
        ('<abbr title="LN">LN</abbr>', "LN"),
    ],
)
def test_what_is_raised_lowered_or_explained_keeps_its_meaning(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$H_0 = 1\,s$ and $x$", r"$H_0 = 1\,s$ and $x$"),
        ("from $5 to $10", "from $5 to $10"),
        ("$5-$10, US$6", "$5-$10, US$6"),
        ("a$ b$c_1$ d", "a$ b$c_1$ d"),
        (r"open \( only", r"open \\( only"),
    ],
)
def test_dollars_are_formulas_only_where_scripts_read_them_and_prices_never(text: str, expected: str) -> None:
    assert markdown(f"<script src=/katex.js></script><p>{text}</p>") == expected


def test_nested_raised_texts_cost_no_more_than_they_are_long() -> None:
    assert markdown("x" + "<sup>a<sub>b" * 60).startswith("x^a_b")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<math alttext="a &lt; b"><mi>a</mi></math>', r"$a \lt b$"),
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "$(a)/(b)$"),
        ("<math><msup><mi>c</mi><mn>2</mn></msup></math>", "$c^{2}$"),
        ("<math><msubsup><mi>c</mi><mn>1</mn><mn>2</mn></msubsup></math>", "$c_{1}^{2}$"),
        ("<math><msqrt><mi>c</mi></msqrt></math>", "$sqrt(c)$"),
        ("<math></math>x", "x"),
        ('<p><script type="math/tex">a_1</script>', "$a_1$"),
        ('<p><script type="math/tex; mode=display">a_1</script>', "$$a_1$$"),
        (r'<span class="math">\(x_1\)</span>', "$x_1$"),
        (r'<div class="math">\[x_1\]</div>', "$$x_1$$"),
        ('<span class="math">no formula</span>', "no formula"),
        (
            r'<script src="/MathJax.js"></script><p>Let \(x_1\) be \[y\] or $$z$$, 5$.</p>',
            "Let $x_1$ be\n\n$$y$$\n\nor\n\n$$z$$\n\n, 5$.",
        ),
        (MEDIAWIKI, "$E=1$"),
        (
            '<math alttext="](javascript:x) `&lt;img onerror=y>`\\"></math>',
            r"$] (javascript:x) '\lt img onerror=y\gt '$",
        ),
    ],
)
def test_formulas_are_tex_that_no_renderer_takes_for_markup(html: str, expected: str) -> None:
    assert markdown(html) == expected
