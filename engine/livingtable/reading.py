"""Files that somebody named, read as text: never one that could be waited for without end, or that is too long."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import cast

_OPENED_ALREADY = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""What a shell puts in place of `<(command)`: a pipe, but one with somebody at its other end."""


class UnreadableError(Exception):
    """A file cannot be read; the text says why, without the file's name: `is a folder`."""


def read_text(file: Path, at_most: int, *, pipes: bool = False) -> str:
    """The text of a regular file in UTF-8, of so many bytes at most; a byte order mark at its start is left out.

    Raises `UnreadableError` for all else: a folder, a pipe, a device, a file that is too long, is none, is closed to us
    or holds no text. `pipes`: also what a shell has opened for `<(command)`.
    """
    try:
        return _content(file, at_most, pipes).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableError("cannot be read: it is no text in UTF-8") from None
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror or error}") from None
    except ValueError:  # a zero byte in the name
        raise UnreadableError("cannot be read: that is no name of a file") from None


def read_json(file: Path, at_most: int) -> tuple[object, list[str]]:
    """The value that a file holds, and the places of keys that stand in an object twice (`pieces[3].hex`), of which the
    value has the last.

    Raises `UnreadableError`, as `read_text` does, and where it is no JSON.
    """
    text = read_text(file, at_most)
    twice: list[str] = []
    try:
        return _plain(json.loads(text, object_pairs_hook=_Pairs), "", twice), twice
    except RecursionError:
        raise UnreadableError("is nested too deep") from None
    except json.JSONDecodeError as error:
        raise UnreadableError(f"is no JSON: {error}") from None
    except ValueError:
        raise UnreadableError("is no JSON that can be read: a number has more than 4,300 digits") from None


class _Pairs(list[tuple[str, object]]):
    """A JSON object as it stands in the text."""


def _plain(value: object, place: str, twice: list[str]) -> object:
    """The value with objects in place of pairs."""
    if isinstance(value, _Pairs):
        found: dict[str, object] = {}
        for key, each in value:
            here = f"{place}.{key}" if place else key
            if key in found:
                twice.append(here)
            found[key] = _plain(each, here, twice)
        return found
    if isinstance(value, list):
        return [_plain(each, f"{place}[{i}]", twice) for i, each in enumerate(cast(list[object], value))]
    return value


def _content(file: Path, at_most: int, pipes: bool) -> bytes:
    if not (pipes and str(file).startswith(_OPENED_ALREADY)):
        _check_kind(file.stat().st_mode)  # Before it is opened: to open a pipe is to wait for its other end.
    with file.open("rb") as stream:
        content = stream.read(at_most + 1)
    if len(content) > at_most:
        raise UnreadableError(f"is larger than {at_most / (1024 * 1024):g} MiB")
    return content


def _check_kind(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableError("cannot be read: Is a directory")
    if not stat.S_ISREG(mode):
        raise UnreadableError(f"cannot be read: it is {_kind(mode)}, not a file of text")


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
