"""Answers as text, for the half of a tool result that hosts hand to the model as it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Answer = Mapping[str, Any]


def as_json(answer: Answer) -> str:
    """Compact JSON: the text of full answers."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def progress_text(answer: Answer) -> str:
    """An outcome, a refusal or the end of a wait, brief."""
    if answer.get("ok") is False:
        return refusal_text(answer)
    lines = [f"{_opening(answer)}; {_turn(answer)}"]
    lines += _event_lines(answer)
    lines.append(answer["board"])
    lines += _result_lines(answer)
    if "reason" in answer:
        lines.append(answer["reason"])
    return "\n".join(lines + _legal_lines(answer) + _cut_lines(answer))


def refusal_text(answer: Answer) -> str:
    lines = [f"refused ({answer['code']}): {answer['reason']}", f"nothing changed; {_turn(answer)}"]
    return "\n".join(lines + _legal_lines(answer) + _cut_lines(answer))


def snapshot_text(snapshot: Answer) -> str:
    """A snapshot, brief."""
    seats = ", ".join(
        f"{s['side']} {_quoted(s['name'])} {s['controller']}{_away(s)}"
        for s in snapshot.get("players", snapshot["seats"])
    )
    lines = [
        _whereabouts(snapshot),
        f"round {snapshot['round']}, phase {snapshot['phase']}; {_turn(snapshot)}",
        f"seats: {seats}",
    ]
    if "goal" in snapshot:
        lines.append(f"goal: {snapshot['goal']}")
    if "terms" in snapshot:
        lines.append(f"terms: {snapshot['terms']}")
    lines += _event_lines(snapshot)
    lines.append(snapshot["board"])
    lines += _result_lines(snapshot)
    if "reason" in snapshot:
        lines.append(snapshot["reason"])
    return "\n".join(lines + _legal_lines(snapshot) + _cut_lines(snapshot))


def _away(seat: Answer) -> str:
    return " away" if seat["controller"] != "open" and seat.get("present") is False else ""


def _whereabouts(snapshot: Answer) -> str:
    played = f"{snapshot['game']} {_quoted(snapshot['scenario'])}"
    if "room" in snapshot:
        room = snapshot["room"]
        begun = "" if room["started"] else ", not begun: seats are open"
        return f"room {room['roomCode']} {_quoted(room['name'])}: {played}{begun}{_chosen_seed(snapshot)}"
    return f"session {snapshot['sessionId']}: {played}, seed {snapshot['seed']}{_marks(snapshot)}"


def _chosen_seed(snapshot: Answer) -> str:
    """Of a room: whoever chose the seed may have tried the dice."""
    return f"; the room's maker chose the seed {snapshot['seed']}" if snapshot.get("seedGiven") else ""


def _marks(snapshot: Answer) -> str:
    """Whether the dice may have been tried in another game."""
    origin = snapshot.get("forkedFrom")
    dice = "the same" if origin and origin["sameDice"] else "new"
    fork = f"; a fork from version {origin['version']}, with {dice} dice" if origin else ""
    return fork + ("; forked with its dice while it was played" if snapshot.get("forked") else "")


def legal_text(answer: Answer) -> str:
    """A legal list, brief."""
    reason = [answer["reason"]] if "reason" in answer else []
    return "\n".join([_turn(answer), *_legal_lines(answer), *reason, *_cut_lines(answer)])


def _quoted(name: str) -> str:
    """A name that somebody wrote, in quotes out of which it cannot break."""
    return json.dumps(name, ensure_ascii=False)


def _opening(answer: Answer) -> str:
    if "ready" in answer:
        return "ready" if answer["ready"] else f"not yet: ask again in {answer['retryAfterSeconds']} s"
    return "ok, applied before: the same outcome again" if answer.get("repeated") else "ok"


def _turn(answer: Answer) -> str:
    """Of several who choose at once a reader that is among them needs to know no more than that."""
    to_act, side = answer["toAct"], answer.get("side")
    if side in to_act and len(to_act) > 1:
        return f"version {answer['version']}; to act: {side} (you) and {len(to_act) - 1} more"
    told = f"to act: {', '.join(to_act)}" if to_act else "nobody is to act"
    yours = f"; you: {side}" if side else ""
    return f"version {answer['version']}; {told}{yours}"


def _event_lines(answer: Answer) -> list[str]:
    events: Sequence[str] = answer.get("events", ())
    if "eventsOmitted" not in answer:
        return list(events)
    how = f'get_state {{"sinceVersion": {answer["eventsSince"]}, "detail": "full"}} has them'
    return [f"({answer['eventsOmitted']} events left out; {how})", *events]


def _legal_lines(answer: Answer) -> list[str]:
    legal: Sequence[str] = answer.get("legal", ())
    return ["legal:", *legal] if legal else []


def _cut_lines(answer: Answer) -> list[str]:
    return [f"(cut: {sentence})" for sentence in answer.get("cut", ())]


def _result_lines(answer: Answer) -> list[str]:
    result = answer["result"]
    if result is None:
        return []
    rows = [_ranked(row) for row in result["ranking"]]
    winners = ", ".join(result["winners"]) or "nobody"
    extra = [f"{k}: {', '.join(v)}" for k, v in result.items() if k not in ("reason", "winners", "ranking")]
    return [f"GAME OVER: {result['reason']}; winners: {winners}", *extra, *rows]


def _ranked(row: Mapping[str, Any]) -> str:
    """A row of the ranking: place, side, name, score, and what its game adds, which may part equal scores."""
    more = [
        f"{k} {json.dumps(v, ensure_ascii=False)}"
        for k, v in row.items()
        if k not in ("place", "side", "name", "score")
    ]
    return ", ".join([f"{row['place']}. {row['side']} {_quoted(row['name'])} {row['score']}", *more])
