"""botwars: parties, trolls and a wizard on a grid."""

from __future__ import annotations

from livingtable.game import Game, State, register
from livingtable.games.botwars.setup import BotwarsSetup
from livingtable.games.botwars.start import start
from livingtable.games.botwars.state import BotwarsState
from livingtable.games.botwars.text import ROUTINE, describe, tell


def _group_sides(group: str, state: State) -> str | None:
    """`player` and `troll` name the first such seat."""
    if not isinstance(state, BotwarsState) or group not in ("player", "troll"):
        return None
    trolls = state.cast.trolls
    return next((side for side, troll in zip(state.sides, trolls, strict=True) if troll == (group == "troll")), None)


GAME = Game(
    name="botwars",
    title="Bot Wars",
    summary="Players, parties and trolls on a grid: ally, battle, absorb; whoever has the best score at the end wins.",
    simultaneous=False,
    setup_model=BotwarsSetup,
    start=start,
    restore=BotwarsState.from_data,
    describe=describe,
    tell=tell,
    routine=ROUTINE,
    group_sides=_group_sides,
)
BotwarsState.game = GAME
register(GAME)
