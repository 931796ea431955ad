"""What a reader gets to see of a session: snapshots, legal lists, outcomes. The one place where it is filtered.

`brief` answers have a text `board` and short lines; `full` ones the state and actions as JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from livingtable.game import Action, Data, Game, Result, State, Told, beginning_with, legal_lines, printable
from livingtable_server.sessions.session import Session

Detail = Literal["full", "brief"]
EVENT_LINES_AT_MOST = 40
BOTS_TO_ACT = "bots are to act: wait_for_turn plays them on"
"""In one call bots play so many actions at most, and while somebody only reads they play none."""


def snapshot(session: Session, side: str | None, detail: Detail, since: int | None = None) -> Data:
    """A session as the seat (None: a spectator) sees it, with the events since a version if one is given, and with
    what the seat may do now."""
    return {"sessionId": session.session_id, **room_snapshot(session, side, detail, since)}


def room_snapshot(session: Session, side: str | None, detail: Detail, since: int | None = None) -> Data:
    """The same of a room's session, whose id is nobody's to know."""
    recording = session.recording
    state = recording.state
    data: Data = {
        "game": state.game.name,
        "scenario": recording.scenario["name"],
        "seed": None if seed_is_secret(session) else recording.seed,
        "version": session.version,
        "round": state.round,
        "phase": state.phase,
        "toAct": _to_act(session, state),
        "seats": [seat.to_data() for seat in session.seats],
        "result": _result(recording.result),
        **recording.marks,
        "side": side,
        **_position(session, state, side, detail),
    }
    if since is not None:
        data |= _events(state, recording.events_after(since), detail, own=[side] if side else [])
    if session.bots_to_act and not session.in_room:
        data["reason"] = BOTS_TO_ACT
    return data | _legal_now(session, side)


def introduction(session: Session) -> Data:
    """What who begins a game has to know once: its `goal`, and the `terms` that no board shows."""
    state = session.recording.state
    return {"goal": state.game.summary, **({"terms": state.terms} if state.terms else {})}


def legal_list(session: Session, side: str | None, detail: Detail, prefix: str | None = None) -> Data:
    """What a seat may do, and where that is nothing, why. With a prefix only what begins with it."""
    state = session.recording.state
    actions = every = _legal_actions(session, side)
    if prefix is not None:
        actions = beginning_with(every, prefix)
    data: Data = {"version": session.version, "toAct": _to_act(session, state), "side": side}
    if detail == "brief":
        data["legal"] = legal_lines(actions)
    else:
        data["actions"] = [action.to_data() for action in actions]
    if not every:
        data["reason"] = why_idle(session, side)
    elif not actions:
        data["reason"] = f'no legal action begins with "{printable(str(prefix)[:40])}"; without prefix all are listed'
    return data


def is_secret(session: Session) -> bool:
    """Whether the dice are withheld: in a room, as long as it is played."""
    return session.in_room and session.recording.result is None


def seed_is_secret(session: Session) -> bool:
    """Whether the seed is withheld as well. One that was given is not: who gave it knows it."""
    return is_secret(session) and "seedGiven" not in session.recording.marks


def why_idle(session: Session, side: str | None) -> str:
    """Why a seat, or none, has nothing to do."""
    result = session.recording.result
    if result is not None:
        return f"the game is over: {result.reason}"
    if session.open_sides:
        return _why_not_begun(session)
    more = f"; {BOTS_TO_ACT}" if session.bots_to_act and not session.in_room else ""
    if side is None:
        return f"none of your seats is to act; {', '.join(session.recording.state.to_act)} is{more}"
    return session.recording.state.why_idle(side) + more


def outcome(
    session: Session, own: Sequence[str], state: State, version: int, events: Sequence[Data], detail: Detail
) -> Data:
    """What an accepted action brought about, and what the caller may do next: `state` is the one of that version, to
    which the action and the bots' turns after it have led, `own` are the caller's seats.

    Where it is stale by now, `currentVersion` says how far the game has gone on, and nothing is given as legal.
    """
    data: Data = {"ok": True, **_progress(session, own, state, version, events, detail)}
    if version >= session.recording.hidden_from:
        return data
    data |= {"currentVersion": session.version, "reason": _gone_on(session)}
    return data | {"side": None, "legal" if detail == "brief" else "actions": []}


def waited(session: Session, own: Sequence[str], side: str, since: int, ready: bool, detail: Detail) -> Data:
    """The answer of a wait for a seat's turn."""
    state = session.recording.state
    data: Data = {"ready": ready} if ready else {"ready": False, "retryAfterSeconds": 1}
    events = session.recording.events_after(since)
    return data | _progress(session, own, state, session.version, events, detail, side)


def refused(session: Session, code: str, reason: str, side: str | None) -> Data:
    """A refusal: nothing has changed. The reason may repeat what the caller wrote: it is kept on one line."""
    data: Data = {
        "ok": False,
        "code": code,
        "reason": printable(reason),
        "version": session.version,
        "toAct": _to_act(session, session.recording.state),
    }
    return data | _legal_now(session, side)


def record(session: Session) -> Data:
    """The record, without the commands that are still hidden; in a room that is played, without the dice, without a
    seed that was drawn, and marked so."""
    record = session.recording.public_data()
    if is_secret(session):
        record |= {"redacted": True, "start": record["start"] | {"dice": None}}
    return record | ({"seed": None} if seed_is_secret(session) else {})


def _progress(
    session: Session,
    own: Sequence[str],
    state: State,
    version: int,
    events: Sequence[Data],
    detail: Detail,
    side: str | None = None,
) -> Data:
    """`side`: whose turn was waited for; else the first of the caller's seats that is to act."""
    result = session.recording.result if version == session.version else state.result
    to_act = [] if result or session.open_sides else list(state.to_act)
    if side is None or side not in to_act:
        side = next((s for s in to_act if s in own), None)
    actions = state.legal_actions(side) if side else ()
    reader = side or (own[0] if len(own) == 1 else None)
    told = _events(state, events, detail, own)
    data: Data = {"version": version, **told, "toAct": to_act, "result": _result(result), "side": side}
    data |= _position(session, state, reader, detail)
    if detail == "brief":
        data["legal"] = legal_lines(actions)
    else:
        data["actions"] = [action.to_data() for action in actions]
    if side is None and result is None:
        why = _why_not_begun(session) or state.why_idle(own[0]) or _why_waiting(state) if len(own) == 1 else ""
        bots = BOTS_TO_ACT if version == session.version and session.bots_to_act and not session.in_room else ""
        if why or bots:
            data["reason"] = "; ".join(part for part in (why, bots) if part)
    return data


def _gone_on(session: Session) -> str:
    look = "get_room_state" if session.in_room else "get_state"
    return f"that was applied before, and the game is now at version {session.version}: {look} shows it"


def _why_not_begun(session: Session) -> str:
    return f"the game has not begun; open seats: {', '.join(session.open_sides)}" if session.open_sides else ""


def _why_waiting(state: State) -> str:
    """For a seat that has chosen in a round that is still open."""
    return f"chosen, and replaceable until the round is resolved; {', '.join(state.to_act)} still to choose"


def _position(session: Session, state: State, side: str | None, detail: Detail) -> Data:
    """With the seconds that the open round has left, which the rules do not know."""
    clock = {} if session.seconds_left is None else {"secondsLeft": round(session.seconds_left, 1)}
    if detail == "brief":
        return {"board": state.board(side), **clock}
    return {"state": {**state.view(side), **clock}}


def _legal_now(session: Session, side: str | None) -> Data:
    """What the seat may do now, if anything; also one that has chosen but may choose anew."""
    actions = _legal_actions(session, side)
    return {"legal": legal_lines(actions)} if actions else {}


def _legal_actions(session: Session, side: str | None) -> Sequence[Action]:
    recording = session.recording
    if side is None or recording.result is not None or session.open_sides:
        return ()
    return recording.state.legal_actions(side)


def event_lines(game: Game, events: Sequence[Data], own: Collection[str]) -> list[str]:
    """Events as lines, at most 40: what concerns the reader's seats and is not routine comes before anything else, and
    what is routine and concerns others last; among equals the latest are kept."""
    told = game.told(events)
    if len(told) <= EVENT_LINES_AT_MOST:
        return [line.text for line in told]
    order = sorted(range(len(told)), key=lambda i: (_dispensable(game, told[i], own), -i))
    return [told[i].text for i in sorted(order[:EVENT_LINES_AT_MOST])]


def _dispensable(game: Game, line: Told, own: Collection[str]) -> int:
    routine = all(event["type"] in game.routine for event in line.events)
    concerned = any(side in game.concerned(event) for event in line.events for side in own)
    return routine + (not concerned)


def _events(state: State, events: Sequence[Data], detail: Detail, own: Collection[str]) -> Data:
    if detail == "full":
        return {"events": list(events)}
    lines = event_lines(state.game, events, own)
    data: Data = {"events": lines}
    omitted = len(state.game.describe(events)) - len(lines) if len(lines) == EVENT_LINES_AT_MOST else 0
    if omitted:
        data["eventsOmitted"] = omitted
        data["eventsSince"] = events[0]["version"] - 1
    return data


def _to_act(session: Session, state: State) -> list[str]:
    return [] if session.recording.result or session.open_sides else list(state.to_act)


def _result(result: Result | None) -> Data | None:
    return result.to_data() if result else None
