"""Records as frames and as one moving picture, for who steps through them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from tests.browser.tables import Tables, setup

from livingtable.game import Data
from livingtable_server.sessions.animation import animated

GAMES = ["botwars", "skirmish", "foxhunt"]
SVG = "{http://www.w3.org/2000/svg}"


def _whole(tables: Tables, path: str) -> tuple[list[int], dict[int, Data]]:
    """All versions with a frame, and the whole state of each."""
    states: dict[int, Data] = {}
    versions: list[int] = tables.get(f"{path}/frames")["versions"]
    for begin in versions[::200]:
        state: Data = {}
        for frame in tables.get(f"{path}/frames?from={begin}")["frames"]:
            state = {**state, **frame["state"]}
            states[frame["version"]] = state
    return versions, states


@pytest.mark.parametrize("game", GAMES)
def test_the_last_frame_is_the_game_as_it_stands(tables: Tables, game: str) -> None:
    path = tables.play_out(game, at_most=60)
    versions, states = _whole(tables, path)
    snapshot = tables.get(path)
    assert list(states) == versions
    assert (versions[0], versions[-1]) == (0, snapshot["version"])
    assert states[versions[-1]] == snapshot["state"]


def test_where_all_choose_at_once_there_is_a_frame_a_round(tables: Tables) -> None:
    path = tables.begin("foxhunt", side=None)
    for side in ("p1", "p2", "p3", "p4", "p1"):
        tables.post(f"{path}/actions", {"notation": "stay", "side": side})
    answer = tables.get(f"{path}/frames")
    assert answer["versions"] == [0, 4]
    assert [frame["round"] for frame in answer["frames"]] == [1, 2]


def test_frames_begin_at_any_version_with_a_whole_state(tables: Tables) -> None:
    path = tables.play_out("skirmish", at_most=5)
    (first, *_) = tables.get(f"{path}/frames?from=3")["frames"]
    assert first["version"] == 3
    assert set(first["state"]) == set(tables.get(path)["state"])


def test_frames_of_a_record_are_those_of_its_game(tables: Tables) -> None:
    path = tables.play_out("botwars", at_most=5)
    record = tables.get(f"{path}/record")["record"]
    assert tables.post("/records/frames", {"record": record}) == tables.get(f"{path}/frames")


def test_what_is_no_record_has_no_frames(tables: Tables) -> None:
    answer = tables.client.post("/records/frames", json={"record": {"format": "other"}})
    assert answer.status_code == 422
    assert "format" in answer.json()["detail"]


def test_a_record_that_cannot_be_played_says_at_which_action(tables: Tables) -> None:
    record = tables.get(f"{tables.play_out('skirmish', at_most=3)}/record")["record"]
    record["actions"][1]["action"] = {"type": "move", "pieceId": "ivory-K1", "to": "99,99"}
    for route in ("frames", "animation.svg"):
        answer = tables.client.post(f"/records/{route}", json={"record": record})
        assert answer.status_code == 422
        assert "99,99" in answer.json()["detail"]


def test_the_frames_of_a_room_hide_what_has_been_chosen_in_its_open_round(tables: Tables) -> None:
    room = tables.post("/rooms", {"scenario": "fox_yard"})
    path = f"/rooms/{room['roomCode']}"
    for _ in range(3):
        tables.post(f"{path}/join", {})
    tables.post(f"{path}/actions", {"playerId": room["playerId"], "notation": "stay"})
    assert tables.get(f"{path}/frames")["versions"] == [0]


@pytest.mark.parametrize("game", GAMES)
def test_the_moving_picture_of_a_game_shows_all_its_boards(tables: Tables, game: str) -> None:
    path = tables.play_out(game, setup=setup(game), at_most=8)
    picture = ElementTree.fromstring(tables.client.get(f"{path}/animation.svg").text)
    board = tables.client.get(f"{path}/board.svg").text
    at_rest = "".join("".join(part.itertext()) for part in picture if part.get("visibility") != "hidden")
    assert at_rest == "".join(ElementTree.fromstring(board).itertext())
    assert picture.findall(f".//{SVG}animate")


def _svg(*children: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(children)}</svg>'


def _shown(picture: str, seconds: int) -> list[str]:
    """What is to be seen in each second: the parts in order."""
    root = ElementTree.fromstring(picture)
    return [_at(root, second) for second in range(seconds)]


def _at(root: ElementTree.Element, second: int) -> str:
    seen = ""
    for part in root:
        animate = part.find(f"{SVG}animate")
        if animate is None:
            seen += part.tag.removeprefix(SVG)
            continue
        lasting = float(animate.attrib["dur"].removesuffix("s"))
        times = [float(time) * lasting for time in animate.attrib["keyTimes"].split(";")]
        value = [v for t, v in zip(times, animate.attrib["values"].split(";"), strict=True) if t <= second + 0.01][-1]
        seen += part[1].tag.removeprefix(SVG) if value == "visible" else ""
    return seen


def test_a_moving_picture_shows_each_board_in_its_time_and_in_its_order() -> None:
    boards = ["abc", "adc", "abd", "adb", "ab", "dabc"]
    picture = animated([_svg(*(f"<{part}/>" for part in board)) for board in boards], 1)
    assert _shown(picture, len(boards)) == boards


def test_what_stands_in_every_board_stands_once_in_the_moving_picture() -> None:
    picture = animated([_svg("<a><i>x</i></a>", "<b/>"), _svg("<a><i>x</i></a>", "<c/>")], 1)
    assert picture.count("<a>") == 1
    assert "<a><i>x</i></a><g" in picture


def test_the_same_part_twice_in_a_board_is_drawn_twice() -> None:
    assert animated([_svg("<a/>", "<a/>"), _svg("<a/>", "<a/>")], 1).count("<a/>") == 2
