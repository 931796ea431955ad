"""From a set-up and a seed to the position of version 0 (SK-5.2). Nothing is drawn: the seed is that of the dice."""

from __future__ import annotations

import re

from livingtable.dice import Dice
from livingtable.errors import Faults, ScenarioError
from livingtable.games.skirmish.kinds import ARCHER, KINDS, SIDES, Kind
from livingtable.games.skirmish.position import make_army
from livingtable.games.skirmish.rules import victory
from livingtable.games.skirmish.setup import PieceSetup, SkirmishSetup
from livingtable.games.skirmish.state import SkirmishState
from livingtable.games.skirmish.terrain import CRIMSON, IVORY, NOTHING, SIGNS, Terrain, terrain_of

_ID = re.compile(r"(ivory|crimson)-([KAWGOTDS])([1-9][0-9]?)")


def start(setup: SkirmishSetup, seed: int) -> SkirmishState:
    """Raises `ScenarioError` (without a source) where the parts of the set-up do not fit together."""
    faults = Faults()
    rows = _rows(setup.map, faults)
    ids = _ids(setup.pieces, faults)
    first = SIDES.index(setup.first_side)
    with faults:
        if setup.turn_limit is not None and setup.turn > setup.turn_limit:
            raise ScenarioError("", "turn", f"must not be above turnLimit {setup.turn_limit}")
    if not rows:
        faults.tell()  # Nothing can be placed where there is no map.
    terrain = terrain_of(rows)
    with faults:
        _check_castles(terrain)
    army = make_army(
        terrain,
        ids,
        tuple(KINDS[piece.kind] for piece in setup.pieces),
        tuple(SIDES.index(piece.side) for piece in setup.pieces),
        setup.turn_limit,
        first,
    )
    state = SkirmishState(terrain, army, Dice(seed, loaded=setup.dice.by_sides()))
    state.turn = setup.turn
    state.side = first if setup.side is None else SIDES.index(setup.side)
    state.leaderless = [setup.leaderless.ivory, setup.leaderless.crimson]
    _set_pieces(state, setup.pieces, faults)
    for side in (0, 1):
        if not state.occupied[side]:
            state.outcome = victory(1 - side, "army_destroyed")
    return state


def _rows(rows: list[str], faults: Faults) -> tuple[str, ...]:
    """Empty where the map is faulty."""
    of_map = Faults()
    for r, row in enumerate(rows):
        with of_map:
            if not 1 <= len(row) <= 100:
                raise ScenarioError("", f"map[{r}]", "must have 1 to 100 characters")
            strange = sorted(set(row) - set(SIGNS))
            if strange:
                raise ScenarioError("", f"map[{r}]", f"may hold . = F ^ ~ M I C and blanks only, not {strange[0]!a}")
    for sign, name in ((IVORY, "ivory"), (CRIMSON, "crimson")):
        with of_map:
            count = sum(row.count(sign) for row in rows)
            if count != 1:
                raise ScenarioError("", "map", f"must have exactly one {name} castle ({sign}); it has {count}")
    with faults:
        of_map.tell()
    if of_map:
        return ()
    width = max(len(row.rstrip(NOTHING)) for row in rows)
    return tuple(row[:width].ljust(width, NOTHING) for row in rows)


def _check_castles(terrain: Terrain) -> None:
    """Each castle must be reached from the other, other pieces aside (SK-5.2)."""
    ivory, crimson = terrain.castle
    ground = terrain.cheap | terrain.dear
    seen = edge = 1 << ivory
    while edge:
        edge = terrain.around(edge) & ground & ~seen
        seen |= edge
    if not seen >> crimson & 1:
        raise ScenarioError("", "map", "has no way from one castle to the other")


def _ids(pieces: list[PieceSetup], faults: Faults) -> tuple[str, ...]:
    """Given ids, else the kind's letter and the lowest number that is free on that side."""
    taken = {piece.id for piece in pieces if piece.id is not None}
    ids: list[str] = []
    for n, piece in enumerate(pieces):
        if piece.id is None:
            stem = f"{piece.side}-{piece.kind}"
            piece_id = next(f"{stem}{k}" for k in range(1, 100) if f"{stem}{k}" not in taken)
        else:
            piece_id = piece.id
            with faults:
                _check_id(piece, piece_id, f"pieces[{n}].id")
        with faults:
            if piece_id in ids:
                raise ScenarioError("", f"pieces[{n}].id", f'"{piece_id}" is taken by pieces[{ids.index(piece_id)}]')
        taken.add(piece_id)
        ids.append(piece_id)
    return tuple(ids)


def _check_id(piece: PieceSetup, piece_id: str, key: str) -> None:
    found = _ID.fullmatch(piece_id)
    if not found or found[1] != piece.side or found[2] != piece.kind:
        right = f"{piece.side}-{piece.kind}1"
        raise ScenarioError("", key, f'must be side-KINDnumber and agree with both, as "{right}"')


def _set_pieces(state: SkirmishState, pieces: list[PieceSetup], faults: Faults) -> None:
    for n, piece in enumerate(pieces):
        side, kind = state.army.sides[n], state.army.kinds[n]
        with faults:
            if piece.hp is not None and piece.hp > kind.hp:
                raise ScenarioError("", f"pieces[{n}].hp", f"must be at most {kind.hp}, the figure of a {kind.name}")
        with faults:
            _check_marks(piece, kind, f"pieces[{n}]", acting=side == state.side)
        with faults:
            h = _free_hex(state, piece.hex, side, f"pieces[{n}].hex")
            state.where.append(h)
            state.hp.append(piece.hp or kind.hp)
            state.moved.append(piece.moved)
            state.hexes_moved.append(piece.hexes_moved)
            state.attacks_made.append(piece.attacks_made)
            state.afraid.append(piece.afraid)
            state.occupant[h] = n
            state.occupied[side] |= 1 << h
    faults.tell()


def _free_hex(state: SkirmishState, text: str, side: int, key: str) -> int:
    terrain = state.terrain
    h = terrain.index.get(text)
    if h is None:
        raise ScenarioError("", key, f"{text} is no hex of the map")
    if not terrain.cost[h]:
        raise ScenarioError("", key, f"{text} is water or a mountain")
    if h in state.occupant:
        raise ScenarioError("", key, f"{text} is taken by {state.army.ids[state.occupant[h]]}")
    if h == terrain.castle[1 - side]:
        raise ScenarioError("", key, f"{text} is the enemy's castle: the game would be over")
    return h


def _check_marks(piece: PieceSetup, kind: Kind, place: str, acting: bool) -> None:
    """What a piece has done must be what it can have done in this turn (SK-R8)."""
    if not acting:
        for key, done in (("moved", piece.moved), ("attacksMade", piece.attacks_made)):
            if done:
                raise ScenarioError("", f"{place}.{key}", f"it is not {piece.side}'s turn, so it has done nothing yet")
    if piece.hexes_moved and not piece.moved:
        raise ScenarioError("", f"{place}.hexesMoved", "needs moved to be true")
    if piece.hexes_moved > kind.move:
        raise ScenarioError("", f"{place}.hexesMoved", f"must be at most {kind.move}, the move of a {kind.name}")
    if piece.attacks_made > 1 and (kind.letter != ARCHER or piece.moved):
        raise ScenarioError("", f"{place}.attacksMade", "must be at most 1, save of an Archer that has not moved")
    if piece.afraid and piece.moved:
        raise ScenarioError("", f"{place}.afraid", "must be false where moved is true: a move ends it")
    if piece.afraid and piece.attacks_made:
        raise ScenarioError("", f"{place}.afraid", "must be false where it has attacked: in fear it could not")
