"""Ends the processes of agents whose tournament was killed: run as a script, one for each process that plays.

It hears on stdin of each group of processes that is begun (`+NUMBER`) and ended (`-NUMBER`). When nothing more can
come, because whoever told it has ended, it kills the groups that are left.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin.buffer:
        sign, group = line[:1], int(line[1:])
        if sign == b"+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
