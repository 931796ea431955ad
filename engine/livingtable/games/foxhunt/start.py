"""From a set-up and a seed to the position of version 0 (FX-0).

What is not given is drawn from the seed in this order: the map, the players' fields, the fox, the specials.
"""

from __future__ import annotations

from livingtable.dice import Dice
from livingtable.errors import ScenarioError
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
    state = FoxhuntState()
    state.dice = Dice(seed, loaded=setup.dice.by_sides())
    state.settings = _settings(setup)
    state.cast = _cast(players)
    state.round_number, state.outcome, state.commands, state.beams = 1, None, {}, ()
    state.forget_worked_out()
    _set_map(state, setup)
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


def _cast(players: list[PlayerSetup]) -> Cast:
    ids: list[str] = []
    for n, player in enumerate(players):
        side = player.id or f"p{n + 1}"
        if side in ids:
            raise ScenarioError("", f"players[{n}].id", f'"{side}" is taken by players[{ids.index(side)}]')
        ids.append(side)
    names = tuple(player.name or side for player, side in zip(players, ids, strict=True))
    index = {side: i for i, side in enumerate(ids)}
    return Cast(tuple(ids), names, index, dict(zip(ids, names, strict=True)))


def _set_map(state: FoxhuntState, setup: FoxhuntSetup) -> None:
    if isinstance(setup.map, GeneratedMap):
        width, height = setup.map.width, setup.map.height
        state.ground = generate_map(width, height, state.dice)
    else:
        _check_rows(setup.map)
        width, height = len(setup.map[0]), len(setup.map)
        state.ground = ground_of(setup.map)
    state.yard = yard_of(width, height)


def _check_rows(rows: list[str]) -> None:
    if len(rows) < SMALLEST:
        raise ScenarioError("", "map", f"has {len(rows)} rows; it needs at least {SMALLEST}")
    for y, row in enumerate(rows):
        if not SMALLEST <= len(row) <= 100:
            raise ScenarioError("", f"map[{y}]", f"must have {SMALLEST} to 100 characters")
        if len(row) != len(rows[0]):
            raise ScenarioError("", f"map[{y}]", f"has {len(row)} characters, the first row has {len(rows[0])}")
        strange = sorted(set(row) - set(SIGNS))
        if strange:
            raise ScenarioError("", f"map[{y}]", f"may hold _ W w only, not {strange[0]!a}")
    if not any("_" in row for row in rows):
        raise ScenarioError("", "map", "has no free field")


def _set_players(state: FoxhuntState, players: list[PlayerSetup], *, generated: bool) -> None:
    settings = state.settings
    state.points = [player.points for player in players]
    state.range = [settings.start_range if p.range is None else p.range for p in players]
    state.bomb_count = [settings.start_bombs if p.bombs is None else p.bombs for p in players]
    state.hat_until = [last_round(1, p.hat) for p in players]
    state.paralysed_until = [last_round(1, p.paralysed) for p in players]
    given = [
        None if p.position is None else _free_field(state, p.position, f"players[{n}].position")
        for n, p in enumerate(players)
    ]
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
    if setup.fox not in state.cast.index:
        raise ScenarioError("", "fox", f"must be one of {', '.join(state.cast.ids)}")
    return state.cast.index[setup.fox]


def _set_bombs(state: FoxhuntState, setup: FoxhuntSetup) -> None:
    state.bombs = []
    for n, bomb in enumerate(setup.bombs):
        field = _free_field(state, bomb.position, f"bombs[{n}].position")
        if bomb.owner not in state.cast.index:
            raise ScenarioError("", f"bombs[{n}].owner", f"must be one of {', '.join(state.cast.ids)}")
        state.bombs.append(Bomb(field, state.cast.index[bomb.owner], bomb.range, 1 + bomb.fuse))


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
    for n, special in enumerate(setup.specials):
        field = _free_field(state, special.position, f"specials[{n}].position")
        if field in state.specials:
            raise ScenarioError("", f"specials[{n}].position", f"{special.position} has a special already")
        state.specials[field] = special.kind
