"""A game in a chat: the model is shown a position and answers with an action, as often as it is to choose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from anyio import to_thread

from livingtable_server.experiments.cells import Variant
from livingtable_server.experiments.files import OnFailure
from livingtable_server.experiments.observation import observe
from livingtable_server.experiments.parsing import Kind, judge
from livingtable_server.experiments.table import Attempt, AttemptKind, Decision, Table, in_its_place


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    text: str
    picture: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer and what it took; `cost` in dollars, None where no price is known."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    seconds: float = 0.0
    cut: bool = False
    """Whether the provider's limit of tokens cut it short."""


CUT = "the answer was cut off at the limit of tokens before it came to an action; give a shorter one"
"""The reason that is told of it."""
Ask = Callable[[str, Sequence[Message]], Awaitable[Reply]]
"""Gives the messages to the model of a seat."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a game is played; `variants` and `prompts` (what a model is told at the beginning) are by seat."""

    variants: Mapping[str, Variant]
    prompts: Mapping[str, str]
    retries: int = 2
    on_failure: OnFailure = "forfeit"
    max_decisions: int = 200
    """Of one seat."""
    agree_with: str = ""


async def play_chat(table: Table, terms: Terms, ask: Ask) -> None:
    """Plays the game to its end, a forfeit or the limit; everything that happened is in the table."""
    histories: dict[str, list[Message]] = {side: [] for side in table.models}
    while not table.over:
        side = table.to_decide()
        if side is None:
            await to_thread.run_sync(table.play_bot)
        elif sum(d.side == side for d in table.decisions) >= terms.max_decisions:
            table.cut_off()
        else:
            await _decide(table, side, terms, ask, histories[side])


async def _decide(table: Table, side: str, terms: Terms, ask: Ask, history: list[Message]) -> None:
    """One decision, with its retries. `history` are the earlier ones, which it adds itself to."""
    variant = terms.variants[side]
    decision = table.begin_decision(side)
    shown = observe(table.state, side, table.recording.version, variant, table.news(side))
    if terms.agree_with:
        decision.advised = await to_thread.run_sync(table.advice, side, terms.agree_with)
    talk = [Message("user", shown.text, shown.picture)]
    said = ""
    told = [Message("system", terms.prompts[side])]
    for tries_left in range(terms.retries, -1, -1):
        reply = await ask(side, [*told, *_recent(history, variant.history), *talk])
        verdict = judge(reply.text, table.state, side)
        kind, reason = kind_of(verdict.kind, reply.cut), verdict.reason
        reason = CUT if kind == "cut" else reason
        decision.attempts.append(_attempt(reply, kind, verdict.said, reason))
        talk.append(Message("assistant", reply.text))
        if verdict.action is not None:
            table.play(decision, verdict.action, "model")
            said = reply.text
            break
        talk.append(Message("user", refusal_text(kind, reason, tries_left)))
    else:
        fail(table, decision, terms.on_failure)
    history += [talk[0], Message("assistant", said or f"ACTION: {decision.notation}")]


def kind_of(kind: Kind, cut: bool) -> AttemptKind:
    """An answer that was cut short before it came to its action is no sign of bad form."""
    return "cut" if cut and kind == "unparsable" else kind


def _attempt(reply: Reply, kind: AttemptKind, said: str, reason: str) -> Attempt:
    return Attempt(kind, said, reason, reply.tokens_in, reply.tokens_out, reply.cost, reply.seconds)


def _recent(history: Sequence[Message], decisions: int) -> Sequence[Message]:
    return history[-2 * decisions :] if decisions else ()


def refusal_text(kind: str, reason: str, tries_left: int) -> str:
    """What a model is told after an answer that was not accepted."""
    tries = "That was the last try." if not tries_left else f"Answer again; tries left: {tries_left}."
    return f"refused ({kind}): {reason}\nNothing has changed. {tries}"


def fail(table: Table, decision: Decision, on_failure: OnFailure) -> None:
    """After the last try: the game is given up, or something is played in the model's place."""
    if on_failure == "forfeit":
        table.give_up(decision.side, decision.attempts[-1].kind if decision.attempts else "unparsable")
    else:
        recording = table.recording
        action = in_its_place(table.state, decision.side, recording.seed, recording.version, on_failure)
        table.play(decision, action, on_failure)
