"""`python -m tests.golden.write` writes the golden transcripts anew: look at what changed, then commit it."""

from __future__ import annotations

import sys

from tests.contract.playing import shipped
from tests.golden.transcripts import FOLDER, file_of, transcript


def main() -> int:
    expected = {file_of(scenario): transcript(scenario) for scenario in shipped()}
    for file in sorted(set(FOLDER.glob("*/*.txt")) - set(expected)):
        file.unlink()
        print(f"removed {file.relative_to(FOLDER)}")  # noqa: T201
    for file, text in expected.items():
        file.parent.mkdir(exist_ok=True)
        changed = not file.exists() or file.read_bytes() != text.encode()
        file.write_bytes(text.encode())
        print(f"{'written' if changed else 'unchanged'} {file.relative_to(FOLDER)}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
