"""Nothing but the roots exists for a tool, whatever a path says and whatever is swapped meanwhile."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from agent_tools.guards.files import walking
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.names import parts_of, quoted
from agent_tools.guards.files.roots import Roots
from tests.fakes.roots import SECRET, names_in, outside, read, workspace, write

TRAVERSALS = [
    "..",
    "../outside/secret",
    "workspace/../../outside/secret",
    "workspace/a/../../../outside/secret",
    "./../outside/secret",
    "/workspace/../outside/secret",
    "....//....//outside/secret",
    "..\\outside\\secret",
    "workspace/..",
    "~",
    "~root/.ssh/id_rsa",
    "workspace/~/secret",
    '"../outside/secret"',
    '"\\056\\056/outside/secret"',
    '"\\176root"',
    "a..b",
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_a_traversal_is_refused_as_text(house: Roots, path: str) -> None:
    with pytest.raises(FileRefusedError) as caught:
        read(house, path)
    assert caught.value.reason == "path_refused"
    with pytest.raises(FileRefusedError):
        write(house, path)


@pytest.mark.parametrize(
    "path",
    [
        "%2e%2e/outside/secret",
        "\uff0e\uff0e/outside/secret",
        "\u2024\u2024/outside/secret",
        "WORKSPACE/outside/secret",
        "outside/secret",
        "workspace\uff0foutside\uff0fsecret",
        "file:///outside/secret",
        "C:\\outside\\secret",
        "workspace/outside/secret\u200b",
    ],
)
def test_a_look_alike_is_a_name_that_does_not_exist(house: Roots, path: str) -> None:
    with pytest.raises(FileRefusedError) as caught:
        read(house, path)
    assert caught.value.reason in {"not_found", "outside_roots"}


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "//etc/passwd", "/", '"/etc/passwd"'])
def test_an_absolute_path_is_refused(house: Roots, path: str) -> None:
    with pytest.raises(FileRefusedError) as caught:
        read(house, path)
    assert caught.value.reason == "outside_roots"


@pytest.mark.parametrize("path", ["", "  ", "a\0b", "\ud800", "x" * 5_000, '"', '"a', '"\\q"'])
def test_what_is_no_path_is_refused(house: Roots, path: str) -> None:
    with pytest.raises(FileRefusedError) as caught:
        read(house, path)
    assert caught.value.reason == "path_refused"
    assert "path:" in caught.value.message


def test_links_that_lead_out_are_refused(house: Roots) -> None:
    home = workspace(house)
    (home / "file").symlink_to(outside(house) / "secret")
    (home / "folder").symlink_to(outside(house))
    (home / "fd").symlink_to("/proc/self/fd")
    (home / "root").symlink_to("/proc/self/root")
    (home / "loop").symlink_to("loop")
    (home / "chain").symlink_to("folder/secret")
    for path in ("file", "folder/secret", "chain", "fd/0", "root/etc/passwd", "loop"):
        with pytest.raises(FileRefusedError) as caught:
            read(house, path)
        assert caught.value.reason in {"outside_roots", "not_found", "changed", "path_refused"}, path
        with pytest.raises(FileRefusedError):
            write(house, path if "/" in path else f"{path}/x")
    assert (outside(house) / "secret").read_bytes() == SECRET
    assert names_in(outside(house)) == ["f", "secret"]


def test_links_within_the_roots_are_followed(house: Roots) -> None:
    write(house, "workspace/a/b.txt", b"text")
    (workspace(house) / "link").symlink_to("a/b.txt")
    (workspace(house) / "books").symlink_to(house.all[1].path)
    (house.all[1].path / "book").write_bytes(b"book")
    assert read(house, "link") == b"text"
    assert read(house, "workspace/books/book") == b"book"
    with pytest.raises(FileRefusedError) as caught:
        write(house, "workspace/books/book")
    assert caught.value.reason == "read_only"


def test_hard_links_pipes_sockets_and_devices_are_refused_at_once(house: Roots) -> None:
    home = workspace(house)
    os.link(outside(house) / "secret", home / "hard")
    os.mkfifo(home / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(home)
        try:
            listener.bind("socket")
        finally:
            os.chdir(here)
    (home / "zero").symlink_to("/dev/zero")
    reasons = {}
    for name in ("hard", "pipe", "socket", "zero"):
        with pytest.raises(FileRefusedError) as caught:
            read(house, name)
        reasons[name] = caught.value.reason
        with suppress(FileRefusedError):
            write(house, name)
    assert reasons == {"hard": "linked", "pipe": "not_a_file", "socket": "not_a_file", "zero": "outside_roots"}
    assert (outside(house) / "secret").read_bytes() == SECRET


def test_a_root_that_is_a_link_now_is_refused(house: Roots) -> None:
    home = workspace(house)
    home.rmdir()
    home.symlink_to(outside(house))
    with pytest.raises(FileRefusedError):
        read(house, "secret")


def test_names_with_newlines_and_bytes_are_shown_and_understood(house: Roots) -> None:
    name = b'a\nb\xff"\\c'
    (workspace(house) / os.fsdecode(name)).write_bytes(b"odd")
    [entry] = walking.walk(house, house.find("workspace"))
    assert entry.place.shown == '"workspace/a\\nb\\377\\"\\\\c"'
    assert read(house, entry.place.shown) == b"odd"
    assert parts_of(quoted("a b/ü")) == ("a b", "ü")


@pytest.mark.parametrize("name", ["a\nb", "tab\t", "back\\slash", "x" * 300, "bell\x07"])
def test_a_new_name_must_be_plain(house: Roots, name: str) -> None:
    with pytest.raises(FileRefusedError) as caught:
        write(house, f"workspace/{name}/x")
    assert caught.value.reason == "path_refused"
