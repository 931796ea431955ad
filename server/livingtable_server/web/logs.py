"""The log: one JSON object a line on stderr, without session ids, room codes, player ids and tokens."""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from livingtable.game import Data
from livingtable_server.settings import DEBUG_VARIABLE
from livingtable_server.web.served import Served

OWN = ("livingtable", "livingtable_server")
"""Our loggers' names, or what they begin with before a full stop."""
_requests = logging.getLogger("livingtable.requests")
_FRAMES = 12
_LONG_WORD = re.compile(r"[\w-]{8,}")


class JsonLines(logging.Formatter):
    """`{"time", "level", "logger", "message", …}`, and of an exception its kind and where it was raised.

    What others' code says may repeat what a client sent, and so may the text of any exception: long words are taken
    out of the one, the other is left out, unless `LIVING_TABLE_DEBUG` asks for it.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: Data = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            "process": record.process,
            **getattr(record, "more", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line |= _fault(record.exc_info[1])
        return json.dumps(line, separators=(",", ":"))


def log_to_stderr(level: int = logging.INFO) -> None:
    """Everything that is logged goes there; what other libraries only mention is left out."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OWN:
        logging.getLogger(name).setLevel(level)


def log_request(served: Served) -> None:
    more = {
        "method": served.method,
        "route": served.route,
        "status": served.status,
        "ms": round(served.seconds * 1000, 1),
    }
    _requests.info("served", extra={"more": more})


def _message(record: logging.LogRecord) -> str:
    if _is_own(record) or _debugging():
        return record.getMessage()
    if record.args:
        return str(record.msg)  # The form, without what was put into it.
    return _LONG_WORD.sub(_shown, str(record.msg))


def _shown(word: re.Match[str]) -> str:
    """A word of a sentence; not what may be an id, a code or a token."""
    return word[0] if word[0].isalpha() and word[0].islower() and len(word[0]) <= 16 else "…"


def _is_own(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in OWN


def _fault(error: BaseException) -> Data:
    trace = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    where = [f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}" for frame in trace]
    fault: Data = {"error": type(error).__name__, "where": where}
    if _debugging():
        fault["text"] = str(error)
    return fault


def _debugging() -> bool:
    return os.environ.get(DEBUG_VARIABLE, "") not in ("", "0")
