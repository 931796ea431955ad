"""Who has registered for the next game of the botWebWars lobby. Pure data, kept in the ledger as it stands here:
`{id, name, characterType, strength?, secret, seen}`, the hash of the token and when that was last used."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from livingtable.game import Data
from livingtable.names import taken_for
from livingtable_server.sessions.codes import hashed, matches
from livingtable_server.sessions.errors import ConflictError, TableError

PLAYERS_AT_LEAST, PLAYERS_AT_MOST = 2, 32
UNUSED_MINUTES = 30
"""After so long without a use of its token a registration makes way: whoever has lost the token cannot withdraw it."""
_NOTED_SECONDS = 60
"""Uses within this time are kept as one: who polls the lobby does not write into the store each time."""
_LETTERS = {"player": "p", "troll": "t"}
_IDS = [f"{letter}{number}" for letter in _LETTERS.values() for number in range(1, PLAYERS_AT_MOST + 1)]
_NOT_SHOWN = ("secret", "seen")


def in_use(players: Sequence[Data], now: datetime, token: str | None) -> list[Data]:
    """Those whose token was used lately; the one whose token that is has been used now. Of one that was kept by an
    older program, which noted no use, the time begins now."""
    oldest = now - timedelta(minutes=UNUSED_MINUTES)
    used = hashed(token) if token else None
    kept: list[Data] = []
    for player in players:
        seen = _seen(player, now)
        if seen <= oldest:
            continue
        if matches(used, player["secret"]) and now - seen >= timedelta(seconds=_NOTED_SECONDS):
            seen = now
        kept.append({**player, "seen": seen.isoformat()})
    return kept


def registered(players: Sequence[Data], player: Data, token: str, now: datetime) -> tuple[list[Data], str]:
    """With one player more, and its id: the lowest that is free of its kind. Raises `TableError`."""
    if len(players) >= PLAYERS_AT_MOST:
        raise ConflictError(
            f"The lobby is full: {PLAYERS_AT_MOST} have registered. Try again later: one whose token is not used for "
            f"{UNUSED_MINUTES} minutes makes way."
        )
    taken = {other["id"] for other in players}
    letter = _LETTERS[player["characterType"]]
    side = next(each for each in _IDS if each[0] == letter and each not in taken)
    mistaken = taken_for(player["name"], side, _IDS)
    if mistaken is not None:
        raise TableError(f'"name" must not be one that others would take for {mistaken}; choose another.')
    return [*players, {"id": side, **player, "secret": hashed(token), "seen": now.isoformat()}], side


def shown(player: Data) -> Data:
    """A player as everybody sees it."""
    return {key: value for key, value in player.items() if key not in _NOT_SHOWN}


def _seen(player: Data, now: datetime) -> datetime:
    """Not later than now: clocks are set back, and processes' clocks differ."""
    return min(now, datetime.fromisoformat(player["seen"])) if "seen" in player else now
