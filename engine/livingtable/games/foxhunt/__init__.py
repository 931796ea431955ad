"""foxhunt: bombs and a fox, all choose at once."""

from __future__ import annotations

from livingtable.game import Game, register
from livingtable.games.foxhunt.setup import FoxhuntSetup
from livingtable.games.foxhunt.start import start
from livingtable.games.foxhunt.state import FoxhuntState
from livingtable.games.foxhunt.text import describe

GAME = Game(
    name="foxhunt",
    title="Fox hunt",
    summary="One is the fox and scores each round, more the longer; the others hunt it with bombs. All choose at once.",
    simultaneous=True,
    setup_model=FoxhuntSetup,
    start=start,
    restore=FoxhuntState.from_data,
    describe=describe,
)
FoxhuntState.game = GAME
register(GAME)
