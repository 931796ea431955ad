"""Every game, whoever plays it, comes to an end, and at each step says who may act and who may not, and why."""

from __future__ import annotations

import pytest
from tests.contract.playing import ACTIONS_AT_MOST, library, random_turns, recorded, shipped
from tests.contract.sampling import each_scenario, running, sampled

from livingtable.errors import Code, Refusal
from livingtable.game import game_names, get_game, legal_lines
from livingtable.scenarios import Scenario


def test_every_registered_game_ships_scenarios_and_rules() -> None:
    for game in game_names():
        assert library().all(game), f"{game} has no scenario"
        assert get_game(game).rules_text().strip(), f"{game} has no rules.md"


def test_every_shipped_scenario_has_a_title_and_a_summary_of_one_sentence() -> None:
    for scenario in shipped():
        assert scenario.setup.title, scenario.name
        summary = scenario.setup.summary
        assert summary.endswith("."), scenario.name
        assert ". " not in summary, scenario.name


@each_scenario
def test_random_play_comes_to_an_end_and_a_ranking(scenario: Scenario) -> None:
    for seed in range(2):
        state = scenario.start(seed)
        for number, (side, action) in enumerate(random_turns(state, seed)):
            state.apply(side, action)
            if number == ACTIONS_AT_MOST:
                break
        result = state.result
        rows = state.ranking()
        assert sorted(row["side"] for row in rows) == sorted(state.sides)
        assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
        if result is not None:
            assert state.to_act == ()
            assert result.ranking == rows
            assert set(result.winners) <= {row["side"] for row in rows if row["place"] == 1}


@each_scenario
def test_a_game_that_is_cut_off_has_no_winners_and_the_ranking_as_it_stands(scenario: Scenario) -> None:
    recording = recorded(scenario, seed=4, actions=3)
    assert recording.result is not None
    assert (recording.result.reason, recording.result.winners) == ("truncated", ())
    assert recording.result.ranking == recording.state.ranking()


@each_scenario
def test_who_may_act_has_something_to_do_and_who_may_not_is_told_why(scenario: Scenario) -> None:
    for state in sampled(scenario):
        assert list(state.to_act) == [side for side in state.sides if side in state.to_act], "registration order"
        assert bool(state.to_act) == (state.result is None)
        for side in state.sides:
            listed, why = state.legal_actions(side), state.why_idle(side)
            if side in state.to_act:
                assert listed
                assert why == ""
            elif not (state.game.simultaneous and listed):  # Who has committed keeps its list.
                assert not listed
                assert why.strip()
                assert len(why.splitlines()) == 1


@each_scenario
def test_a_side_that_is_no_seat_has_no_actions_and_is_told_so(scenario: Scenario) -> None:
    state = scenario.start(0)
    assert not state.legal_actions("nobody")
    assert "nobody" in state.why_idle("nobody")


@each_scenario
def test_a_seat_out_of_turn_is_refused(scenario: Scenario) -> None:
    for state in running(scenario):
        action = state.legal_actions(state.to_act[0])[0]
        for side in state.sides:
            if side in state.to_act or state.legal_actions(side):
                continue
            with pytest.raises(Refusal) as refused:
                state.apply(side, action)
            assert refused.value.code is Code.NOT_YOUR_TURN
            assert refused.value.reason == state.why_idle(side)


@each_scenario
def test_after_the_end_everything_is_refused(scenario: Scenario) -> None:
    action = None
    for state in sampled(scenario):
        if state.to_act:
            action = state.legal_actions(state.to_act[0])[0]
        elif action is not None:
            for side in state.sides:
                with pytest.raises(Refusal) as refused:
                    state.apply(side, action)
                assert refused.value.code is Code.GAME_OVER


@each_scenario
def test_the_round_never_goes_back_and_stays_at_the_end(scenario: Scenario) -> None:
    state = scenario.start(2)
    last = state.round
    assert last == 1
    for number, (side, action) in enumerate(random_turns(state, 2)):
        state.apply(side, action)
        passed = state.round - last
        # Where all choose at once, rounds in which nobody can act follow within the same action (FX-1.2).
        assert passed >= 0 if state.game.simultaneous else passed in (0, 1)
        last = state.round
        if number == 500:
            break


@each_scenario
def test_legal_lines_cover_every_action_once_and_a_line_of_several_is_none(scenario: Scenario) -> None:
    for state in running(scenario):
        for side in state.to_act:
            notations = [action.notation for action in state.legal_actions(side)]
            covered: list[str] = []
            for line in legal_lines(state.legal_actions(side)):
                prefix = next((n.rpartition(" ")[0] for n in notations if line.startswith(n)), "")
                alternatives = line.removeprefix(prefix).split()
                covered += [f"{prefix} {word}" if prefix else word for word in alternatives]
                if line not in notations:
                    with pytest.raises(Refusal) as refused:
                        state.parse_action(line)
                    assert refused.value.code is Code.MALFORMED_ACTION
                    assert "choose one" in refused.value.reason
            assert sorted(covered) == sorted(notations)
