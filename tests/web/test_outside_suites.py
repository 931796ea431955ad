"""What the MCP project itself holds servers against: its conformance suite, and its Inspector's command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.web.ci_tools import run_tool
from tests.web.serving import Site

REVISIONS = ("2025-11-25", "2026-07-28")
EXPECTED: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("conformance_expected.json").read_text("utf-8")
)
"""By revision of the protocol the scenarios, or single checks of one, that fail here, and why."""


def test_what_is_expected_to_fail_needs_a_fixture_or_what_the_table_does_not_declare() -> None:
    assert sorted(EXPECTED) == sorted(REVISIONS)
    for reasons in EXPECTED.values():
        assert [
            why
            for why in reasons.values()
            if why.split()[0] not in ("fixture:", "capability", "extension", "stateless:")
        ] == []


@pytest.mark.slow
@pytest.mark.parametrize("revision", REVISIONS)
def test_the_conformance_suite_passes_but_for_what_is_expected(site: Site, tmp_path: Path, revision: str) -> None:
    """The suite also fails where something passes that is expected to fail."""
    expected = tmp_path / "expected.yaml"
    expected.write_text(json.dumps({"server": sorted(EXPECTED[revision])}), "utf-8")
    arguments = ["server", "--url", f"{site.url}/mcp", "--requirements", revision]
    done = run_tool(tmp_path, "conformance", *arguments, "--expected-failures", str(expected))
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr


@pytest.mark.slow
def test_the_inspector_finds_no_fault_in_the_tools(site: Site, tmp_path: Path) -> None:
    done = run_tool(tmp_path, "inspector", "--cli", f"{site.url}/mcp", "--method", "tools/list", "--strict")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "new_game" in [tool["name"] for tool in json.loads(done.stdout)["tools"]]


@pytest.mark.slow
def test_the_inspector_plays(site: Site, tmp_path: Path) -> None:
    call = ["--cli", f"{site.url}/mcp", "--method", "tools/call", "--tool-name"]
    begun = run_tool(tmp_path, "inspector", *call, "new_game", "--tool-arg", "scenario=crossroads", "side=p1")
    session = json.loads(begun.stdout)["structuredContent"]["sessionId"]
    played = run_tool(
        tmp_path, "inspector", *call, "submit_action", "--tool-arg", f"sessionId={session}", "notation=pass"
    )
    assert json.loads(played.stdout)["structuredContent"]["ok"] is True
