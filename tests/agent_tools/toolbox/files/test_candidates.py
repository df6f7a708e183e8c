"""What helps a model whose passage is not in the file."""

from __future__ import annotations

import pytest

from agent_tools.toolbox.files.candidates import advice

TEXT = 'def area(r):\n\treturn 3.14 * r ** 2\n\nprint("area is", area(2))\n'


@pytest.mark.parametrize(
    ("passage", "words"),
    [
        (
            "def area(r):\n    return 3.14 * r ** 2",
            "line 1, which differs only in indentation (the file has tabs there)",
        ),
        ("def area(r):  \n\treturn 3.14 * r ** 2", "only in blanks at the ends of lines:"),
        (
            "\n\n\nprint(“area is”, area(2))",
            "line 4, which differs only in empty lines at its beginning or end and typo",
        ),
        ("print('area is', area(2))", "only in single and double quotes:"),
        ('print("area\u00a0is", area(2))', "only in no-break or other special spaces:"),
        ('print("area is", area(２))', "only in signs that look alike (Unicode forms):"),
        ("def Area(r):", "only in upper and lower case:"),
        ('PRINT( "area is", area(2))', "only in upper and lower case and blanks or line breaks:"),
        ("     1\tdef area(r):\n     2\t\treturn 3.14 * r ** 2", "line numbers that read_file shows; leave them out"),
        ("def area(r):\n     2\t\treturn 3.14", "line numbers that read_file shows; leave them out"),
        ("def area(r):\r\n\treturn", "It holds CR LF"),
        ("def area… [2,000 more characters in this line]", "read_file's note that a line was cut"),
        ("def area(r):\\n\\treturn", "It holds backslash escapes"),
        ('print(\\"area is\\", area(2))', "It holds backslash escapes"),
        ("print(&quot;area is&quot;", "It holds HTML entities"),
        ("return 3.14159 * r ** 2", "line 2:\n     2\t\treturn 3.14 * r ** 2"),
        ("def area(r):\n\treturn 3.15 * r ** 2\n", "line 1, where line 2 is the first that differs:\n     1\tdef"),
        ("entirely different", "Nothing in the file resembles it; read the file again."),
        ("\n\n\n", "Nothing in the file resembles it; read the file again."),
    ],
)
def test_the_nearest_is_shown_with_what_differs(passage: str, words: str) -> None:
    assert words in advice(TEXT, passage)


def test_lines_are_numbered_as_read_file_does_whatever_ends_them() -> None:
    for end in ("\r\n", "\r"):
        assert "line 4, which differs only in upper" in advice(TEXT.replace("\n", end), "PRINT(")


def test_up_to_three_places_are_named_the_best_first() -> None:
    text = "x = one(1)\ny = two(22)\nx = one(12)\nz = 0\nx = one(3)\nx = one(4)"
    told = advice(text, "x = one(11)")
    assert told.count("line ") == 3
    assert told.startswith("The nearest is line 1:\n     1\tx = one(1)\nThen line 3:")


def test_of_a_long_passage_the_lines_around_the_first_that_differs_are_shown() -> None:
    lines = [f"step {n}: go on" for n in range(1, 101)]
    told = advice("\n".join(lines), "\n".join([*lines[9:59], "step 60: stop", *lines[60:70]]))
    assert "line 10, where line 60 is the first that differs:\n    59\tstep 59: go on\n    60\tstep 60" in told
    assert "[51 more lines]" in told


def test_in_a_very_long_line_the_place_is_found_by_a_rare_word() -> None:
    text = '{"key": 1}, ' * 100_000 + '{"needle": 5}' + ', {"key": 1}' * 100_000
    assert "line 1, which holds 'needle'" in advice(text, '{"needle": 6}')


def test_an_empty_file_is_said_to_be_empty() -> None:
    assert "empty" in advice("", "x")
