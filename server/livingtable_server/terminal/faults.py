"""What went wrong in a command, split by whose mistake it was, and the one line that is said about it."""

from __future__ import annotations

import os
import sys
import traceback

from livingtable.errors import RecordError, Refusal, ScenarioError, UnknownNameError, innermost
from livingtable.game import printable
from livingtable_server.settings import DEBUG_VARIABLE
from livingtable_server.store.errors import StoreError

FAULT, WRONG_USE, INTERRUPTED = 1, 2, 130
"""Exit codes: ours, the user's, and the shell's for Ctrl-C."""


class UseError(Exception):
    """The command was not used rightly, or cannot do it here; the text says what to do instead."""


def report(error: BaseException) -> int:
    """Says on one line of stderr what went wrong and returns the exit code for it."""
    error = innermost(error)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if _is_users(error):
        complain(str(error))
        return WRONG_USE
    if os.environ.get(DEBUG_VARIABLE, "") not in ("", "0"):
        traceback.print_exception(error)
    shown = " ".join(f"{type(error).__name__}: {error}".split())
    complain(f"a fault of the program ({shown[:300]}); set {DEBUG_VARIABLE}=1 to see where, and report it, please")
    return FAULT


def complain(text: str) -> None:
    """One line on stderr, whatever the text holds."""
    sys.stderr.write(f"living-table: {printable(' '.join(text.split()))}\n")


def complain_of_scenario(file: str, key: str, reason: str) -> None:
    """Of a user's file that is none, and so is left out."""
    complain(": ".join(part for part in (file, key, reason) if part))


def _is_users(error: BaseException) -> bool:
    if isinstance(error, UseError | StoreError | UnknownNameError | ScenarioError | RecordError | Refusal):
        return True
    # Whoever raises one of these has imported it: the serving path need not.
    errors = sys.modules.get("livingtable_server.sessions.errors")
    return errors is not None and isinstance(error, errors.TableError)
