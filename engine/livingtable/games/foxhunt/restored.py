"""What a state from outside must keep to: the limits of set-ups, without which a round might never end."""

from __future__ import annotations

from livingtable.games.foxhunt.position import MILLION, Position
from livingtable.games.foxhunt.setup import (
    FIGURE_AT_MOST,
    PARALYSIS_AT_MOST,
    PLAYERS_AT_LEAST,
    PLAYERS_AT_MOST,
    ROUNDS_AT_MOST,
    SMALL_AT_MOST,
)
from livingtable.games.foxhunt.yard import FREE


def check_restored(position: Position) -> None:
    """Raises `ValueError` for a position that no game comes to."""
    _check_settings(position)
    _check_figures(position)
    if not PLAYERS_AT_LEAST <= len(set(position.cast.ids)) == len(position.cast.ids) <= PLAYERS_AT_MOST:
        raise ValueError(f"{PLAYERS_AT_LEAST} to {PLAYERS_AT_MOST} players play, each with an id of its own")
    fields = [*position.field, *position.specials, *(bomb.field for bomb in position.bombs), *position.beams]
    if any(position.ground[field] != FREE for field in fields):
        raise ValueError("players, specials, bombs and beams are on free fields")
    if position.outcome is None and not any(position.can_act(i) for i in range(len(position.field))):
        raise ValueError("nobody can act")


def _check_settings(position: Position) -> None:
    settings = position.settings
    limits = [
        (settings.rounds, ROUNDS_AT_MOST),
        (settings.paralysis, PARALYSIS_AT_MOST),
        (settings.reveal, MILLION),
        *((n, SMALL_AT_MOST) for n in (settings.throw_range, settings.start_range, settings.start_bombs)),
        *((n, FIGURE_AT_MOST) for n in (settings.fuse, settings.hat, settings.spawn_every, settings.start_specials)),
    ]
    if any(not _whole(figure) or not 0 <= figure <= most for figure, most in limits):
        raise ValueError("a setting is beyond its limit")
    if not _whole(position.round_number) or not 1 <= position.round_number <= settings.rounds:
        raise ValueError(f"the round is one of 1 to {settings.rounds}")


def _check_figures(position: Position) -> None:
    """What has been collected and scored may be above the limits of set-ups."""
    figures = [position.fox_rounds]
    for column in (position.points, position.range, position.bomb_count, position.hat_until, position.paralysed_until):
        figures += column
    for bomb in position.bombs:
        figures += (bomb.range, bomb.explodes - position.round_number)
    if any(not _whole(figure) or figure < 0 for figure in figures):
        raise ValueError("points, ranges, rounds and the like are whole numbers from 0")
    if max(position.paralysed_until) > position.ticked_to + PARALYSIS_AT_MOST:
        raise ValueError(f"nobody is paralysed for more than {PARALYSIS_AT_MOST} rounds")


def _whole(figure: object) -> bool:
    return isinstance(figure, int) and not isinstance(figure, bool)
