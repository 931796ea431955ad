"""How the options that several commands have are written; `terminal.options` reads what was given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from livingtable.game import MAX_SEED

Store = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="The ledger: sqlite:///PATH, sqlite:// for memory, or postgresql://USER@HOST/DATABASE."
    ),
]
Scenarios = Annotated[list[Path] | None, typer.Option(metavar="DIR", help="Your own scenarios; may be repeated.")]
Health = Annotated[
    str | None, typer.Option("--health", "-H", metavar="N", help="Starting health, above a scenario's own.")
]
ScenarioName = Annotated[str, typer.Option("--scenario", metavar="NAME", help="Which scenario to play.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="Decides the dice; drawn if left out.")
]
Side = Annotated[str | None, typer.Option(metavar="SEAT", help="Which seat; the first if left out.")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Where the record goes; else a new file in your data folder.")
]
