"""The code is linted, formatted and typed. These are the commands that a developer runs by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]

# Else pyright asks a registry whether there is a newer version of it.
OFFLINE = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}


def check(*module_and_arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *module_and_arguments],
        cwd=CHECKOUT,
        env=OFFLINE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, f"{' '.join(module_and_arguments)} found the faults shown below"


def test_ruff_finds_nothing_to_say() -> None:
    check("ruff", "check")


def test_ruff_would_format_nothing_anew() -> None:
    check("ruff", "format", "--check", "--diff")


@pytest.mark.slow
def test_pyright_finds_every_type_strictly_right() -> None:
    # The interpreter is named: the environment that runs the tests need not be the checkout's .venv.
    check("pyright", "--warnings", "--pythonpath", sys.executable)
