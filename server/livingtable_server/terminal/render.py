"""`living-table render`: a record as a picture that moves, or as one that does not."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.progress import track

from livingtable.errors import RecordError, Refusal
from livingtable.game import Data
from livingtable.records import ended_in_words
from livingtable_server.sessions.animation import animated
from livingtable_server.sessions.frames import moments, picture_of
from livingtable_server.terminal.display import one_line
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.held import partial_file
from livingtable_server.terminal.record_files import chosen_record

if TYPE_CHECKING:  # They are an extra.
    from PIL import Image

T = TypeVar("T")
KINDS = (".gif", ".png", ".svg")
LAST_SECONDS = 3.0
WIDTH = 960
"""Pixels, where nobody says otherwise and the picture is not narrower."""
_COLORS = 64
_PAPER = "#ffffff"


def render_file(source: str, out: Path, number: int | None, at: int | None, seconds: float, width: int | None) -> None:
    """Writes the picture; its kind is told from the name of the file. `at`: only the board after so many actions."""
    if out.suffix.lower() not in KINDS:
        raise UseError(f'"{out.name}" must end with .gif, .png or .svg: what is written is told from that.')
    record = chosen_record(source, number)
    steps = len(record["actions"]) + 1 if at is None else 1
    pictures = list(_told(_pictures(record, at), steps, "Replaying"))
    content = _content(pictures, out.suffix.lower(), seconds, width)
    try:
        with partial_file(out) as partial:
            partial.write_bytes(content)
            partial.replace(out)
    except OSError as error:
        raise UseError(f"{out} cannot be written: {error.strerror or error}") from None
    frames = "1 picture" if len(pictures) == 1 else f"{len(pictures)} pictures"
    forfeit = f"; {ended_in_words(record)}" if ended_in_words(record) else ""
    said = one_line(f"{out}: {frames}, {len(content) / 1000:.0f} kB{forfeit}")
    Console(stderr=True).print(said, highlight=False, markup=False)


def _told(pictures: Iterable[T], count: int, doing: str) -> Iterator[T]:
    """How many there are of how many, meanwhile, at a terminal."""
    console = Console(stderr=True)
    yield from track(pictures, doing, total=count, console=console, transient=True, disable=not console.is_terminal)


def moving_picture(record: Data, seconds: float = 0.5) -> str:
    """A whole record as SVG."""
    return _content(list(_pictures(record, None)), ".svg", seconds, None).decode()


def _pictures(record: Data, at: int | None) -> Iterator[str]:
    """The board at every moment, or at one alone, as SVG."""
    last = len(record["actions"])
    if at is not None and at > last:
        raise UseError(f"--at must be at most {last}, the record's last action.")
    try:
        wanted = None if at is None else max(m.version for m in moments(record) if m.version <= at)
        for moment in moments(record):
            if wanted is None or moment.version == wanted:
                yield picture_of(moment)
            if moment.version == wanted:
                return
    except (RecordError, Refusal) as error:
        raise UseError(f"The record cannot be replayed: {error}") from None


def _content(pictures: list[str], kind: str, seconds: float, width: int | None) -> bytes:
    if kind == ".svg":
        return (animated(pictures, seconds) if len(pictures) > 1 else pictures[0]).encode()
    images = _pixels(pictures, width)
    times = [round(seconds * 1000)] * (len(pictures) - 1) + [round(LAST_SECONDS * 1000)]
    written = io.BytesIO()
    first = next(images)
    rest = images if kind == ".gif" else list(images)  # Of a PNG all are looked at before any is written.
    moving = {"save_all": True, "append_images": rest, "duration": times, "loop": 0} if len(pictures) > 1 else {}
    first.save(written, kind[1:], optimize=kind == ".gif", **moving)
    return written.getvalue()


def _pixels(pictures: list[str], width: int | None) -> Iterator[Image.Image]:
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise UseError(
            "For .gif and .png two more libraries are needed: pip install 'living-table[render]'; .svg needs none."
        ) from None
    wide = width or min(_width_of(pictures[0]), WIDTH)
    for picture in _told(pictures, len(pictures), "Drawing"):
        png = resvg_py.svg_to_bytes(svg_string=picture, width=wide, background=_PAPER)
        yield Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLORS, Image.Quantize.FASTOCTREE)


def _width_of(picture: str) -> int:
    found = re.search(r'width="(\d+)"', picture)
    return int(found[1]) if found else WIDTH
