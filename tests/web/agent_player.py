"""The one player that every agent framework brings to the table: what it does next, from what the last tool said.

It imports nothing beyond the standard library, so that it also runs where the server is not installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, cast

TURNS = 6
BEGIN: dict[str, Any] = {"scenario": "troll_night", "seed": 1, "side": "p1", "detail": "brief"}


class AgentPlayer:
    """Plays some turns as a model would: one tool after the other, each chosen from the answers so far.

    `calls` are asked for one by one; `answered` takes the structured answer to the last. `said` is what a model would
    say at the end.
    """

    def __init__(self, turns: int = TURNS) -> None:
        self._random = Random(4)
        self._turns = turns
        self._calls = self._play()
        self.answers: list[Mapping[str, Any]] = []
        self.session = ""
        self.acted = 0

    def next_call(self) -> tuple[str, dict[str, Any]] | None:
        """The next tool and its arguments; None once the player has nothing more to do."""
        return next(self._calls, None)

    def answered(self, answer: object) -> None:
        assert isinstance(answer, Mapping), answer
        self.answers.append(cast(Mapping[str, Any], answer))

    @property
    def said(self) -> str:
        return f"{self.acted} turns played."

    def _play(self) -> Iterator[tuple[str, dict[str, Any]]]:
        yield "list_scenarios", {"game": "botwars"}
        yield "read_rules", {"game": "botwars", "section": "Movement"}
        yield "new_game", BEGIN
        begun = self.answers[-1]
        self.session = begun["sessionId"]
        answer: Mapping[str, Any] = begun["snapshot"]
        yield "submit_action", {"sessionId": self.session, "notation": "move 99,99"}
        assert self.answers[-1]["ok"] is False, self.answers[-1]
        while self.acted < self._turns and answer["result"] is None:
            if answer.get("legal"):
                prefix, *words = self._random.choice(answer["legal"]).split()
                notation = " ".join([prefix, *([self._random.choice(words)] if words else [])])
                yield (
                    "submit_action",
                    {"sessionId": self.session, "notation": notation, "expectedVersion": answer["version"]},
                )
                assert self.answers[-1]["ok"] is True, self.answers[-1]
                self.acted += 1
            else:
                yield "wait_for_turn", {"sessionId": self.session, "side": "p1"}
            answer = self.answers[-1]
        yield "get_record", {"sessionId": self.session}
        yield "verify_record", {"sessionId": self.session}
        assert self.answers[-1]["ok"] is True, self.answers[-1]
