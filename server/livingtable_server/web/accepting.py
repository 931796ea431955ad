"""What a client would rather have, by its header `Accept` (RFC 9110, 12.5.1): a page or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

HTML, JSON = "text/html", "application/json"
_QUALITY = re.compile(r"q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)


def accepts_page(accept: str) -> bool:
    """Whether a page may be sent: also to who accepts anything, or does not say."""
    return quality(accept, HTML) > 0


def prefers_page(accept: str) -> bool:
    """Whether a page is wanted more than JSON, as by a browser. Who accepts anything wants both as much."""
    return quality(accept, HTML) > quality(accept, JSON)


def quality(accept: str, media_type: str) -> float:
    """From 0 (not accepted) to 1. The most exact of the ranges that fit decides; no header accepts anything."""
    ranges = [(len(name.replace("*", "")), q) for name, q in _ranges(accept) if _fits(name, media_type)]
    return max(ranges)[1] if ranges else 0.0


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    if not accept.strip():
        yield "*/*", 1.0
    for part in accept.split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        given = [found[1] for parameter in parameters if (found := _QUALITY.fullmatch(parameter))]
        yield name.lower(), float(given[0]) if given else 1.0


def _fits(name: str, media_type: str) -> bool:
    return name in ("*/*", media_type, f"{media_type.partition('/')[0]}/*")
