from __future__ import annotations

from typing import Any

import pytest

from agent_tools.text.masking import MASK, is_secret_name, mask_credentials, mask_json, mask_text


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "proxy-authorization",
        "Cookie",
        "Set-Cookie",
        "X-Api-Key",
        "apiKey",
        "api_key",
        "OPENAI_API_KEY",
        "access_token",
        "X-Auth-Token",
        "refreshToken",
        "client_secret",
        "password",
        "PASSWD",
        "db.password",
    ],
)
def test_names_of_secrets_are_known_in_any_spelling(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["url", "author", "key", "keyword", "cookiecutter", "monkey", "path", "Accept", "pass"]
)
def test_ordinary_names_are_left_alone(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("given", "masked"),
    [
        ("https://user:hunter2@example.org/x", f"https://user:{MASK}@example.org/x"),
        ("ftp://u:p@ss:w@host", f"ftp://u:{MASK}@host"),
        ("postgres://:hunter2@db/x", f"postgres://:{MASK}@db/x"),
        ("https://ghp_0123456789abcdef@example.org/x", f"https://{MASK}@example.org/x"),
        ("git+ssh://git@example.org/x", "git+ssh://git@example.org/x"),
        ("https://example.org/a@b/0123456789abcdef@c", "https://example.org/a@b/0123456789abcdef@c"),
        ("Authorization: Bearer abc\nAccept: x", f"Authorization: {MASK}\nAccept: x"),
        ("curl -H 'X-Api-Key: abc' host", f"curl -H 'X-Api-Key: {MASK}' host"),
        ("Set-Cookie: a=b; Path=/", f"Set-Cookie: {MASK}"),
        ('{"Authorization": "Basic x", "Accept": "y"}', f'{{"Authorization": "{MASK}", "Accept": "y"}}'),
        ("use Bearer eyJhbGciOi.J9.x-1", f"use Bearer {MASK}"),
    ],
)
def test_credentials_in_text_are_masked(given: str, masked: str) -> None:
    assert mask_credentials(given) == masked


@pytest.mark.parametrize(
    ("given", "masked"),
    [
        ("https://x.org/?q=1&api_key=abc#f", f"https://x.org/?q=1&api_key={MASK}#f"),
        ("https://x.org/?key=abc&sig=d", f"https://x.org/?key={MASK}&sig={MASK}"),
        ("https://x.org/?X-Amz-Security-Token=abc&a=b", f"https://x.org/?X-Amz-Security-Token={MASK}&a=b"),
        (
            "/s3/x?X-Amz-Signature=abc&X-Amz-Expires=9&Signature=d",
            f"/s3/x?X-Amz-Signature={MASK}&X-Amz-Expires=9&Signature={MASK}",
        ),
        ("/callback#access_token=abc&state=x", f"/callback#access_token={MASK}&state=x"),
        ("password=hunter2&user=a", f"password={MASK}&user=a"),
        ('{"user": "me", "password": "hun\\"ter2"}', f'{{"user": "me", "password": "{MASK}"}}'),
    ],
)
def test_secrets_in_addresses_and_written_out_json_are_masked(given: str, masked: str) -> None:
    assert mask_text(given) == masked


@pytest.mark.parametrize(
    "plain",
    [
        "https://example.org/a:b@c?keyword=x&page=2",
        "a basic understanding of bearers",
        "mail me@example.org at 10:30",
        "the password is what you need",
        'say "token": no',
    ],
)
def test_ordinary_text_stays(plain: str) -> None:
    assert mask_text(plain) == plain


@pytest.mark.parametrize(
    ("given", "masked"),
    [
        (
            {"headers": {"Authorization": "Bearer x", "Accept": "y"}},
            {"headers": {"Authorization": MASK, "Accept": "y"}},
        ),
        ({"cookies": {"a": "b"}}, {"cookies": MASK}),
        ({"headers": [["Cookie", "a=b"], ["Accept", "y"]]}, {"headers": [["Cookie", MASK], ["Accept", "y"]]}),
        ([{"name": "X-Api-Key", "value": "x"}], [{"name": "X-Api-Key", "value": MASK}]),
        ({"max_tokens": 500, "token": "x", "password": 1234}, {"max_tokens": 500, "token": MASK, "password": MASK}),
        ({"use_token": True, "secret": None, "password": ""}, {"use_token": True, "secret": None, "password": ""}),
        ({"deep": [{"er": ["https://u:p@h/"]}]}, {"deep": [{"er": [f"https://u:{MASK}@h/"]}]}),
        (5, 5),
    ],
)
def test_json_is_masked_by_its_names_and_in_its_texts(given: Any, masked: Any) -> None:
    assert mask_json(given) == masked


def test_long_texts_are_masked_in_reasonable_time() -> None:
    for part in ["a.", "://", "x:", '"a":"', "Authorization", "&a=", "bearer ", '"\\', "basic 1"]:
        mask_text(part * 200_000)
