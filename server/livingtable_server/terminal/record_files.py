"""Records in files: reading `.json` and `.jsonl`, writing one where nothing is lost by it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from livingtable.errors import RecordError
from livingtable.game import Data
from livingtable.reading import UnreadableError, read_text
from livingtable.records import read_record
from livingtable_server.settings import data_folder
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.held import partial_file

STDIN = "-"
FILE_BYTES_AT_MOST = 1024 * 1024 * 1024
"""A gigabyte: files of many records may be long."""


@dataclass(frozen=True, slots=True)
class RecordText:
    """One record, not yet read: `label` says where it stands (`games.jsonl:3`)."""

    label: str
    text: str

    def read(self) -> Data:
        """Raises `RecordError`."""
        return read_record(self.text)


def record_texts(source: str) -> Iterator[RecordText]:
    """The records of a file, or of stdin for `-`: one JSON document, or one on each line. Raises `RecordError`."""
    text = _text_of(source)
    label = "stdin" if source == STDIN else source
    if not _has_one_a_line(source, text):
        yield RecordText(label, text)
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield RecordText(f"{label}:{number}", line)


def chosen_record(source: str, number: int | None) -> Data:
    """The record of a file, or one of several by its number from 1 on. Raises `UseError`."""
    try:
        texts = list(record_texts(source))
    except RecordError as error:
        raise UseError(f"{source} cannot be read: {error}") from None
    if number is None and len(texts) > 1:
        raise UseError(f"{source} holds {len(texts)} records: say which with --record, from 1 to {len(texts)}.")
    chosen = number or 1
    if chosen > len(texts):
        raise UseError(f"{source} holds {len(texts)} records; there is no number {chosen}.")
    text = texts[chosen - 1]
    try:
        return text.read()
    except RecordError as error:
        raise UseError(f"{text.label} cannot be read: {error}") from None


def _text_of(source: str) -> str:
    try:
        if source != STDIN:
            return read_text(Path(source), FILE_BYTES_AT_MOST, pipes=True)
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnreadableError as error:
        raise RecordError(str(error).removeprefix("cannot be read: ")) from None
    except OSError as error:
        raise RecordError(error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise RecordError("it is no text in UTF-8") from None


def _has_one_a_line(source: str, text: str) -> bool:
    """By the file's name; of stdin, if its first line is a whole document and something follows."""
    if source != STDIN:
        return source.lower().endswith(".jsonl")
    first, _, rest = text.lstrip().partition("\n")
    if not rest.strip():
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def check_target(out: Path | None) -> None:
    """That a record can be written there, to be known before a game and not after it. Raises `UseError`."""
    if out is None:
        return
    if out.is_dir():
        raise UseError(f'--out names "{out}", which is a folder: name a file in it.')
    if not out.parent.is_dir():
        raise UseError(f'--out names a file in "{out.parent}", which is no folder: make it, or name another.')


def record_text(record: Data) -> str:
    """One line of ASCII, whatever names it holds."""
    return json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n"


def write_record(record: Data, out: Path | None = None) -> Path:
    """Writes it to that file, else to a new one in the user's data folder, and returns where that is.

    The file is there whole or not at all. Raises `UseError` where it cannot be written.
    """
    try:
        target = out or _new_file(record)
        with partial_file(target) as partial:
            partial.write_text(record_text(record), "ascii", newline="\n")
            partial.replace(target)
    except OSError as error:
        raise UseError(f"The record cannot be written ({error.strerror or error}): name a file with --out.") from None
    return target.absolute()


def _new_file(record: Data) -> Path:
    """`records/SCENARIO-SEED.json` in the user's data folder, with a number where there is one already."""
    folder = data_folder() / "records"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", str(record["scenario"].get("name", ""))).strip("-") or "game"
    stem = f"{name}-{record['seed']}"
    number = 1
    while True:
        file = folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json")
        try:
            file.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return file
