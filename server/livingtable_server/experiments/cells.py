"""Cells: every combination of factors, and the games that each of them plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product

from livingtable.game import Data
from livingtable_server.experiments.files import Board, Detail, Experiment, Way

FACTORS = ("prompt", "legal", "board", "history", "rules", "detail", "way")


@dataclass(frozen=True, slots=True)
class Variant:
    """One level of each factor. `null`: a twin of the first variant, the same but for its name."""

    prompt: str = "plain"
    legal: bool = True
    board: Board = "text"
    history: int = 0
    rules: bool = False
    detail: Detail = "brief"
    way: Way = "chat"
    null: bool = False

    def to_data(self) -> Data:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game: a variant in one seat of a scenario, by seed. `label` names the variant within its experiment."""

    variant: Variant
    label: str
    scenario: str
    seed: int
    seat: str

    @property
    def id(self) -> str:
        """What it is called in logs; the same on every run of the experiment."""
        return f"{self.label} / {self.scenario} / {self.seed} / {self.seat}"


def variants(experiment: Experiment) -> dict[str, Variant]:
    """All of an experiment by label, the first levels first, their null twin last."""
    levels: list[list[object]] = [getattr(experiment.factors, name) for name in FACTORS]
    varied = [name for name, several in zip(FACTORS, levels, strict=True) if len(several) > 1]
    found = [Variant(**dict(zip(FACTORS, chosen, strict=True))) for chosen in product(*levels)]  # pyright: ignore[reportArgumentType]
    labelled = {label_of(variant, varied): variant for variant in found}
    if experiment.null:
        first, twin = next(iter(labelled.items()))
        labelled[f"{first} (null)"] = replace(twin, null=True)
    return labelled


def label_of(variant: Variant, varied: list[str]) -> str:
    """`cautious` where nothing but the prompt varies, else `prompt=cautious legal=no`."""
    if varied in ([], ["prompt"]):
        return variant.prompt
    return " ".join(f"{name}={_shown(getattr(variant, name))}" for name in varied)


def _shown(level: object) -> str:
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)


def fixtures(experiment: Experiment) -> Iterator[Fixture]:
    """The games of each model: by seed, scenario and seat, and of each the variants one after the other, so that what
    changes with time (a provider's load, a model's version) meets them all alike."""
    labelled = variants(experiment)
    for seed, scenario, seat in product(experiment.seeds, experiment.scenarios, experiment.seats):
        for label, variant in labelled.items():
            yield Fixture(variant, label, scenario, seed, seat)
