"""Tools from npm, where `.ci/tools` has put them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
FOLDER = Path(os.environ.get("LIVING_TABLE_TOOLS") or _CACHE / "living-table" / "tools")
BIN = FOLDER / "node_modules" / ".bin"


def run_tool(home: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A tool under the Node that came with it, with a home folder of the test's own. The test is skipped without it,
    but on CI, which installs it."""
    if not (FOLDER / "installed").exists() and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed; .ci/tools installs it")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(BIN / name), *arguments],
        cwd=home,
        env={**os.environ, "PATH": path, "HOME": str(home), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
