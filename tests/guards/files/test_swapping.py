"""Whatever is swapped while it is opened, read, written or walked through: nothing leads out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from agent_tools.guards.files import opening, walking
from agent_tools.guards.files.errors import FileRefusedError
from agent_tools.guards.files.roots import Roots
from tests.fakes.roots import SECRET, names_in, outside, read, workspace, write

ROUNDS = 400


@contextmanager
def swapping(*turns: Callable[[], None]) -> Iterator[None]:
    """Take turns, as fast as it goes, until the block ends."""
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            for turn in turns:
                with suppress(OSError):
                    turn()

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(20)


def put(path: Path, make: Callable[[Path], object]) -> Callable[[], None]:
    """Return what puts something in a path's place in one step."""
    beside = path.with_name(path.name + ".beside")

    def turn() -> None:
        with suppress(OSError):
            beside.unlink()
        make(beside)
        beside.replace(path)

    return turn


def outcomes(work: Callable[[], object]) -> Sequence[object]:
    seen: list[object] = []
    for _ in range(ROUNDS):
        with suppress(FileRefusedError):
            seen.append(work())
    return seen


def test_a_file_swapped_for_a_link_is_never_followed(house: Roots) -> None:
    path = workspace(house) / "f"
    file = put(path, lambda beside: beside.write_bytes(b"mine"))
    link = put(path, lambda beside: beside.symlink_to(outside(house) / "secret"))
    with swapping(file, link):
        seen = outcomes(lambda: read(house, "f"))
        outcomes(lambda: write(house, "f"))
    assert set(seen) <= {b"mine", b"new", b""}
    assert (outside(house) / "secret").read_bytes() == SECRET


def test_a_folder_swapped_for_a_link_is_never_entered(house: Roots) -> None:
    home = workspace(house)
    real, aside = home / "d", home / "aside"
    real.mkdir()
    (real / "f").write_bytes(b"mine")

    def out() -> None:
        real.rename(aside)
        real.symlink_to(outside(house))

    def back() -> None:
        real.unlink()
        aside.rename(real)

    with swapping(out, back):
        seen = outcomes(lambda: read(house, "d/f"))
        outcomes(lambda: write(house, "d/g"))
        walked = outcomes(lambda: [entry.place.text for entry in walking.walk(house, house.find("workspace"))])
    assert set(seen) <= {b"mine"}
    assert names_in(outside(house)) == ["f", "secret"]
    assert not any("secret" in path for paths in walked for path in paths)  # type: ignore[attr-defined]


def test_readers_meet_a_whole_file_while_writers_replace_it(house: Roots) -> None:
    contents = [bytes([sign]) * 200_000 for sign in b"abc"]
    write(house, "f", contents[0])
    with swapping(*(lambda octets=octets: write(house, "f", octets) for octets in contents)):
        for _ in range(100):
            with opening.opened(house, house.find("f")) as file:
                octets = file.read(300_000)
            assert octets in contents
    assert names_in(workspace(house)) == ["f"]


def test_a_sparse_file_of_a_terabyte_is_opened_and_read_in_pieces(house: Roots) -> None:
    with (workspace(house) / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with opening.opened(house, house.find("sparse")) as opened:
        assert opened.size == 1 << 40
        assert opened.read(4, (1 << 40) - 2) == b"\0\0"
