"""What a model is shown at a decision, by the factors of its variant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from livingtable.game import Data, State, legal_lines
from livingtable_server.experiments.cells import Variant
from livingtable_server.experiments.errors import ExperimentError
from livingtable_server.sessions.answers import event_lines

PICTURE_WIDTH = 768
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Observation:
    """`picture` is a PNG where the board is shown as one."""

    text: str
    picture: bytes | None = None


def observe(state: State, side: str, version: int, variant: Variant, events: Sequence[Data]) -> Observation:
    """The position as that seat sees it; `events` are those since its last decision."""
    parts = [f"version {version}; round {state.round}, phase {state.phase}; you: {side}"]
    if events:
        parts.append(_events(state, side, variant, events))
    picture = None
    match variant.board:
        case "text":
            parts.append(state.board(side))
        case "json":
            parts.append(f"state: {_json(state.view(side))}")
        case "picture":
            parts.append("The board is in the picture.")
            picture = as_png(state.svg(side))
    if variant.legal:
        parts.append(_legal(state, side, variant))
    return Observation("\n".join(parts), picture)


def _events(state: State, side: str, variant: Variant, events: Sequence[Data]) -> str:
    if variant.detail == "full":
        return f"events since your last decision: {_json(list(events))}"
    lines = event_lines(state.game, events, [side])
    omitted = len(state.game.describe(events)) - len(lines)
    head = ["since your last decision:"] + ([f"({omitted} events left out)"] if omitted else [])
    return "\n".join(head + lines)


def _legal(state: State, side: str, variant: Variant) -> str:
    actions = state.legal_actions(side)
    if variant.detail == "full":
        return f"legal: {_json([action.to_data() for action in actions])}"
    return "\n".join(["legal:", *legal_lines(actions)])


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def need_pictures() -> None:
    """Raises `ExperimentError` where the library for it is not installed."""
    try:
        import resvg_py  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        reason = "a picture needs one more library: pip install 'living-table[render]'"
        raise ExperimentError("", "factors.board", reason) from None


def as_png(svg: str) -> bytes:
    """Raises `ExperimentError` where the library for it is not installed."""
    need_pictures()
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=PICTURE_WIDTH, background="#ffffff"))
