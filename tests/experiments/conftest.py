from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from tests.experiments.runs import inspects_warnings_left_to_itself
from tests.experiments.scripted import Scripted, scripted_server
from tests.server.commands import Said, Shell

from livingtable.scenarios import ScenarioLibrary
from livingtable_server.experiments.prompts import PromptLibrary


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def library() -> ScenarioLibrary:
    return ScenarioLibrary()


@pytest.fixture(scope="session")
def prompts(library: ScenarioLibrary) -> PromptLibrary:
    return PromptLibrary(library)


@pytest.fixture
def scripted() -> Generator[Scripted]:
    with scripted_server() as running:
        yield running


class ExperimentShell(Shell):
    def __call__(self, *arguments: str | Path) -> Said:
        with inspects_warnings_left_to_itself():
            return super().__call__(*arguments)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for variable in ("LIVING_TABLE_SCENARIOS", "LIVING_TABLE_STORE", "LIVING_TABLE_DEBUG", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return ExperimentShell(tmp_path, capsys)
