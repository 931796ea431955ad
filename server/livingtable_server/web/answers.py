"""Answers as JSON."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse


def as_json(content: Any) -> str:
    """Compact, and in ASCII: whatever a text holds, half a surrogate pair too, it can be sent."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False)


class Answer(JSONResponse):
    def render(self, content: Any) -> bytes:
        return as_json(content).encode("ascii")
