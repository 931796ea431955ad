"""Who may import whom: the contracts of pyproject.toml, and that the server knows no game by name."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
SERVER = CHECKOUT / "server" / "livingtable_server"

GAMES = re.compile(r"botwars|skirmish|foxhunt", re.IGNORECASE)


def may_name_a_game(file: Path) -> bool:
    """The games' boards and the lobby may: they are made for one game."""
    inside = file.relative_to(SERVER)
    return inside.parts[:2] == ("web", "static") or (inside.parts[0] == "web" and "lobby" in inside.as_posix())


def test_every_import_keeps_the_contracts() -> None:
    lint_imports = shutil.which("lint-imports", path=sysconfig.get_path("scripts"))
    assert lint_imports, "import-linter is not installed"
    done = subprocess.run(
        [lint_imports, "--no-cache", "--no-logo"],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, "lint-imports found the imports shown below"


def test_no_file_of_the_server_names_a_game() -> None:
    files = [f for f in SERVER.rglob("*") if f.is_file() and f.suffix != ".pyc" and not may_name_a_game(f)]
    naming = [
        f"{file.relative_to(CHECKOUT)}:{number}: {line.strip()}"
        for file in sorted(files)
        for number, line in enumerate(file.read_text("utf-8", errors="replace").splitlines(), 1)
        if GAMES.search(f"{line}\n{file.name}")
    ]
    assert files
    assert not naming, "\n".join(naming)
