"""What `.ci/tools` has put into a folder of the user's: tools from npm, and an environment with LangChain's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
FOLDER = Path(os.environ.get("LIVING_TABLE_TOOLS") or _CACHE / "living-table" / "tools")
BIN = FOLDER / "node_modules" / ".bin"
_LANGCHAIN = FOLDER / "langchain"
_CHECKOUT = Path(__file__).parents[2]


def run_tool(home: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A tool under the Node that came with it, with a home folder of the test's own."""
    _skip_without(FOLDER / "installed", name)
    return _run(home, str(BIN / name), *arguments, PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}", NO_COLOR="1")


def run_with_langchain(home: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A module of the tests under the Python that has `langchain-mcp-adapters`, and nothing of ours."""
    _skip_without(_LANGCHAIN / "installed", "langchain-mcp-adapters")
    python = str(_LANGCHAIN / "bin" / "python")
    return _run(home, python, "-P", "-m", module, *arguments, PYTHONPATH=str(_CHECKOUT), LANGSMITH_TRACING="false")


def _skip_without(mark: Path, name: str) -> None:
    """Skips the test where that is not installed, but on CI, which installs it."""
    if not mark.exists() and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed; .ci/tools installs it")


def _run(home: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(home), **environment}
    return subprocess.run(command, cwd=home, env=env, capture_output=True, text=True)
