"""From a set-up and a seed to the position of version 0 (FX-0).

What is not given is drawn from the seed in this order: the map, the players' fields, the fox, the specials.
"""

from __future__ import annotations

from livingtable.dice import Dice
from livingtable.errors import Faults, ScenarioError
from livingtable.games.foxhunt.laid import Bomb
from livingtable.games.foxhunt.maps import generate_map, roomy_fields
from livingtable.games.foxhunt.position import MILLION, Cast, Settings
from livingtable.games.foxhunt.setup import FoxhuntSetup, GeneratedMap, PlayerSetup
from livingtable.games.foxhunt.state import FoxhuntState, last_round
from livingtable.games.foxhunt.yard import FREE, SIGNS, ground_of, yard_of
from livingtable.grids import bits_of, places

SMALLEST = 3


def start(setup: FoxhuntSetup, seed: int) -> FoxhuntState:
    """Raises `ScenarioError` (without a source) where the parts of the set-up do not fit together."""
    players = [PlayerSetup() for _ in range(setup.players)] if isinstance(setup.players, int) else setup.players
    faults = Faults()
    state = FoxhuntState()
    state.dice = Dice(seed, loaded=setup.dice.by_sides())
    state.settings = _settings(setup)
    state.cast = _cast(players, faults)
    state.round_number, state.outcome, state.commands, state.beams = 1, None, {}, ()
    state.forget_worked_out()
    _set_map(state, setup, faults)
    _check_parts(state, setup, players, faults)
    _set_players(state, players, generated=isinstance(setup.map, GeneratedMap))
    state.fox, state.fox_rounds = _fox(state, setup), setup.fox_rounds
    _set_bombs(state, setup)
    _set_specials(state, setup)
    if not any(state.can_act(i) for i in range(len(players))):
        raise ScenarioError("", "players", "at least one must not be paralysed: nobody could act")
    return state


def _settings(setup: FoxhuntSetup) -> Settings:
    return Settings(
        rounds=setup.rounds,
        fuse=setup.fuse,
        paralysis=setup.paralysis,
        hat=setup.hat,
        start_range=setup.start_range,
        start_bombs=setup.start_bombs,
        throw_range=setup.throw_range,
        start_specials=setup.start_specials,
        spawn_every=setup.spawn_every,
        reveal=round(setup.reveal_chance * MILLION),
        round_milliseconds=None if setup.round_seconds is None else round(setup.round_seconds * 1000),
    )


def _check_parts(state: FoxhuntState, setup: FoxhuntSetup, players: list[PlayerSetup], faults: Faults) -> None:
    """What can be wrong with what is given, before anything is drawn. Raises `ScenarioError` for all of it."""
    owners = state.cast.index
    for n, player in enumerate(players):
        with faults:
            if player.position is not None:
                _free_field(state, player.position, f"players[{n}].position")
    with faults:
        if setup.fox is not None and setup.fox not in owners:
            raise ScenarioError("", "fox", f"must be one of {', '.join(state.cast.ids)}")
    for n, bomb in enumerate(setup.bombs):
        with faults:
            _free_field(state, bomb.position, f"bombs[{n}].position")
        with faults:
            if bomb.owner not in owners:
                raise ScenarioError("", f"bombs[{n}].owner", f"must be one of {', '.join(state.cast.ids)}")
    taken: set[str] = set()
    for n, special in enumerate(setup.specials or ()):
        with faults:
            _free_field(state, special.position, f"specials[{n}].position")
            if special.position in taken:
                raise ScenarioError("", f"specials[{n}].position", f"{special.position} has a special already")
            taken.add(special.position)
    faults.tell()


def _cast(players: list[PlayerSetup], faults: Faults) -> Cast:
    ids: list[str] = []
    for n, player in enumerate(players):
        side = player.id or f"p{n + 1}"
        with faults:
            if side in ids:
                raise ScenarioError("", f"players[{n}].id", f'"{side}" is taken by players[{ids.index(side)}]')
        ids.append(side)
    names = tuple(player.name or side for player, side in zip(players, ids, strict=True))
    index = {side: i for i, side in enumerate(ids)}
    return Cast(tuple(ids), names, index, dict(zip(ids, names, strict=True)))


def _set_map(state: FoxhuntState, setup: FoxhuntSetup, faults: Faults) -> None:
    if isinstance(setup.map, GeneratedMap):
        width, height = setup.map.width, setup.map.height
        state.ground = generate_map(width, height, state.dice)
    else:
        _check_rows(setup.map, faults)
        width, height = len(setup.map[0]), len(setup.map)
        state.ground = ground_of(setup.map)
    state.yard = yard_of(width, height)


def _check_rows(rows: list[str], faults: Faults) -> None:
    """Raises `ScenarioError`, for what was found before too: nothing can be placed where there is no map."""
    of_map = Faults()
    with of_map:
        if len(rows) < SMALLEST:
            raise ScenarioError("", "map", f"has {len(rows)} rows; it needs at least {SMALLEST}")
    for y, row in enumerate(rows):
        with of_map:
            _check_row(row, y, len(rows[0]))
    with of_map:
        if not any("_" in row for row in rows):
            raise ScenarioError("", "map", "has no free field")
    if of_map:
        with faults:
            of_map.tell()
        faults.tell()


def _check_row(row: str, y: int, width: int) -> None:
    if not SMALLEST <= len(row) <= 100:
        raise ScenarioError("", f"map[{y}]", f"must have {SMALLEST} to 100 characters")
    if len(row) != width:
        raise ScenarioError("", f"map[{y}]", f"has {len(row)} characters, the first row has {width}")
    strange = sorted(set(row) - set(SIGNS))
    if strange:
        raise ScenarioError("", f"map[{y}]", f"may hold _ W w only, not {strange[0]!a}")


def _set_players(state: FoxhuntState, players: list[PlayerSetup], *, generated: bool) -> None:
    settings = state.settings
    state.points = [player.points for player in players]
    state.range = [settings.start_range if p.range is None else p.range for p in players]
    state.bomb_count = [settings.start_bombs if p.bombs is None else p.bombs for p in players]
    state.hat_until = [last_round(1, p.hat) for p in players]
    state.paralysed_until = [last_round(1, p.paralysed) for p in players]
    given = [None if p.position is None else state.yard.index[p.position] for p in players]
    state.field = [field for field in given if field is not None]
    drawn = iter(_draw_fields(state, given.count(None), generated=generated))
    state.field = [next(drawn) if field is None else field for field in given]


def _draw_fields(state: FoxhuntState, count: int, *, generated: bool) -> list[int]:
    """Random free fields, each another as long as there are others; on a generated map such as have a free neighbour
    (FX-6.2)."""
    allowed = state.free_bits()
    if generated:
        allowed &= bits_of(roomy_fields(state.ground, state.yard.width, state.yard.height))
    left = allowed & ~bits_of(state.field)
    fields: list[int] = []
    while len(fields) < count:
        fields.append(state.draw_field(left or allowed))
        left &= ~(1 << fields[-1])
    return fields


def _free_field(state: FoxhuntState, text: str, key: str) -> int:
    field = state.yard.index.get(text)
    if field is None:
        raise ScenarioError("", key, f"{text} is off the map, which goes from 0,0 to {state.yard.names[-1]}")
    if state.ground[field] != FREE:
        raise ScenarioError("", key, f"{text} is a wall")
    return field


def _fox(state: FoxhuntState, setup: FoxhuntSetup) -> int:
    if setup.fox is None:
        return state.dice.below(len(state.field))
    return state.cast.index[setup.fox]


def _set_bombs(state: FoxhuntState, setup: FoxhuntSetup) -> None:
    index = state.yard.index
    state.bombs = [Bomb(index[b.position], state.cast.index[b.owner], b.range, 1 + b.fuse) for b in setup.bombs]


def _set_specials(state: FoxhuntState, setup: FoxhuntSetup) -> None:
    """Drawn on free fields without players, as many as there is room for; not drawn where they are given (FX-0.4)."""
    state.specials = {}
    if setup.specials is None:
        left = places(state.vacant_bits())
        for _ in range(min(setup.start_specials, len(left))):
            field = left.pop(state.dice.below(len(left)))
            state.specials[field] = state.draw_kind()
        state.forget_worked_out()
        return
    for special in setup.specials:
        state.specials[state.yard.index[special.position]] = special.kind
