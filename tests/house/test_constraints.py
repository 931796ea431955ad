"""constraints.txt pins all that an install with the test extra brings, and nothing but names and versions; so does the
list of what the tests have in an environment beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).parents[2]

# The pins are made on the oldest Python, on Linux; elsewhere a few packages more may be needed, and are free.
MADE_ON = {
    "os_name": "posix",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
    "python_version": "3.11",
    "python_full_version": "3.11.7",
}


FILES = ("constraints.txt", ".ci/langchain.txt")


def lines(file: str = "constraints.txt") -> list[str]:
    return [line for line in (CHECKOUT / file).read_text("utf-8").splitlines() if line[:1] != "#"]


def pins() -> dict[str, str]:
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines())}


def declared() -> list[Requirement]:
    project: dict[str, Any] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    return [Requirement(text) for text in (*project["dependencies"], *project["optional-dependencies"]["test"])]


def wanted(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**MADE_ON, "extra": extra}) for extra in extras)


def needed(requirements: Iterable[Requirement]) -> Iterator[Requirement]:
    """These, and all that they need in turn, as far as it is installed."""
    waiting = list(requirements)
    seen: set[tuple[str, str]] = set()
    while waiting:
        requirement = waiting.pop()
        yield requirement
        for extra in {"", *requirement.extras}:
            if (requirement.name, extra) in seen:
                continue
            seen.add((requirement.name, extra))
            try:
                further = requires(requirement.name) or []
            except PackageNotFoundError:
                continue
            waiting += [r for r in map(Requirement, further) if wanted(r, [extra])]


@pytest.mark.parametrize("file", FILES)
def test_every_line_is_a_name_and_an_exact_version(file: str) -> None:
    assert [line for line in lines(file) if not re.fullmatch(r"[A-Za-z0-9][\w.-]*==\d[\w.+!]*", line)] == []


@pytest.mark.parametrize("file", FILES)
def test_the_lines_are_sorted_and_no_name_stands_twice(file: str) -> None:
    names = [line.partition("==")[0].lower() for line in lines(file)]
    assert names == sorted(set(names))


def not_met(requirements: Iterable[Requirement]) -> list[str]:
    """The requirements that have no pin, or one outside their range."""
    pinned = pins()
    found = {(str(r), pinned.get(canonicalize_name(r.name))) for r in requirements}
    return sorted(
        f"{text}: {version or 'not pinned'}"
        for text, version in found
        if version is None or not Requirement(text).specifier.contains(version, prereleases=True)
    )


def test_every_declared_dependency_is_pinned_within_its_range() -> None:
    assert not_met(declared()) == []


def test_everything_that_these_need_in_turn_is_pinned_within_its_range() -> None:
    assert not_met(needed(declared())) == []


def test_nothing_is_pinned_that_nothing_needs() -> None:
    assert sorted(pins().keys() - {canonicalize_name(r.name) for r in needed(declared())}) == []
