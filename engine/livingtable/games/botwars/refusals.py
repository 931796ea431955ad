"""Why a seat may not act, or may not do that: who, what, why."""

from __future__ import annotations

from livingtable.games.botwars.actions import Ally, Answer, Attack, BotwarsAction, Challenge, Move, Reward, Sleep
from livingtable.games.botwars.encounters import mandatory_foes
from livingtable.games.botwars.position import NOBODY, Position

FOES_SHOWN = 5


def why_idle(position: Position, side: str) -> str:
    """Why the seat may not act now, "" if it may."""
    i = position.cast.index.get(side)
    if i is None:
        return f"there is no seat {side[:40]!a}; the seats are {', '.join(position.cast.ids)}"
    if position.outcome is not None:
        return f"the game is over: {position.outcome.reason}"
    acting = position.deciding_now()
    if i == acting:
        return ""
    if not position.alive[i]:
        return f"{side} is dead and takes no turns"
    leader = position.leader[i]
    if leader not in (NOBODY, i):
        return f"{side} follows {position.cast.ids[leader]}, who decides for the party"
    return f"{side} waits: {position.cast.ids[acting]} is to act ({_open_decision(position)})"


def why_illegal(position: Position, action: BotwarsAction) -> str:
    """For a well-formed action that is not among the legal ones of the seat that is to act."""
    i = position.deciding_now()
    side = position.cast.ids[i]
    if position.offered_to != NOBODY:
        return f"{side} must answer the offer of {position.cast.ids[position.turn]}: accept or decline"
    if position.reward_open:
        return f"{side} beat {position.cast.wizard_name} and must choose: reward score, strength or health"
    foes = mandatory_foes(position, i)
    if foes:
        some = [position.cast.ids[j] for j in foes]
        near = ", ".join(some[:FOES_SHOWN]) + (f" and {len(some) - FOES_SHOWN} more" if len(some) > FOES_SHOWN else "")
        if isinstance(action, Attack):
            return f"{side} must attack one of the foes beside it ({near}), not {action.target[:40]!a}"
        return f"{side} must attack: a foe stands beside it ({near})"
    return f"{side} cannot {action.notation[:60]}: {_obstacle(position, i, action)}"


def _open_decision(position: Position) -> str:
    if position.reward_open:
        return "to choose a reward"
    return "it is its turn" if position.offered_to == NOBODY else "to answer an offer"


def _obstacle(position: Position, i: int, action: BotwarsAction) -> str:
    match action:
        case Move(to):
            return _why_no_move(position, i, to)
        case Ally(target):
            return _why_no_alliance(position, i, target)
        case Attack(target):
            return f"an attack needs a foe at distance 1, and {target[:40]!a} is none"
        case Challenge():
            return _why_no_challenge(position, i)
        case Answer():
            return "no alliance is offered to it"
        case Reward():
            return "it has won no challenge"
        case Sleep():
            return "only trolls sleep"
        case _:
            return "it is not among the legal actions"


def _why_no_move(position: Position, i: int, to: str) -> str:
    terrain, here = position.terrain, position.cell[i]
    cell = terrain.index.get(to)
    if cell is None:
        return f"the board goes from 0,0 to {terrain.names[-1]}"
    if cell == here:
        return "it stands there already"
    if terrain.distance(here, cell) > 1:
        return f"it stands at {terrain.names[here]} and moves one cell at a time"
    if not terrain.is_open[cell]:
        return "an obstacle is there"
    return f"{position.cast.ids[position.occupant[cell]]} is there"


def _why_no_alliance(position: Position, i: int, target: str) -> str:
    j = position.cast.index.get(target)
    if j is None:
        return f"there is no {target[:40]!a}"
    if j == i:
        return "one cannot ally with oneself"
    if position.is_troll(i) or position.is_troll(j):
        return "trolls never ally"
    if not position.alive[j]:
        return f"{target} is dead"
    if i in position.lines or position.leader[j] != NOBODY:
        return "only two solo players ally; whoever is in a party does not"
    return f"{target} stands at {position.terrain.names[position.cell[j]]}, not at distance 1"


def _why_no_challenge(position: Position, i: int) -> str:
    if position.is_troll(i):
        return "trolls cannot challenge the Wizard"
    if position.wizard_cell == NOBODY:
        return "there is no Wizard in this game"
    cell = position.terrain.names[position.wizard_cell]
    return f"{position.cast.wizard_name} is at {cell}, further than distance 1"
