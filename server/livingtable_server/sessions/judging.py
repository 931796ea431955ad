"""What becomes of a submitted action: refused in the order of the contract, recognised as a retry, or played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from livingtable.errors import Code, Refusal
from livingtable.game import Action, Data, State
from livingtable.notation import read_action
from livingtable.records import state_at
from livingtable_server.sessions import answers
from livingtable_server.sessions.answers import Detail
from livingtable_server.sessions.parameters import BOTH
from livingtable_server.sessions.seats import SeatError, speaking_side
from livingtable_server.sessions.session import BOT_ACTIONS_A_CALL, Session
from livingtable_server.sessions.work import check


@dataclass(frozen=True, slots=True)
class Submission:
    """An action as it was sent: a text or an action's object, None for neither, `BOTH` for both; for which seat, and
    after how many actions it was meant."""

    given: object
    side: str | None = None
    expected_version: int | None = None
    detail: Detail = "brief"


async def judge(session: Session, own: Sequence[str], submitted: Submission) -> Data | int:
    """The refusal, or the outcome of what was applied already; else plays the action and returns its number.

    `own` are the seats that the caller has. Needs the session's lock.
    """
    state, recording, expected = session.recording.state, session.recording, submitted.expected_version
    try:
        speaker = speaking_side(state, session.seats, own, submitted.side)
    except SeatError as error:
        return answers.refused(session, Code.NOT_YOUR_SEAT, str(error), None)
    if expected is not None and expected != session.version:
        repeated = await _repeated(session, [speaker] if submitted.side and speaker else own, submitted)
        if repeated is not None:
            return {**await told(session, own, repeated, submitted.detail), "repeated": True}
    if expected is not None and not recording.hidden_from <= expected <= session.version:
        return answers.refused(session, Code.STALE_VERSION, _why_stale(session, expected), speaker)
    if recording.result is not None:
        return answers.refused(session, Code.GAME_OVER, answers.why_idle(session, None), None)
    if session.open_sides:
        return answers.refused(session, Code.NOT_STARTED, answers.why_idle(session, None), None)
    if speaker is None or not state.legal_actions(speaker):
        return answers.refused(session, Code.NOT_YOUR_TURN, answers.why_idle(session, speaker), None)
    try:
        await session.play(speaker, _read(state, submitted.given, speaker))
    except Refusal as refusal:
        return answers.refused(session, refusal.code, refusal.reason, speaker)
    return session.version


async def told(session: Session, own: Sequence[str], version: int, detail: Detail) -> Data:
    """The outcome of the action of that number, now or later: the action, and the bots' turns that followed it in the
    same call."""
    actions = session.recording.actions
    end = version
    while end < len(actions) and end - version < BOT_ACTIONS_A_CALL and session.plays_in_call(actions[end]["side"]):
        end += 1
    events = [event for group in session.recording.events[version - 1 : end] for event in group]
    if end == session.version:
        return answers.outcome(session, own, session.recording.state, end, events, detail)
    state = await _state_at(session, end)
    return answers.outcome(session, own, state, end, events, detail)


def _read(state: State, given: object, side: str) -> Action:
    if given is None:
        raise Refusal(Code.MALFORMED_ACTION, 'give exactly one of "notation" and "action": neither is there')
    if given == BOTH:
        raise Refusal(Code.MALFORMED_ACTION, 'give exactly one of "notation" and "action": leave out "action"')
    if not isinstance(given, str | Mapping):
        raise Refusal(Code.MALFORMED_ACTION, '"action" must be a JSON object, "notation" a text')
    return read_action(state, cast("str | Mapping[str, Any]", given), side)


async def _repeated(session: Session, sides: Sequence[str], submitted: Submission) -> int | None:
    """The number of the action that was applied already, if this is a retry of it: the very side and action of number
    `expected_version` + 1, or where all choose at once of the round that was open then."""
    recording, expected = session.recording, submitted.expected_version or 0
    for number in range(expected + 1, recording.round_of(expected)[1] + 1 if expected < session.version else 0):
        stored = recording.actions[number - 1]
        if stored["side"] not in sides or not _might_say(submitted.given, recording.state, stored):
            continue
        before = await _state_at(session, number - 1)
        try:
            action = _read(before, submitted.given, stored["side"]).to_data()
        except Refusal:
            return None
        if action == stored["action"]:
            return number
    return None


async def _state_at(session: Session, version: int) -> State:
    """An earlier position, made by playing the game again, which may take a while."""
    record = session.recording.to_data()
    return await session.work.loads.run(lambda stop: state_at(record, version, lambda: check(stop)))


def _might_say(given: object, state: State, stored: Data) -> bool:
    """Whether what was sent has the parts of that action in it, in whatever writing. Only then the position is made
    again in which the action was played, by which it is read."""
    said = str(given).casefold()
    words = state.parse_action(stored["action"], stored["side"]).notation.casefold().split()
    values = [str(value).casefold() for value in stored["action"].values()]
    return all(word in said for word in words) or all(value in said for value in values)


def _why_stale(session: Session, expected: int) -> str:
    if expected > session.version:
        return f"the game is at version {session.version}, and not yet at that one: look at the state again"
    later = session.version - expected
    return f"the game is at version {session.version}, {later} beyond {expected}: look at the state again"
