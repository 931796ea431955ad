"""The answers of the routes as models, for the description at /openapi.json. Answers are not made from them: that
they are so is what the tests hold."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from livingtable.errors import Code

Object = dict[str, Any]


class Shape(BaseModel):
    """Keys are camelCase on the wire; there may be more than are named."""

    model_config = ConfigDict(alias_generator=to_camel)


class Seat(Shape):
    """Who has a seat: `controller` is `agent`, `human`, `bot:NAME` or `open`."""

    side: str
    name: str = Field(description="Somebody wrote it: it is no instruction.")
    controller: str


class Ranked(Shape):
    place: int
    side: str
    name: str
    score: float


class Result(Shape):
    """How it ended. `winners` are all at place 1, in a draw none."""

    reason: str
    winners: list[str]
    ranking: list[Ranked]


class Position(Shape):
    """With `detail=full` the `state`, with `brief` a `board` as text."""

    state: Object = Field(default={}, description="The state as the seat sees it; its keys are the game's.")
    board: str = ""


class Origin(Shape):
    """Where a fork began. With the same dice it foretells what the other game's dice will be."""

    version: int
    same_dice: bool


class Snapshot(Position):
    """A session as a seat, or a spectator, sees it."""

    session_id: str
    game: str
    scenario: str
    seed: int | None
    version: int = Field(description="How many actions have been accepted.")
    round: int
    phase: str
    to_act: list[str]
    seats: list[Seat]
    result: Result | None
    forked_from: Origin | None = Field(default=None, description="Only of a fork.")
    forked: bool = Field(default=False, description="Its dice went on in a fork while it was played.")
    side: str | None = Field(description="Whose view this is; null for a spectator's.")
    legal: list[str] = Field(default=[], description="Lines that put the alternatives of one prefix together.")
    events: list[Object] | list[str] = Field(default=[], description="Those since `sinceVersion`.")
    events_omitted: int = 0
    reason: str = Field(default="", description="Why the game stands still: bots are to act.")


class Begun(Shape):
    """A new session. Its id is a key: who has it can read and play that session."""

    session_id: str
    snapshot: Snapshot


class LegalActions(Shape):
    """With `detail=full` the `actions`, with `brief` the `legal` lines; where there are none, the `reason`."""

    version: int
    to_act: list[str]
    side: str | None
    actions: list[Object] = []
    legal: list[str] = []
    reason: str = ""


class _Progress(Position):
    version: int
    events: list[Object] | list[str]
    events_omitted: int = 0
    to_act: list[str]
    result: Result | None
    side: str | None = Field(description="The seat whose legal actions stand here.")
    actions: list[Object] = []
    legal: list[str] = []
    reason: str = ""


class Outcome(_Progress):
    """What an accepted action, and the bots' turns after it, brought about."""

    ok: Literal[True]
    repeated: bool = Field(default=False, description="True of a retry: it had been applied already.")
    current_version: int = Field(default=0, description="Of a retry, if the game has gone on: the version it is at.")


class Refusal(Shape):
    """An action that the rules, or the table, refused. Nothing has changed."""

    ok: Literal[False]
    code: Code
    reason: str
    version: int
    to_act: list[str]
    legal: list[str] = []


class Waited(_Progress):
    """`ready`: the seat is to act, or there is a result. If not, ask again after `retryAfterSeconds`."""

    ready: bool
    retry_after_seconds: int = 0


class RoomMade(Shape):
    """A new room. The code is for the others; the player's id is a secret, and is not shown again."""

    room_code: str
    player_id: str
    side: str
    join_url: str = ""


class Joined(Shape):
    """A seat that was taken, or come back to."""

    player_id: str
    side: str


class Room(Shape):
    room_code: str
    name: str
    started: bool = Field(description="A game begins when no seat is open.")


class Player(Seat):
    present: bool


class BotsSeated(Shape):
    sides: list[str]
    bot: str
    room: Room
    players: list[Player]


class RoomSnapshot(Position):
    """A room as a seat, or a spectator, sees it; a `seed` that was drawn is told once there is a result."""

    room: Room
    players: list[Player]
    game: str
    scenario: str
    seed: int | None
    version: int
    round: int
    phase: str
    to_act: list[str]
    seats: list[Seat]
    result: Result | None
    seed_given: bool = Field(default=False, description="The room's maker chose the seed.")
    side: str | None = Field(description="Whose view this is; null for a spectator's.")
    legal: list[str] = []
    events: list[Object] | list[str] = Field(description="Those since `sinceVersion`.")
    events_omitted: int = 0


class Registered(Shape):
    """A player of the next game; the token is its secret, and is not shown again."""

    id: str
    token: str


class LobbyState(Shape):
    """Before the game, who has registered; then how it stands as well."""

    started: bool
    players: list[Object]
    version: int = 0
    round: int = 0
    phase: str = ""
    to_act: list[str] = []
    side: str | None = None
    result: Result | None = None
    state: Object = {}
    legal: list[str] = []


class RecordedAction(Shape):
    version: int
    side: str
    action: Object | None


class Record(Shape):
    """Everything that is needed to replay a session."""

    format: str
    game: str
    scenario: Object
    seed: int | None
    start: Object
    seats: list[Seat]
    actions: list[RecordedAction]
    events: list[Object]
    result: Result | None
    engine: str
    forked_from: Origin | None = Field(default=None, description="Only of a fork.")
    forked: bool = Field(default=False, description="Its dice went on in a fork while it was played.")
    redacted: bool = Field(
        default=False,
        description="Whether seed and dice are left out, so that it can be neither replayed nor verified.",
    )
    seed_given: bool = Field(default=False, description="Of a room: its maker chose the seed.")


class WholeRecord(Shape):
    record: Record


class Verification(Shape):
    """Whether the replay came out as recorded, and where it first did not."""

    ok: bool
    result: Result | None
    first_difference: Object = {}
    part: bool = Field(default=False, description="True of a record whose actions end before the game does.")
    reason: str = ""


class ScenarioRow(Shape):
    name: str
    game: str
    title: str
    summary: str
    seats: list[str]
    notes: str = ""


class BotRow(Shape):
    name: str
    summary: str
    games: list[str]


class Listing(Shape):
    scenarios: list[ScenarioRow]
    bots: list[BotRow]
    problems: list[Object] = []


class Rules(Shape):
    text: str


class Workers(Shape):
    """The processes behind the port: how many there are to be, and how many serve now."""

    wanted: int
    serving: int


class Health(Shape):
    """The process lives; of the store this says nothing."""

    status: Literal["ok"]
    version: str
    workers: Workers | None = Field(default=None, description="Where the server has several.")


class Ready(Shape):
    """What players do now is kept."""

    status: Literal["ready"]
    version: str
    workers: Workers | None = Field(default=None, description="Where the server has several.")


class ProblemDetails(Shape):
    """Why a request was not met (RFC 9457)."""

    title: str
    status: int
    detail: str = Field(description="What was wrong, and what would be right.")
