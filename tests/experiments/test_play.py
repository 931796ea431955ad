"""A game in a chat: what the model is shown, what is counted, and what comes after its last try."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from livingtable.records import state_at, verify
from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.cells import Variant
from livingtable_server.experiments.files import OnFailure
from livingtable_server.experiments.play import Message, Reply, Terms, play_chat
from livingtable_server.experiments.scores import scores
from livingtable_server.experiments.table import Table

pytestmark = pytest.mark.anyio

Answer = Callable[[Sequence[Message]], str]


def saying(*answers: str) -> Answer:
    """One after the other, the last one for ever."""
    left = list(answers)
    return lambda _messages: left.pop(0) if len(left) > 1 else left[0]


class Game:
    """A game of p1 in `first_alliance`, against greedy, with what was asked."""

    def __init__(self, library: ScenarioLibrary, scenario: str = "first_alliance", side: str = "p1") -> None:
        self.side = side
        self.table = Table(library.get(scenario), 1, [side], "greedy")
        self.asked: list[list[Message]] = []

    async def play(
        self,
        answer: Answer,
        variant: Variant | None = None,
        *,
        retries: int = 2,
        on_failure: OnFailure = "forfeit",
        decisions: int = 3,
        agree_with: str = "",
        cut: bool = False,
    ) -> dict[str, object]:
        async def ask(_side: str, messages: Sequence[Message]) -> Reply:
            self.asked.append(list(messages))
            return Reply(answer(messages), tokens_in=100, tokens_out=10, cost=0.5, seconds=0.25, cut=cut)

        variants = {self.side: variant or Variant()}
        await play_chat(
            self.table, Terms(variants, {self.side: "PROMPT"}, retries, on_failure, decisions, agree_with), ask
        )
        return scores(self.side, self.table.played())

    @property
    def shown(self) -> list[str]:
        """The last message of each question."""
        return [messages[-1].text for messages in self.asked]


@pytest.fixture
def game(library: ScenarioLibrary) -> Game:
    return Game(library)


# Counting


async def test_a_game_is_played_decision_by_decision_and_its_record_verifies(game: Game) -> None:
    row = await game.play(saying("ACTION: pass"))
    assert [(d.version, d.how, d.notation) for d in game.table.decisions] == [
        (0, "model", "pass"),
        (game.table.decisions[1].version, "model", "pass"),
        (game.table.decisions[2].version, "model", "pass"),
    ]
    actions = game.table.recording.to_data()["actions"]
    for decision in game.table.decisions:
        assert actions[decision.version] == {"version": decision.version + 1, "side": "p1", "action": {"type": "pass"}}
    assert verify(game.table.recording.to_data()).ok
    assert row["decisions"] == row["answers"] == 3
    assert (row["tokensIn"], row["tokensOut"], row["cost"], row["seconds"]) == (300, 30, 1.5, 0.75)


async def test_an_illegal_answer_is_told_the_reason_retried_and_never_replaced(game: Game) -> None:
    prose = "move 2,2 is legal, I could take it.\nACTION: move 9,9\nmove 2,2"
    row = await game.play(saying(prose, "ACTION: pass"), decisions=1)
    (decision,) = game.table.decisions
    assert [attempt.kind for attempt in decision.attempts] == ["illegal", "accepted"]
    assert decision.notation == "pass"
    assert decision.attempts[0].reason in game.shown[1]
    assert "Nothing has changed" in game.shown[1]
    assert (row["illegal"], row["unparsable"], row["retries"], row["answers"]) == (1, 0, 1, 2)


async def test_an_unparsable_answer_is_counted_apart(game: Game) -> None:
    row = await game.play(saying("I think,\nand then I pass.", "ACTION: pass"), decisions=1)
    assert (row["illegal"], row["unparsable"], row["retries"]) == (0, 1, 1)


# After the last try


async def test_an_answer_that_was_cut_short_before_its_action_is_counted_apart(game: Game) -> None:
    row = await game.play(saying("First I look at the\nboard, where"), cut=True, retries=1)
    assert (row["answers"], row["cut"], row["unparsable"], row["illegal"]) == (2, 2, 0, 0)
    assert (row["end"], row["why"]) == ("forfeit", "cut")
    assert "refused (cut): the answer was cut off at the limit of tokens" in game.shown[1]
    record = game.table.recording.to_data()
    assert record["ended"] == {"reason": "forfeit", "side": "p1", "kind": "cut"}
    assert verify(record).ok


@pytest.mark.parametrize(("answer", "column"), [("ACTION: pass", ""), ("ACTION: move 99,99", "illegal")])
async def test_one_that_was_cut_short_behind_its_action_is_what_it_says(answer: str, column: str, game: Game) -> None:
    row = await game.play(saying(answer), cut=True)
    assert row["cut"] == row["unparsable"] == 0
    assert (row["illegal"] == row["answers"]) == (column == "illegal")


async def test_after_the_last_try_the_game_is_forfeited_and_the_seat_is_last(game: Game) -> None:
    row = await game.play(saying("ACTION: move 9,9"), retries=1)
    assert len(game.asked) == 2
    assert (row["end"], row["why"], row["by"]) == ("forfeit", "illegal", "p1")
    assert (row["place"], row["win"], row["forfeits"]) == (6, 0, 1)
    assert game.table.decisions[-1].how == "none"


@pytest.mark.parametrize("how", ["random", "skip"])
async def test_or_something_is_played_in_its_place_and_counted(how: OnFailure, game: Game) -> None:
    row = await game.play(saying("nonsense,\nand more"), retries=0, on_failure=how, decisions=2, agree_with="greedy")
    assert row["replaced"] == row["unparsable"] == 2
    assert row["forfeits"] == row["compared"] == 0
    assert {decision.how for decision in game.table.decisions} == {how}
    if how == "skip":
        assert {decision.notation for decision in game.table.decisions} == {"pass"}


# Ends kept apart (C74)


async def test_a_game_that_was_cut_off_is_no_win_whoever_leads(game: Game) -> None:
    row = await game.play(saying("ACTION: pass"))
    assert (row["end"], row["win"]) == ("truncated", 0)


async def test_what_another_seat_forfeits_is_nobodys_win(library: ScenarioLibrary) -> None:
    table = Table(library.get("river_raid"), 1, ["ivory", "crimson"], "greedy")

    async def ask(side: str, _messages: Sequence[Message]) -> Reply:
        return Reply("ACTION: end" if side == "ivory" else "ACTION: fly")

    prompts = {"ivory": "", "crimson": ""}
    await play_chat(table, Terms(dict.fromkeys(prompts, Variant()), prompts), ask)
    ivory, crimson = (scores(side, table.played()) for side in prompts)
    assert (ivory["end"], ivory["win"], ivory["place"], ivory["score"]) == ("forfeit of another", None, None, None)
    assert (crimson["end"], crimson["why"], crimson["win"]) == ("forfeit", "unparsable", 0)


# What is shown


async def test_the_legal_list_is_shown_or_not(library: ScenarioLibrary) -> None:
    for legal in (True, False):
        game = Game(library)
        await game.play(saying("ACTION: pass"), Variant(legal=legal), decisions=1)
        assert ("legal:" in game.shown[0]) == legal


async def test_the_board_is_shown_as_text_as_json_or_as_a_picture(library: ScenarioLibrary) -> None:
    shown: dict[str, Message] = {}
    for board in ("text", "json", "picture"):
        game = Game(library)
        await game.play(saying("ACTION: pass"), Variant(board=board), decisions=1)
        shown[board] = game.asked[0][-1]
    assert game_board(library) in shown["text"].text
    assert '"characters":[' in shown["json"].text
    assert (shown["picture"].picture or b"").startswith(b"\x89PNG")
    assert game_board(library) not in shown["picture"].text
    assert shown["text"].picture is None


def game_board(library: ScenarioLibrary) -> str:
    return library.get("first_alliance").start(1).board("p1")


async def test_history_is_how_many_earlier_decisions_stay_in_sight(library: ScenarioLibrary) -> None:
    for history, messages in ((0, [2, 2, 2, 2]), (2, [2, 4, 6, 6])):
        game = Game(library)
        await game.play(saying("ACTION: pass"), Variant(history=history), decisions=4)
        assert [len(asked) for asked in game.asked] == messages
        assert {asked[0].text for asked in game.asked} == {"PROMPT"}


async def test_events_since_the_last_decision_are_shown_in_brief_or_in_full(library: ScenarioLibrary) -> None:
    brief, full = Game(library), Game(library)
    await brief.play(saying("ACTION: pass"), Variant(), decisions=2)
    await full.play(saying("ACTION: pass"), Variant(detail="full"), decisions=2)
    assert "p1 passes" in brief.shown[1]
    assert '"type":"passed"' in full.shown[1]
    assert '{"type":"pass"}' in full.shown[1]


async def test_where_all_choose_at_once_the_model_is_not_shown_what_others_have_chosen(
    library: ScenarioLibrary,
) -> None:
    game = Game(library, "fox_yard")
    await game.play(saying("ACTION: stay"))
    actions = game.table.recording.to_data()["actions"]
    assert [actions[d.version]["side"] for d in game.table.decisions] == ["p1"] * 3
    assert [d.version % 4 for d in game.table.decisions] == [0, 0, 0]


# Agreement


async def test_agreement_is_with_what_the_agent_would_have_done(game: Game) -> None:
    row = await game.play(saying("ACTION: pass"), agree_with="greedy", decisions=4)
    advised = [decision.advised for decision in game.table.decisions]
    assert all(advised)
    assert (row["compared"], row["agreed"]) == (4, advised.count("pass"))


async def test_who_plays_as_the_agent_does_agrees_always(game: Game) -> None:
    row = await game.play(lambda _: f"ACTION: {game.table.decisions[-1].advised}", agree_with="greedy", decisions=5)
    assert row["agreed"] == row["compared"] == 5


async def test_the_agent_may_be_one_that_searches(game: Game) -> None:
    row = await game.play(saying("ACTION: pass"), agree_with="search:5", decisions=2)
    assert row["compared"] == 2
    record = game.table.recording.to_data()
    for decision in game.table.decisions:
        legal = [action.notation for action in state_at(record, decision.version).legal_actions("p1")]
        assert decision.advised in legal
