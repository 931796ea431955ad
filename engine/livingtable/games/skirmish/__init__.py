"""skirmish: hexes and counters, castle against castle."""

from __future__ import annotations

from livingtable.game import Game, register
from livingtable.games.skirmish.setup import SkirmishSetup
from livingtable.games.skirmish.start import start
from livingtable.games.skirmish.state import SkirmishState
from livingtable.games.skirmish.text import ROUTINE, concerned, describe, tell

GAME = Game(
    name="skirmish",
    title="Skirmish",
    summary="Two armies on hexes: take the enemy's castle or destroy his army.",
    simultaneous=False,
    setup_model=SkirmishSetup,
    start=start,
    restore=SkirmishState.from_data,
    describe=describe,
    tell=tell,
    routine=ROUTINE,
    concerned=concerned,
)
SkirmishState.game = GAME
register(GAME)
