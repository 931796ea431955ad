"""Where the commands begin: `living-table`, `living-table-mcp` and `python -m livingtable_server`.

Next to nothing is imported before Ctrl-C is minded: the imports of the command line take a third of a second.
"""

from __future__ import annotations

import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """`living-table`."""
    try:
        from livingtable_server import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # There is nothing left to break off: the exit code stands.


def main_mcp() -> None:
    """`living-table-mcp`: another name for `living-table mcp`."""
    try:
        from livingtable_server import cli

        cli.main_mcp()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # There is nothing left to break off: the exit code stands.


if __name__ == "__main__":
    main()
