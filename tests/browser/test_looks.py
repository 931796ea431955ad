"""What is drawn can be hit, on any screen, with a finger too; and sides are told apart without colour."""

from __future__ import annotations

import io
from typing import Any

import pytest
from tests.browser.tables import OpenPage, Sit, Table, Tables

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DRIFT = 10
PIXEL_RATIOS = [1, 1.25, 2, 3]


def _middle(table: Table, cell: str) -> tuple[float, float]:
    box = table.cell(cell).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _tap(table: Table, cell: str, drift: float = 0) -> None:
    """As a finger does: it may drift while it is down."""
    x, y = _middle(table, cell)
    session = table.page.context.new_cdp_session(table.page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        touching: dict[str, Any] = {"type": kind, "touchPoints": list(points)}
        session.send("Input.dispatchTouchEvent", touching)  # pyright: ignore[reportUnknownMemberType]

    touch("touchStart", {"x": x, "y": y})
    if drift:
        touch("touchMove", {"x": x + drift / 2, "y": y})
        touch("touchMove", {"x": x + drift, "y": y})
    touch("touchEnd")


@pytest.mark.parametrize("drift", [0, DRIFT, -DRIFT])
def test_on_a_phone_the_first_tap_selects_and_the_second_acts(seat: Sit, tables: Tables, drift: int) -> None:
    path = tables.begin("skirmish")
    table = seat(path, **PHONE)
    table.cell("2,3").scroll_into_view_if_needed()
    scrolled = table.page.evaluate("scrollY")
    _tap(table, "2,3", drift)
    assert table.page.locator(".glow.selected").count() == 1
    _tap(table, "3,1", drift)
    table.wait_for_version(1)
    assert "ivory Knight" in table.labels()["3,1"]
    assert table.page.evaluate("scrollY") == scrolled


@pytest.mark.parametrize(("game", "own", "to"), [("botwars", "1,5", "1,4"), ("foxhunt", "11,5", "10,5")])
def test_on_a_phone_a_single_tap_beside_ones_figure_does_not_move_it_yet(
    seat: Sit, tables: Tables, game: str, own: str, to: str
) -> None:
    path = tables.begin(game)
    table = seat(path, **PHONE)
    assert own in next(label for label in table.labels().values() if "p1 “" in label)
    _tap(table, to)
    assert tables.get(path)["version"] == 0
    assert table.page.locator(".glow.armed").count() == 1
    _tap(table, to)
    table.wait_for_version(1)


def test_on_a_phone_ones_figure_is_tapped_and_then_the_place(seat: Sit, tables: Tables) -> None:
    path = tables.begin("botwars")
    table = seat(path, **PHONE)
    _tap(table, "1,5")
    _tap(table, "1,4")
    table.wait_for_version(1)


@pytest.mark.parametrize("path", ["/", "/replay"])
def test_no_page_is_wider_than_a_phone(open_page: OpenPage, path: str) -> None:
    page = open_page(path, **PHONE)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("game", ["botwars", "skirmish", "foxhunt"])
def test_no_table_is_wider_than_a_phone(seat: Sit, tables: Tables, game: str) -> None:
    path = tables.begin(game)
    for page in (path, path.replace("games", "replay")):
        table = seat(page, **PHONE)
        assert table.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert table.page.locator(".headline").bounding_box()


@pytest.mark.parametrize("ratio", PIXEL_RATIOS)
def test_at_any_pixel_ratio_a_click_hits_the_cell_that_is_drawn_there(seat: Sit, tables: Tables, ratio: float) -> None:
    path = tables.begin("skirmish")
    table = seat(path, device_scale_factor=ratio)
    script = "([x, y]) => document.elementFromPoint(x, y)?.dataset?.cell"
    for piece in tables.get(path)["state"]["pieces"]:
        token = table.page.locator(".layer-pieces .body").nth(_place_of(tables, path, piece["id"])).bounding_box()
        assert token
        x, y = token["x"] + token["width"] / 2, token["y"] + token["height"] / 2
        assert table.page.evaluate(script, [x, y]) == piece["hex"]
    x, y = _middle(table, "2,3")
    table.page.mouse.click(x, y)
    assert table.page.locator(".glow.selected").count() == 1


def _place_of(tables: Tables, path: str, piece: str) -> int:
    return [each["id"] for each in tables.get(path)["state"]["pieces"]].index(piece)


@pytest.mark.parametrize("ratio", PIXEL_RATIOS)
def test_at_any_pixel_ratio_the_board_is_sharp(seat: Sit, tables: Tables, ratio: float) -> None:
    """From the sheet into a wall it takes two pixels of the screen, whatever their size."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: the extra render")
    table = seat(tables.begin("foxhunt"), device_scale_factor=ratio)
    box = table.cell("0,5").bounding_box()
    assert box
    clip: Any = {"x": box["x"] - 12, "y": box["y"] + box["height"] / 2, "width": 24, "height": 4}
    picture = image.open(io.BytesIO(table.page.screenshot(clip=clip))).convert("L")
    assert abs(picture.width - 24 * ratio) <= 1
    row = [picture.getpixel((x, picture.height // 2)) for x in range(picture.width)]
    between = [value for value in row if min(row) + 12 < value < max(row) - 12]
    assert max(row) - min(row) > 60
    assert len(between) <= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("skirmish", ".token.ivory", ".token.crimson"),
        ("botwars", ".token.player", ".token.troll"),
        ("foxhunt", ".token.hunter", ".token.fox"),
    ],
)
def test_without_colour_sides_are_told_apart_by_shape(
    seat: Sit, tables: Tables, game: str, one: str, other: str, scheme: str
) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: the extra render")
    chops = pytest.importorskip("PIL.ImageChops")
    table = seat(tables.begin(game), color_scheme=scheme)
    table.page.locator(".layer-glow").evaluate("glow => glow.remove()")
    table.page.locator(".board text").evaluate_all("all => all.forEach(text => text.remove())")
    grey: list[Any] = []
    for token in (one, other):
        picture = image.open(io.BytesIO(table.page.locator(f"{token} .body").last.screenshot())).convert("L")
        grey.append(picture.resize((32, 32)))
    differing = sum(chops.difference(*grey).histogram()[41:])
    assert differing > 32 * 32 * 0.08


@pytest.mark.parametrize("game", ["botwars", "skirmish", "foxhunt"])
def test_every_figure_carries_a_letter_of_its_own_kind_or_seat(seat: Sit, tables: Tables, game: str) -> None:
    path = tables.begin(game)
    table = seat(path)
    letters = table.page.locator(".token .id, .token .glyph").all_text_contents()
    if game == "skirmish":
        assert sorted(letters) == sorted(
            "★" if p["kind"] == "S" else p["kind"] for p in tables.get(path)["state"]["pieces"]
        )
    else:
        assert sorted(letters) == sorted(s["side"] for s in tables.get(path)["seats"])


def test_light_and_dark_follow_the_system(seat: Sit, tables: Tables) -> None:
    path = tables.begin("skirmish")
    colour = "() => getComputedStyle(document.body).backgroundColor"
    light = seat(path, color_scheme="light").page.evaluate(colour)
    dark = seat(path, color_scheme="dark").page.evaluate(colour)
    assert sum(map(int, light[4:-1].split(","))) > 600 > 150 > sum(map(int, dark[4:-1].split(",")))
