"""Registration: from a set-up and a seed to the position of version 0 (BW-0.5).

What is not given is drawn from the seed in this order: the map's obstacles, missing strengths, missing cells, the
wizard's cell. A cell that is given to the wizard is taken before any is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from livingtable.dice import Dice
from livingtable.errors import Faults, ScenarioError
from livingtable.games.botwars.maps import generate_map
from livingtable.games.botwars.position import NOBODY, Cast
from livingtable.games.botwars.setup import BotwarsSetup, CharacterSetup, GeneratedMap
from livingtable.games.botwars.state import BotwarsState
from livingtable.games.botwars.terrain import FOREST, MOUNTAIN, OPEN, Terrain, terrain_of
from livingtable.games.botwars.turns import ending, first_decider, result_of

WIZARD_NAMES = {"full": "Gary the Wizard", "classic": "the Wizard"}
PLAYER_STRENGTH, TROLL_STRENGTH = (10, 30), (30, 50)
SPACIOUS_TRIES = 20
PACKINGS_TRIED_AT_MOST = 2_000


def start(setup: BotwarsSetup, seed: int) -> BotwarsState:
    """Raises `ScenarioError` (without a source) where the parts of the set-up do not fit together."""
    dice = Dice(seed, loaded=setup.dice.by_sides())
    faults = Faults()
    trolls = [_is_troll(c, i, setup.ruleset, faults) for i, c in enumerate(setup.characters)]
    ids = _ids(setup.characters, trolls, faults)
    state = BotwarsState()
    state.dice = dice
    rows = _rows(setup, dice, faults)
    state.cast = Cast(
        ids=ids,
        names=tuple(c.name or side for c, side in zip(setup.characters, ids, strict=True)),
        trolls=tuple(trolls),
        index={side: i for i, side in enumerate(ids)},
        names_by_id={side: c.name or side for c, side in zip(setup.characters, ids, strict=True)},
        classic=setup.ruleset == "classic",
        max_rounds=setup.max_rounds,
        wizard_name=WIZARD_NAMES[setup.ruleset],
        wizard_roams=setup.wizard_roams,
    )
    _set_figures(state, setup, faults)
    if not rows:
        faults.tell()  # Nothing can be placed where there is no map.
    state.terrain = terrain_of(rows)
    state.strength = [
        c.strength or _draw_strength(troll, dice) for c, troll in zip(setup.characters, trolls, strict=True)
    ]
    with faults:
        _set_wizard(state, setup)
    _set_cells(state, setup.characters, faults)
    _draw_wizard(state, setup)
    _set_parties(state, setup, faults)
    _set_turn(state, setup)
    return state


def _is_troll(character: CharacterSetup, i: int, ruleset: str, faults: Faults) -> bool:
    kinds = {character.character_type, character.piece_type} - {None}
    with faults:
        if len(kinds) > 1:
            raise ScenarioError("", f"characters[{i}].pieceType", "must be the same as characterType")
        if kinds == {"troll"} and ruleset == "classic":
            raise ScenarioError("", f"characters[{i}].characterType", "the ruleset classic has no trolls")
    return kinds == {"troll"}


def _ids(characters: Sequence[CharacterSetup], trolls: Sequence[bool], faults: Faults) -> tuple[str, ...]:
    ids: list[str] = []
    counts = {True: 0, False: 0}
    for i, (character, troll) in enumerate(zip(characters, trolls, strict=True)):
        counts[troll] += 1
        side = character.id or f"{'t' if troll else 'p'}{counts[troll]}"
        with faults:
            if side in ids:
                raise ScenarioError("", f"characters[{i}].id", f'"{side}" is taken by characters[{ids.index(side)}]')
        ids.append(side)
    return tuple(ids)


def _rows(setup: BotwarsSetup, dice: Dice, faults: Faults) -> tuple[str, ...]:
    """Empty where the map is faulty."""
    if isinstance(setup.map, GeneratedMap):
        permille = round(setup.map.obstacles * 1000)
        return generate_map(setup.map.width, setup.map.height, permille, dice)
    rows = tuple(setup.map)
    of_map = Faults()
    for y, row in enumerate(rows):
        with of_map:
            _check_row(row, y, len(rows[0]))
    with of_map:
        if not any(OPEN in row for row in rows):
            raise ScenarioError("", "map", "has no open cell")
    with faults:
        of_map.tell()
    return () if of_map else rows


def _check_row(row: str, y: int, width: int) -> None:
    if not 1 <= len(row) <= 100:
        raise ScenarioError("", f"map[{y}]", "must have 1 to 100 characters")
    if len(row) != width:
        raise ScenarioError("", f"map[{y}]", f"has {len(row)} characters, the first row has {width}")
    strange = sorted(set(row) - {OPEN, MOUNTAIN, FOREST})
    if strange:
        raise ScenarioError("", f"map[{y}]", f"may hold . M F only, not {strange[0]!a}")


def _draw_strength(troll: bool, dice: Dice) -> int:
    low, high = TROLL_STRENGTH if troll else PLAYER_STRENGTH
    return low + dice.below(high - low + 1)


def _set_figures(state: BotwarsState, setup: BotwarsSetup, faults: Faults) -> None:
    """Health, score, life. The maximum is the health at registration, if nothing else is said (BW-0.5)."""
    state.score = [c.score for c in setup.characters]
    state.alive = [c.alive for c in setup.characters]
    state.health, state.max_health = [], []
    for i, c in enumerate(setup.characters):
        with faults:
            health, maximum = _figures(c, f"characters[{i}]", setup)
            state.health.append(health)
            state.max_health.append(maximum)
    state.living_trolls = sum(a and t for a, t in zip(state.alive, state.cast.trolls, strict=True))
    state.living_players = sum(state.alive) - state.living_trolls
    with faults:
        if not any(state.alive):
            raise ScenarioError("", "characters", "at least one must be alive")


def _figures(c: CharacterSetup, place: str, setup: BotwarsSetup) -> tuple[int, int]:
    """Health and its maximum."""
    if not c.alive:
        if setup.ruleset == "classic":
            raise ScenarioError("", f"{place}.alive", "nobody dies in the ruleset classic")
        if c.health:
            raise ScenarioError("", f"{place}.health", "must be 0 or left out: the character is dead")
        return 0, c.max_health or setup.health
    health = c.health if c.health is not None else min(setup.health, c.max_health or setup.health)
    maximum = c.max_health if c.max_health is not None else (health or setup.health)
    if health == 0 and setup.ruleset == "full":
        raise ScenarioError("", f"{place}.health", "must be above 0 (BW-7.1)")
    if health > maximum:
        raise ScenarioError("", f"{place}.health", f"must not be above maxHealth {maximum / 10}")
    return health, maximum


def _set_cells(state: BotwarsState, characters: Sequence[CharacterSetup], faults: Faults) -> None:
    state.cell = [NOBODY] * len(characters)
    state.occupant, state.occupied = {}, 0
    for i, c in enumerate(characters):
        if c.position is not None:
            with faults:
                _place(state, i, c.position, alive=c.alive)
    faults.tell()  # For what is drawn depends on what is given.
    unplaced = [i for i, c in enumerate(characters) if c.alive and c.position is None]
    for i, cell in zip(unplaced, _draw_cells(state, len(unplaced)), strict=True):
        state.cell[i] = cell
        _occupy(state, i, cell)


def _place(state: BotwarsState, i: int, position: str, *, alive: bool) -> None:
    cell = _open_cell(state.terrain, position, f"characters[{i}].position")
    state.cell[i] = cell
    if alive:
        if cell in state.occupant:
            other = state.cast.ids[state.occupant[cell]]
            raise ScenarioError("", f"characters[{i}].position", f"{position} is taken by {other}")
        _occupy(state, i, cell)


def _open_cell(terrain: Terrain, text: str, key: str) -> int:
    cell = terrain.index.get(text)
    if cell is None:
        raise ScenarioError("", key, f"{text} is off the map, which goes from 0,0 to {terrain.names[-1]}")
    if not terrain.is_open[cell]:
        raise ScenarioError("", key, f"{text} is an obstacle")
    return cell


def _occupy(state: BotwarsState, i: int, cell: int) -> None:
    state.occupant[cell] = i
    state.occupied |= 1 << cell


def _draw_cells(state: BotwarsState, count: int) -> list[int]:
    """Random free cells, no two within distance 1 of each other where the map allows it, nor of those placed.

    Each is drawn from the roomy cells that are left. If they run out, all are drawn again, 20 times at the most, then
    an arrangement is searched for. If there is none, those placed are disregarded; then the last ones take any cells.
    """
    free = state.free_bits()
    if free.bit_count() < count:
        raise ScenarioError("", "characters", "the map has too few open cells for them")
    cells: list[int] = []
    for roomy in (free & ~state.crowded_bits(), free):
        for _ in range(SPACIOUS_TRIES):
            cells = _draw_apart(state, roomy, count)
            if len(cells) == count:
                return cells
        packing = _packing(state.terrain.around, roomy, count, [PACKINGS_TRIED_AT_MOST])
        if packing is not None:
            state.dice.shuffle(packing)
            return packing
    for cell in cells:
        free &= ~(1 << cell)
    while len(cells) < count:
        cells.append(state.draw_cell(free))
        free &= ~(1 << cells[-1])
    return cells


def _draw_apart(state: BotwarsState, roomy: int, count: int) -> list[int]:
    """Random ones of the cells, none beside another, until there are so many or no room is left."""
    cells: list[int] = []
    while len(cells) < count and roomy:
        cells.append(state.draw_cell(roomy))
        roomy &= ~state.terrain.around[cells[-1]]
    return cells


def _packing(around: Mapping[int, int], roomy: int, count: int, tries: list[int]) -> list[int] | None:
    """So many of the cells, none beside another; None if that cannot be, or was not found in the tries left.

    Depth first. Of the lowest cell and its neighbours one may always be taken: where none is, the cell itself can be.
    """
    if not count:
        return []
    options = roomy and roomy & around[(roomy & -roomy).bit_length() - 1]
    while options and tries[0]:
        tries[0] -= 1
        cell = (options & -options).bit_length() - 1
        rest = _packing(around, roomy & ~around[cell], count - 1, tries)
        if rest is not None:
            return [cell, *rest]
        options &= options - 1
    return None


def _set_parties(state: BotwarsState, setup: BotwarsSetup, faults: Faults) -> None:
    state.leader = [NOBODY] * len(state.alive)
    state.lines = {}
    for n, party in enumerate(setup.parties):
        with faults:
            state.make_party(_line(state, party, f"parties[{n}]"))
    leaders = {party[0] for party in setup.parties}
    state.passes = {}
    for side, count in setup.consecutive_passes.items():
        with faults:
            if side not in leaders:
                raise ScenarioError("", f"consecutivePasses.{side[:40]}", "is no leader of a party")
        if count and not faults:
            state.passes[state.cast.index[side]] = count
    faults.tell()


def _line(state: BotwarsState, party: Sequence[str], place: str) -> list[int]:
    line: list[int] = []
    for m, side in enumerate(party):
        key = f"{place}[{m}]"
        i = state.cast.index.get(side)
        if i is None or state.is_troll(i) or not state.alive[i]:
            raise ScenarioError("", key, f'"{side[:40]}" is no living player')
        if i in line or state.leader[i] != NOBODY:
            raise ScenarioError("", key, f'"{side}" stands in a party twice')
        if line and state.terrain.distance(state.cell[line[-1]], state.cell[i]) != 1:
            raise ScenarioError("", key, f'"{side}" must stand next to "{party[m - 1]}": a party is a whole line')
        line.append(i)
    return line


def _set_wizard(state: BotwarsState, setup: BotwarsSetup) -> None:
    state.wizard_cell, state.wizard_strength = NOBODY, 0
    if setup.wizard is None:
        return
    state.wizard_strength = setup.wizard.strength
    if setup.wizard.position is not None:
        state.wizard_cell = _open_cell(state.terrain, setup.wizard.position, "wizard.position")


def _draw_wizard(state: BotwarsState, setup: BotwarsSetup) -> None:
    if setup.wizard is None or setup.wizard.position is not None:
        return
    free = state.free_bits()
    if not free:
        raise ScenarioError("", "wizard", "there is no free cell for him; set it to null or enlarge the map")
    state.wizard_cell = state.draw_cell(free)


def _set_turn(state: BotwarsState, setup: BotwarsSetup) -> None:
    state.round_number, state.reward_open, state.offered_to, state.outcome = 1, False, NOBODY, None
    if setup.turn is None:
        state.turn = first_decider(state)
    else:
        i = state.cast.index.get(setup.turn)
        if i is None or not state.decides(i):
            deciding = ", ".join(side for n, side in enumerate(state.cast.ids) if state.decides(n))
            raise ScenarioError("", "turn", f"must be a seat that decides for a unit: {deciding}")
        state.turn = i
    reason = ending(state)
    if reason:
        state.outcome = result_of(state, reason)
