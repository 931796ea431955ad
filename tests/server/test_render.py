"""`living-table render`: records as pictures."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from livingtable.records import Recording
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.terminal.faults import UseError
from livingtable_server.terminal.render import LAST_SECONDS, render_file

ACTIONS = 6


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scenario = ScenarioLibrary().get("castle_siege")
    recording = Recording.begin(scenario.start(1), scenario.data, 1, [])
    for _ in range(ACTIONS):
        (side,) = recording.state.to_act
        recording.apply(side, recording.state.legal_actions(side)[0])
    file = tmp_path_factory.mktemp("records") / "game.json"
    file.write_text(json.dumps(recording.to_data()), "utf-8")
    return file


def rendered(record: Path, name: str, **more: Any) -> bytes:
    wish: dict[str, Any] = {"number": None, "at": None, "seconds": 0.5, "width": None, **more}
    out = record.parent / name
    render_file(str(record), out, **wish)
    return out.read_bytes()


@pytest.mark.parametrize(("name", "kind"), [("game.gif", "GIF"), ("game.png", "PNG")])
def test_a_moving_picture_has_a_frame_an_action_and_stays_at_the_end(record: Path, name: str, kind: str) -> None:
    picture = Image.open(io.BytesIO(rendered(record, name)))
    assert (picture.format, getattr(picture, "n_frames", 1)) == (kind, ACTIONS + 1)
    picture.seek(ACTIONS)
    assert picture.info["duration"] == LAST_SECONDS * 1000


def test_a_moving_svg_needs_nothing_but_itself(record: Path) -> None:
    text = rendered(record, "game.svg").decode()
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "<animate" in text
    assert "<script" not in text


@pytest.mark.parametrize("name", ["still.gif", "still.png", "still.svg"])
def test_one_moment_is_a_still_picture(record: Path, name: str) -> None:
    content = rendered(record, name, at=3)
    if name.endswith(".svg"):
        assert b"<animate" not in content
    else:
        assert getattr(Image.open(io.BytesIO(content)), "n_frames", 1) == 1


def test_moments_differ(record: Path) -> None:
    assert rendered(record, "a.svg", at=0) != rendered(record, "b.svg", at=1)


def test_a_picture_is_as_wide_as_was_asked_for(record: Path) -> None:
    assert Image.open(io.BytesIO(rendered(record, "wide.png", at=0, width=333))).width == 333


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("game.bmp", {}, "must end with .gif, .png or .svg"),
        ("game.svg", {"at": ACTIONS + 1}, f"--at must be at most {ACTIONS}"),
        ("no folder/game.svg", {}, "cannot be written"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_line(record: Path, name: str, more: dict[str, Any], words: str) -> None:
    with pytest.raises(UseError, match=words):
        rendered(record, name, **more)


def test_without_the_extra_it_is_said_how_to_get_it(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(UseError, match=r"living-table\[render\]"):
        rendered(record, "game.gif")
    assert rendered(record, "game.svg")


def test_the_command_says_what_it_has_written(record: Path, tmp_path: Path) -> None:
    import sys

    out = tmp_path / "moment.svg"
    command = [sys.executable, "-m", "livingtable_server.cli", "render", str(record), "-o", str(out), "--at", "2"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "moment.svg: 1 picture" in done.stderr.replace("\n", "")
    assert out.read_text("utf-8").startswith("<svg")
