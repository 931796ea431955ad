"""The files of a tournament: lines of JSON, written whole or not at all."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from livingtable.errors import RecordError
from livingtable.game import Data

RECORDS, COMPRESSED = "records.jsonl", ".zst"
_PART = ".part"
MEND = "Put it back from a copy, or play anew into another folder."
"""What to do with a damaged file."""
_LEVEL, _LEVEL_PACKED = 6, 3


def line_of(data: Data) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def record_line(record: Data, compressed: bool) -> bytes:
    """A record as it stands in the journal: JSON, or that packed into one line of ASCII."""
    if not compressed:
        return line_of(record)
    import zstandard

    return base64.b85encode(zstandard.ZstdCompressor(_LEVEL_PACKED).compress(line_of(record))) + b"\n"


def journalled(file: Path) -> Iterator[tuple[bytes, bytes]]:
    """The games of a journal, each two lines: its row and its record, as `record_line` writes it."""
    lines = whole_lines(file)
    return zip(lines, lines, strict=False)  # Of the last one the record may be missing.


def unpacked(line: bytes) -> bytes:
    """The line of JSON that `record_line` has been given."""
    if line.startswith(b'{"'):
        return line
    import zstandard

    return zstandard.ZstdDecompressor().decompress(base64.b85decode(line.rstrip()))


def whole_lines(file: Path) -> Iterator[bytes]:
    """Those that were written to their end; of a file that is not there, none."""
    if file.is_file():
        with file.open("rb") as lines:
            yield from (line for line in lines if line.endswith(b"\n"))


def record_lines(folder: Path) -> Iterator[bytes]:
    """The records of a run, compressed or not. Raises `RecordError` where what is compressed was damaged."""
    packed = folder / (RECORDS + COMPRESSED)
    if not packed.is_file():
        yield from whole_lines(folder / RECORDS)
        return
    import zstandard

    with packed.open("rb") as raw:
        stream = cast(io.RawIOBase, zstandard.ZstdDecompressor().stream_reader(raw))
        try:
            yield from (line for line in io.BufferedReader(stream) if line.endswith(b"\n"))
        except zstandard.ZstdError as error:
            raise RecordError(f'"{packed}": {error}, so the file was damaged. {MEND}') from None


@contextmanager
def partial(file: Path) -> Generator[Callable[[bytes], object]]:
    """Gives a function that writes into a new file beside this one; `settle` puts it in its place."""
    with _part(file).open("wb") as raw:
        if file.suffix == COMPRESSED:
            import zstandard

            with zstandard.ZstdCompressor(_LEVEL).stream_writer(raw, closefd=False) as stream:
                yield stream.write
        else:
            yield raw.write


def settle(file: Path) -> None:
    """Puts what was written beside a file in its place, if there is such."""
    if _part(file).exists():
        _part(file).replace(file)


def _part(file: Path) -> Path:
    return file.with_name(file.name + _PART)
