"""Files and folders of one process or a few, that are known to be left over once all of these are gone.

Whoever uses one holds a lock on it, which the system takes away from a process that is killed. Where the system has no
such locks nothing counts as left over, and what a killed process leaves is the user's to remove.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_FOLDER = "living-table-workers-"


@contextmanager
def held(place: Path) -> Generator[bool]:
    """Beside others who hold it. Gives False where it is not there any more: somebody took it for left over."""
    if sys.platform == "win32":
        yield place.exists()
        return
    try:
        descriptor = os.open(place, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield _is_still(place, descriptor)
    finally:
        os.close(descriptor)


def is_left_over(place: Path) -> bool:
    """Whether it is there and nobody holds it."""
    if sys.platform == "win32":
        return False
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def shared_folder() -> Generator[Path]:
    """A new folder, empty and the user's alone, which is removed at the end. Those that killed processes have left are
    removed first."""
    for left in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        if _is_own(left):
            remove_left_over(left)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_FOLDER))
        with held(folder) as is_there:
            if not is_there:  # Another process that starts has found it before it was held.
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return


def remove_left_over(folder: Path) -> None:
    """Removes it with all that is in it, if nobody holds it."""
    if is_left_over(folder):
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def partial_file(target: Path, mode: int = 0o666) -> Generator[Path]:
    """An empty file beside the target, to be written and then put in the target's place; what is left of it at the end
    is removed. So are the parts that killed processes have left there."""
    for left in target.parent.glob(f".{_escaped(target.name)}.*"):
        if left.suffix[1:].isdecimal() and left.stem == f".{target.name}" and is_left_over(left):
            for part in (left, left.with_name(f"{left.name}-journal")):  # SQLite's, of a copy of a ledger.
                with suppress(OSError):
                    part.unlink()
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode))
    try:
        with held(partial):
            yield partial
    finally:
        with suppress(FileNotFoundError):
            partial.unlink()


def _is_still(place: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(place.stat(), os.fstat(descriptor))
    return False


def _is_own(place: Path) -> bool:
    if sys.platform == "win32":
        return False
    with suppress(OSError):
        return place.is_dir() and not place.is_symlink() and place.stat().st_uid == os.getuid()
    return False


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
