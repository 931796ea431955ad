"""foxhunt: bombs and a fox, all choose at once."""

from __future__ import annotations

from livingtable.game import Game, register
from livingtable.games.foxhunt.setup import FoxhuntSetup
from livingtable.games.foxhunt.start import start
from livingtable.games.foxhunt.state import FoxhuntState
from livingtable.games.foxhunt.text import ROUTINE, concerned, describe, tell

GAME = Game(
    name="foxhunt",
    title="Fox hunt",
    summary="The fox scores each round, more the longer it is; a hunter on its field after the moves is the fox from "
    "then on, and is put on a random field. Bombs paralyse and break walls. All choose at once; most points after the "
    "last round wins.",
    simultaneous=True,
    setup_model=FoxhuntSetup,
    start=start,
    restore=FoxhuntState.from_data,
    describe=describe,
    tell=tell,
    routine=ROUTINE,
    concerned=concerned,
)
FoxhuntState.game = GAME
register(GAME)
