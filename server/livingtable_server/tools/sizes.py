"""No answer is longer than 40,000 characters in either half: what is too long is cut, and says how the rest is had.

A cut answer has `cut`, a list of sentences: each names what was left out and the call that gives it. What goes on in a
further answer has a cursor: `nextCursor` for a `state` or a list of rows, `nextSinceVersion` for `events`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from livingtable.game import Data
from livingtable_server.sessions.differences import NOTHING, first_place
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.pieces import size, take
from livingtable_server.tools.texts import as_json

ANSWER_AT_MOST = 40_000
"""Characters a half."""
ROWS_AT_MOST = 34_000
"""Characters of rows a page of a listing."""
_FILLED = 38_000
"""Up to which an answer is filled; the rest is for what says what was cut."""
_EACH_AT_LEAST = 8_000
"""What a large part of an answer may have, whatever the others need."""
_LEGAL_AT_LEAST = 2_500
"""The same of what is legal, which can be asked for by itself."""
_LINE_AT_MOST = 2_000
_LARGE = ("board", "state", "legal", "actions", "events")
"""What may be too large, the parts that are filled first in front."""

Write = Callable[[Data], str]
"""From the structured half of an answer to its text."""


def fitted(answer: Data, write: Write, given: Mapping[str, Any]) -> tuple[Data, str]:
    """Both halves of the answer to a call with those arguments."""
    if "cursor" in given and "state" in answer:
        answer = _state_from(answer, given["cursor"])
    if not _too_long(answer, write):
        return answer, write(answer)
    answer = _fitted_parts(answer, given)
    if _too_long(answer, write):
        answer, write = _bare(answer), as_json
    return answer, write(answer)


def shortened(text: str, at_most: int = ANSWER_AT_MOST - 500, how: str = "") -> str:
    """A text cut at a whole line, or at a blank, with how much of it is missing."""
    if len(text) <= at_most:
        return text
    end = max(text.rfind("\n", at_most // 2, at_most), 0) or max(text.rfind(" ", at_most // 2, at_most), 0) or at_most
    return f"{text[:end]}\n({len(text) - end} more characters are left out{how})"


def page_of(answer: Data, keys: Sequence[str], cursor: str | None) -> Data:
    """The rows of those keys' lists, as many as fit after the cursor, a number of rows."""
    rows = [(key, row) for key in keys for row in answer.get(key, ())]
    begin = 0
    if cursor is not None:
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10 and int(cursor) < max(1, len(rows))):
            raise TableError("That cursor is none of this list's; leave it out for the first page.")
        begin = int(cursor)
    page: Data = {**answer, **{key: [] for key in keys if key in answer}}
    room = ROWS_AT_MOST
    for number in range(begin, len(rows)):
        key, row = rows[number]
        row = _short_row(row)
        room -= size(row) + 2
        if room < 0 and number > begin:
            return {**page, "nextCursor": str(number)}
        page[key].append(row)
    return page


def _short_row(row: Data) -> Data:
    """A reason of another's making may be of any length."""
    return {k: shortened(v, _LINE_AT_MOST) if isinstance(v, str) else v for k, v in row.items()}


def _too_long(answer: Data, write: Write) -> bool:
    return size(answer) > ANSWER_AT_MOST or len(write(answer)) > ANSWER_AT_MOST


def _fitted_parts(answer: Data, given: Mapping[str, Any]) -> Data:
    """The large parts share what the others leave: each has some room, the first of them what is left over."""
    body = dict(answer.get("snapshot", answer))
    parts: Data = {key: body.pop(key) for key in _LARGE if key in body}
    wanted = {key: size(part) for key, part in parts.items()}
    least = {"legal": _LEGAL_AT_LEAST, "actions": _LEGAL_AT_LEAST}
    rooms = {key: min(needs, least.get(key, _EACH_AT_LEAST)) for key, needs in wanted.items()}
    free = _FILLED - size({**answer, "snapshot": body} if "snapshot" in answer else body) - sum(rooms.values())
    cuts = _Cuts("roomCode" in given, body)
    for key, needs in wanted.items():
        more = max(0, min(free, needs - rooms[key]))
        room, free = rooms[key] + more, free - more
        body |= {key: parts[key]} if needs <= room else cuts.of(key, parts[key], room)
    if "firstDifference" in body:
        body["firstDifference"] = cuts.of_difference(body["firstDifference"])
    if "text" in body:
        body["text"] = shortened(body["text"], _FILLED, "; ask for a section, by its number or a word of its title")
    if cuts.said:
        body["cut"] = cuts.said
    if "snapshot" in answer:
        return {**answer, "snapshot": _in_order(body, answer["snapshot"])}
    return _in_order(body, answer)


def _in_order(body: Data, model: Data) -> Data:
    return {key: body[key] for key in [*model, *body] if key in body}


@dataclass(slots=True)
class _Cuts:
    """What is cut off an answer. `body` is the answer's rest; `said` says what was cut, and how it is had."""

    in_room: bool
    body: Data
    said: list[str] = field(default_factory=list[str])

    @property
    def look(self) -> str:
        return "get_room_state" if self.in_room else "get_state"

    def of(self, key: str, part: Any, room: int) -> Data:
        """What stands in the answer in place of the part."""
        match key:
            case "board":
                return self._of_board(part, room)
            case "state":
                return self.of_state(*take(part, 0, room))
            case "legal":
                return self._of_legal(part, room)
            case "actions":
                return self._of_actions(part, room)
            case _:
                return self._of_lines(part, room) if isinstance(part[0], str) else self._of_events(part, room)

    def _of_board(self, board: str, room: int) -> Data:
        lines = board.split("\n")
        kept = _first(lines, room)
        how = f'{self.look} with "detail": "full" has the state'
        self.said.append(f"board: {len(lines) - len(kept)} lines left out; {how}")
        return {"board": "\n".join(kept)}

    def of_state(self, part: Data, more: int | None) -> Data:
        if more is None:
            return {"state": part}
        self.said.append(
            f'state: goes on; {self.look} with "cursor": nextCursor has the next part; join key by key, lists one '
            'after the other (an item with "continued" goes on with the item before); detail brief has a board'
        )
        return {"state": part, "nextCursor": f"{self.body['version']}.{more}"}

    def _of_legal(self, legal: list[str], room: int) -> Data:
        kept = _first(legal, room)
        tool = "get_room_state" if self.in_room else "list_legal_actions"
        words = ", ".join(f'"{word}"' for word in dict.fromkeys(line.split()[0] for line in legal[len(kept) :]))
        how = f'{tool} with "detail": "brief" and "prefix" has them, by prefix: {words}'
        self.said.append(f"legal: {len(legal) - len(kept)} lines left out; {how}")
        return {"legal": kept}

    def _of_actions(self, actions: list[Data], room: int) -> Data:
        kept = _first(actions, room)
        tool = "get_room_state" if self.in_room else "list_legal_actions"
        how = f'{tool} with "detail": "brief" has the lines; with "prefix", the first word of a line'
        self.said.append(f'actions: {len(actions) - len(kept)} left out; {how}, and "detail": "full" their objects')
        return {"actions": kept}

    def _of_lines(self, lines: list[str], room: int) -> Data:
        short = [line if len(line) <= _LINE_AT_MOST else line[:_LINE_AT_MOST] + "…" for line in lines]
        kept = _first(short[::-1], room)[::-1]
        how = f'{self.look} with "sinceVersion": {self.body.get("eventsSince", 0)} and "detail": "full" has them whole'
        self.said.append(f"events: {len(lines) - len(kept)} lines left out and long ones shortened; {how}")
        return {"events": kept}

    def _of_events(self, events: list[Data], room: int) -> Data:
        """From the first on; those of one version stay together."""
        kept: list[Data] = []
        for version, group in groupby(events, key=lambda event: event["version"]):
            caused = list(group)
            needs = size(caused)
            room -= needs
            if room >= 0:
                kept += caused
            elif kept or needs <= _EACH_AT_LEAST:
                self.said.append(f'events: more follow; {self.look} with "sinceVersion": {version - 1} has them')
                return {"events": kept, "nextSinceVersion": version - 1}
            else:
                # The cursor of the page of the record that begins with this action.
                how = f'get_record with "cursor": "{version - 1 if version > 1 else "0.0"}" has them'
                self.said.append(f"events: those of version {version} are too long for an answer; {how}")
                return {"events": [], **({"nextSinceVersion": version} if events[-1]["version"] > version else {})}
        return {"events": kept}

    def of_difference(self, difference: Data) -> Data:
        """The first place in which two long values differ, in place of the values."""
        place, recorded, replayed = first_place(difference["recorded"], difference["replayed"])
        self.said.append("firstDifference: told where it begins; the whole of it is in your record")
        told = {"recorded": _short(recorded), "replayed": _short(replayed)}
        return difference | {"what": difference["what"] + place} | told


def _state_from(answer: Data, cursor: str) -> Data:
    """A later part of a state, as long as the game has not gone on."""
    version, _, had = cursor.partition(".")
    if not (cursor.isascii() and version.isdigit() and had.isdigit() and len(cursor) < 20):
        raise TableError("That cursor is none of a state's; leave it out for the first part.")
    if int(version) != answer["version"]:
        now = f"The game is at version {answer['version']} now, and that cursor is of version {int(version)}"
        raise TableError(f"{now}: leave it out, and begin anew.")
    part, more = take(answer["state"], int(had), _FILLED - 2_000)
    if not part:
        raise TableError("That cursor is none of this state's; leave it out for the first part.")
    cuts = _Cuts("room" in answer, answer)
    kept = {key: answer[key] for key in ("sessionId", "room", "version", "toAct", "side") if key in answer}
    kept |= cuts.of_state(part, more)
    return {**kept, "cut": cuts.said} if cuts.said else kept


def _first(items: list[Any], room: int) -> list[Any]:
    """As many from the front as have room."""
    kept: list[Any] = []
    for item in items:
        room -= size(item) + 2
        if room < 0:
            break
        kept.append(item)
    return kept


def _short(value: Any) -> Any:
    if value is NOTHING:
        return None
    return value if size(value) <= _EACH_AT_LEAST else as_json(value)[:_LINE_AT_MOST] + "…"


def _bare(answer: Data) -> Data:
    """The last resort, so that nothing is ever too long: the largest parts are left out, by name."""
    answer, gone = dict(answer), list[str]()
    while size(answer) > _FILLED and answer:
        largest = max((key for key in answer if key != "cut"), key=lambda key: size(answer[key]), default="cut")
        gone.append(f"{largest}: left out, it has {size(answer.pop(largest))} characters")
    return {**answer, "cut": [*answer.get("cut", []), *gone]}
