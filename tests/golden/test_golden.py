"""The golden transcripts: what changes in one of them is a change in the rules, the boards, the dice or a bot.

If it is meant, `python -m tests.golden.write` writes them anew.
"""

from __future__ import annotations

import pytest
from tests.contract.playing import shipped
from tests.golden.transcripts import FOLDER, file_of, transcript

from livingtable.scenarios import Scenario


@pytest.mark.parametrize("scenario", shipped(), ids=lambda scenario: scenario.name)
def test_the_transcript_is_as_written_byte_for_byte(scenario: Scenario) -> None:
    file = file_of(scenario)
    assert file.exists(), "no golden transcript: python -m tests.golden.write"
    assert file.read_bytes().decode() == transcript(scenario), "if this is meant: python -m tests.golden.write"


def test_there_is_a_transcript_a_scenario_and_none_without() -> None:
    assert set(FOLDER.glob("*/*.txt")) == {file_of(scenario) for scenario in shipped()}
