"""What can be wrong with an experiment before anything is played."""

from __future__ import annotations


class ExperimentError(Exception):
    """An experiment cannot be run. `source` says which file, `key` the place in it (`factors.prompt[1]`), `reason` what
    is wrong and what would be right."""

    def __init__(self, source: str, key: str, reason: str) -> None:
        super().__init__(": ".join(part for part in (source, key, reason) if part))
        self.source = source
        self.key = key
        self.reason = reason
