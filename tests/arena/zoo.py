"""Agents that do whatever an agent should not, and which processes are left of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

BAD_AGENTS = '''
import os, signal, subprocess, sys, threading, time

def note_group():
    """For the test, which looks for what is left of it."""
    with open(os.path.join(os.path.dirname(__file__), "groups"), "a") as groups:
        groups.write(f"{os.getpgrp()}\\n")

note_group()

def channels():
    """What no agent should look for: the pipes by which it answers."""
    for descriptor in range(3, 30):
        try:
            if os.readlink(f"/proc/self/fd/{descriptor}").startswith("pipe:"):
                os.write(descriptor, b"")  # Only one that can be written to.
                yield descriptor
        except OSError:
            pass

def channel():
    return next(channels())

# These play on.

def prints(view, legal):
    print("thinking")
    os.write(1, b"thinking aloud\\n")
    subprocess.run(["echo", "thinking elsewhere"])
    return legal[0]

def prints_a_lot(view, legal):
    for _ in range(300):
        os.write(2, b"x" * 9_999 + b"\\n")
    return legal[0]

def reads_stdin(view, legal):
    assert sys.stdin.read() == ""
    return legal[0]

def closes_stdout(view, legal):
    os.closerange(1, 2)
    return legal[0]

def forks_and_leaves_a_child_behind(view, legal):
    if os.fork() == 0:
        time.sleep(600)
    return legal[0]

def catches_signals(view, legal):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    return legal[0]

def says_thirty_thousand_signs(view, legal):
    return {"notation": legal[0].notation, "why": "x" * 30_000}

# These forfeit.

def writes_garbage(view, legal):
    os.write(channel(), b"garbage\\n")
    return legal[0]

def writes_bytes_that_are_no_text(view, legal):
    os.write(channel(), b"\\xff\\xfe\\x00{\\n")
    return legal[0]

def writes_json_of_another_shape(view, legal):
    os.write(channel(), b"[1, 2]\\n")
    return legal[0]

def writes_deep_json(view, legal):
    os.write(channel(), b"[" * 60_000 + b"\\n")
    return legal[0]

def writes_a_long_number(view, legal):
    os.write(channel(), b"9" * 6_000 + b"\\n")
    return legal[0]

def answers_twice(view, legal):
    os.write(channel(), b'{"number": 1, "choice": "pass"}\\n{"number": 1, "choice": "pass"}\\n')
    return legal[0]

def answers_before_it_is_asked(view, legal):
    os.write(channel(), b'{"number": 1, "choice": "pass"}\\n{"number": 9, "choice": "pass"}\\n')
    return legal[0]

def answers_half_a_line(view, legal):
    os.write(channel(), b'{"number": 1, "choi')
    os._exit(0)

def answers_at_length(view, legal):
    return "x" * 300_000_000

def writes_without_an_end(view, legal):
    while True:
        os.write(channel(), b"x" * 65_536)

def writes_lines_without_an_end(view, legal):
    while True:
        os.write(channel(), b'{"number": 99}\\n' * 4_000)

def closes_the_channel(view, legal):
    for descriptor in [*channels()]:
        os.close(descriptor)
    time.sleep(600)

def closes_everything(view, legal):
    os.closerange(0, 100)
    return legal[0]

def answers_late(view, legal):
    time.sleep(600)
    return legal[0]

def spins(view, legal):
    while True:
        pass

def asked():
    with open(os.path.join(os.path.dirname(__file__), "asked"), "w"):
        pass

def forks_a_tree_and_waits(view, legal):
    catches_signals(view, legal)
    for _ in range(3):
        os.fork()
    asked()
    time.sleep(600)

def spins_in_c(view, legal):
    """Without a thought for other threads."""
    asked()
    return sum(range(10 ** 13))

def sleeps_and_ignores_signals(view, legal):
    catches_signals(view, legal)
    time.sleep(600)

def forks_a_sleeper_and_leaves(view, legal):
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)

def forks_a_tree_and_leaves(view, legal):
    for _ in range(3):
        os.fork()
    if os.getpid() != os.getpgrp():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    raise SystemExit("a tree is left")

def starts_a_program_and_leaves(view, legal):
    subprocess.Popen(["sleep", "600"])
    sys.exit()

def leaves_quietly(view, legal):
    os._exit(0)

def leaves_with_a_code(view, legal):
    os._exit(7)

def leaves_in_words(view, legal):
    sys.exit("enough of this")

def ends_itself(view, legal):
    os.kill(os.getpid(), signal.SIGKILL)

def aborts(view, legal):
    os.abort()

def raises(view, legal):
    raise RuntimeError("no idea")

def raises_more_than_an_error(view, legal):
    raise KeyboardInterrupt("no idea")

def raises_what_cannot_be_said(view, legal):
    class Mute(Exception):
        def __str__(self):
            raise ValueError("mute")
    raise Mute

def recurses(view, legal):
    return recurses(view, legal)

def gives_none(view, legal):
    return None

def gives_a_number(view, legal):
    return 7

def gives_not_a_number(view, legal):
    return float("nan")

def gives_bytes(view, legal):
    return b"pass"

def gives_an_empty_object(view, legal):
    return {}

def gives_an_object(view, legal):
    return {"type": "move", "to": {"x": [1, None, True]}, "n": 10 ** 400}

def gives_half_a_pair(view, legal):
    return "move \\ud800"

def gives_what_bites(view, legal):
    class Biting(dict):
        def items(self):
            raise OSError("bitten")
    return Biting(a=1)

def gives_itself_in_itself(view, legal):
    found = {}
    found["action"] = found
    return found

class CannotBeMade:
    def __init__(self, side, seed):
        raise RuntimeError("no such thing")

class LeavesWhileItIsMade:
    def __init__(self, side, seed):
        sys.exit(3)

class HasNoChoose:
    def __init__(self, side, seed):
        pass
'''


def left_of(groups: Path, seconds: float = 10.0) -> list[int]:
    """The processes of the groups that a file names which are there still, after so long at most."""
    numbers = set(map(int, groups.read_text("utf-8").split())) if groups.exists() else set[int]()
    last = time.monotonic() + seconds
    while (found := [process for process in _processes() if _group_of(process) in numbers]) and time.monotonic() < last:
        time.sleep(0.02)
    return found


def until(there: Callable[[], bool], seconds: float = 120.0) -> None:
    """Waits for it, so long at most."""
    last = time.monotonic() + seconds
    while not there() and time.monotonic() < last:
        time.sleep(0.02)


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _group_of(process: int) -> int:
    """0 of one that has ended, and waits for nothing but to be forgotten."""
    try:
        state, _, group = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(") ")[2].split()[:3]
    except (OSError, ValueError):
        return 0
    return 0 if state in "ZX" or process == os.getpid() else int(group)
