"""The rules of a round: giving a command, and the one resolution, in the order of FX-2."""

from __future__ import annotations

from collections.abc import Sequence

from livingtable.events import EventData
from livingtable.game import Data, Result
from livingtable.games.foxhunt.actions import SERVER, FoxhuntAction, LayBomb, Move, Throw
from livingtable.games.foxhunt.blast import Blast, blast_of
from livingtable.games.foxhunt.events import (
    BombLaid,
    Caught,
    Command,
    Committed,
    Exploded,
    GameOver,
    Moved,
    Paralysed,
    PickedUp,
    Protected,
    RoundResolved,
    Scored,
    SpecialAppeared,
    SpecialDestroyed,
    SpecialRevealed,
    Teleported,
    WallDestroyed,
)
from livingtable.games.foxhunt.laid import Bomb
from livingtable.games.foxhunt.position import BOMBS, MILLION, RANGE, Position
from livingtable.games.foxhunt.yard import DIRECTIONS
from livingtable.grids import bits_of

ROUND_LIMIT = "round_limit"

Commands = dict[int, FoxhuntAction]


def commit(position: Position, i: int, action: FoxhuntAction, events: list[EventData]) -> None:
    """A player's command, which takes the place of one given before (FX-1.3); the last one resolves the round."""
    position.commands.pop(i, None)
    position.commands[i] = action
    events.append(Committed(position.cast.ids[i]))
    if all(j in position.commands for j in range(len(position.field)) if position.can_act(j)):
        resolve_rounds(position, events)


def resolve_rounds(position: Position, events: list[EventData]) -> None:
    """This round, and those after it in which nobody can act (FX-1.2)."""
    resolve(position, events)
    while position.outcome is None and not any(position.can_act(i) for i in range(len(position.field))):
        resolve(position, events)


def resolve(position: Position, events: list[EventData]) -> None:
    """One round, step by step as FX-2 lists them."""
    commands, position.commands = position.commands, {}
    events.append(_told(position, commands))
    entered = _move(position, commands, events)  # 1
    _pick_up(position, entered, events)  # 2
    stood = position.field[:]
    _catch(position, commands, events)  # 3
    _lay_bombs(position, commands, stood, events)  # 4
    blast = blast_of(position)  # 5
    position.beams = blast.beams if blast else ()
    if blast:
        _explode(position, blast, events)
    _score(position, events)  # 6
    # 7: what runs out is kept as a round's number, and so ticks by itself.
    _special_appears(position, events)  # 8
    _end_round(position, events)  # 9


def _told(position: Position, commands: Commands) -> RoundResolved:
    """The commands, no longer hidden, in the order of arrival."""
    ids = position.cast.ids
    told = tuple(Command(ids[i], action.to_data(), n) for n, (i, action) in enumerate(commands.items(), start=1))
    return RoundResolved(SERVER, position.round_number, told)


def _move(position: Position, commands: Commands, events: list[EventData]) -> list[int]:
    """All at once; whether a field is free does not depend on players. Returns who has entered a field."""
    entered: list[int] = []
    names = position.yard.names
    for i in sorted(commands):
        action = commands[i]
        if isinstance(action, Move):
            before = position.field[i]
            position.field[i] = after = position.yard.beside[DIRECTIONS.index(action.direction)][before]
            events.append(Moved(position.cast.ids[i], names[before], names[after]))
            entered.append(i)
    return entered


def _pick_up(position: Position, entered: Sequence[int], events: list[EventData]) -> None:
    """All who entered a special's field get it (FX-6.1)."""
    taken = [i for i in entered if position.field[i] in position.specials]
    for i in taken:
        field = position.field[i]
        kind = position.specials[field]
        if kind == RANGE:
            position.range[i] += 1
        elif kind == BOMBS:
            position.bomb_count[i] += 1
        else:
            position.hat_until[i] = position.round_number + position.settings.hat
        events.append(PickedUp(position.cast.ids[i], kind, position.yard.names[field]))
    for field in {position.field[i] for i in taken}:
        position.take_special(field)


def _catch(position: Position, commands: Commands, events: list[EventData]) -> None:
    """FX-3: of the hunters on the fox's field the one whose command arrived first; those without one come last."""
    fox = position.fox
    hunters = [
        i for i, field in enumerate(position.field) if field == position.field[fox] and i != fox and position.can_act(i)
    ]
    if not hunters:
        return
    arrived = [i for i in commands if i in hunters]
    catcher = arrived[0] if arrived else hunters[0]
    ids = position.cast.ids
    events.append(Caught(ids[catcher], ids[fox], ids[catcher]))
    position.fox, position.fox_rounds = catcher, 0
    _teleport(position, catcher, events)


def _teleport(position: Position, i: int, events: list[EventData]) -> None:
    """FX-3.3. On a map of one free field the catcher stays."""
    here = position.field[i]
    fields = (
        position.vacant_bits() or position.free_bits() & ~bits_of(position.field) or position.free_bits() & ~(1 << here)
    )
    if fields:
        position.field[i] = position.draw_field(fields)
        events.append(Teleported(position.cast.ids[i], position.yard.names[position.field[i]]))


def _lay_bombs(position: Position, commands: Commands, stood: Sequence[int], events: list[EventData]) -> None:
    """Laid, or thrown from where the owner stood before it was teleported (FX-3.3)."""
    for i in sorted(commands):
        action = commands[i]
        if not isinstance(action, LayBomb | Throw):
            continue
        field = stood[i]
        if isinstance(action, Throw):
            beside = position.yard.beside[DIRECTIONS.index(action.direction)]
            for _ in range(action.distance):
                field = beside[field]
        fuse = position.settings.fuse
        position.put_bomb(Bomb(field, i, position.range[i], position.round_number + fuse))
        events.append(BombLaid(position.cast.ids[i], position.yard.names[field], position.range[i], fuse))


def _explode(position: Position, blast: Blast, events: list[EventData]) -> None:
    names = position.yard.names
    position.remove_bombs(blast.bombs)
    events.append(
        Exploded(SERVER, tuple(names[field] for field in blast.bombs), tuple(names[field] for field in blast.beams))
    )
    events += [SpecialDestroyed(SERVER, names[field], position.take_special(field)) for field in blast.specials]
    for field in blast.walls:
        _break_wall(position, field, events)
    _hit(position, set(blast.beams), events)


def _break_wall(position: Position, field: int, events: list[EventData]) -> None:
    """FX-4.5."""
    name = position.yard.names[field]
    position.open_up(field)
    if position.dice.below(MILLION) < position.settings.reveal:
        kind = position.draw_kind()
        position.put_special(field, kind)
        events.append(SpecialRevealed(SERVER, name, kind))
    else:
        events.append(WallDestroyed(SERVER, name))


def _hit(position: Position, beams: set[int], events: list[EventData]) -> None:
    """FX-4.6."""
    settings = position.settings
    for i, field in enumerate(position.field):
        if field not in beams:
            continue
        if position.hat_until[i] >= position.round_number:
            events.append(Protected(position.cast.ids[i]))
            continue
        position.paralysed_until[i] = position.round_number + settings.paralysis
        position.range[i], position.bomb_count[i] = settings.start_range, settings.start_bombs
        position.hat_until[i] = 0
        events.append(Paralysed(position.cast.ids[i], settings.paralysis))


def _score(position: Position, events: list[EventData]) -> None:
    """FX-5.1."""
    fox = position.fox
    position.fox_rounds += 1
    position.points[fox] += position.fox_rounds
    events.append(Scored(position.cast.ids[fox], position.fox_rounds, position.points[fox]))


def _special_appears(position: Position, events: list[EventData]) -> None:
    """FX-0.4, `spawnEvery`."""
    every = position.settings.spawn_every
    if not every or position.round_number % every:
        return
    fields = position.vacant_bits()
    if fields:
        field = position.draw_field(fields)
        kind = position.draw_kind()
        position.put_special(field, kind)
        events.append(SpecialAppeared(SERVER, position.yard.names[field], kind))


def _end_round(position: Position, events: list[EventData]) -> None:
    if position.round_number >= position.settings.rounds:
        position.outcome = result_of(position)
        events.append(GameOver(SERVER, ROUND_LIMIT))
    else:
        position.round_number += 1


def result_of(position: Position) -> Result:
    """FX-5.2."""
    rows = ranking(position)
    winners = tuple(row["side"] for row in rows if row["place"] == 1)
    return Result(ROUND_LIMIT, winners, rows, {})


def ranking(position: Position) -> tuple[Data, ...]:
    """By points; equal points share the place, in seat order."""
    points = position.points
    order = sorted(range(len(points)), key=lambda i: (-points[i], i))
    return tuple(
        {
            "place": 1 + sum(1 for other in points if other > points[i]),
            "side": position.cast.ids[i],
            "name": position.cast.names[i],
            "score": points[i],
        }
        for i in order
    )
