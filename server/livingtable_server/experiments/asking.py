"""Asking models through Inspect: a core's messages to Inspect's and back, and what a call took."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    Model,
    ModelOutput,
    ModelUsage,
)

from livingtable_server.experiments.files import Price
from livingtable_server.experiments.play import Message, Reply
from livingtable_server.experiments.purse import Purse, cost_of

CUT_SHORT = ("max_tokens", "model_length")
"""Inspect's words for an answer that ended at the limit of tokens, its own or the model's."""


class Asker:
    """Asks the model of a seat in a chat, and pays for it. `talk` is all that was said, for the log."""

    def __init__(
        self, models: Mapping[str, Model], prices: Mapping[str, Price | None], purse: Purse, talk: list[ChatMessage]
    ) -> None:
        self._models = models
        self._prices = prices
        self._purse = purse
        self._talk = talk

    async def __call__(self, side: str, messages: Sequence[Message]) -> Reply:
        """Raises `PurseEmptyError`, and what the provider raises after its own retries."""
        self._purse.check()
        said = [to_inspect(message) for message in messages]
        output = await self._models[side].generate(said)
        reply = reply_of(output, self._prices.get(side))
        self._purse.pay(reply.cost)
        self._talk += [*(said[:1] if not self._talk else []), said[-1], message_of(output)]
        return reply


def to_inspect(message: Message) -> ChatMessage:
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "assistant":
            return ChatMessageAssistant(content=message.text)
        case "user":
            return ChatMessageUser(content=_content(message))


def _content(message: Message) -> str | list[Content]:
    if message.picture is None:
        return message.text
    picture = f"data:image/png;base64,{base64.b64encode(message.picture).decode()}"
    return [ContentImage(image=picture), ContentText(text=message.text)]


def reply_of(output: ModelOutput, price: Price | None) -> Reply:
    """An empty answer is an answer, too; of one that was cut short by the limit of tokens it is said."""
    usage = output.usage
    read, written = tokens_of(usage) if usage else (0, 0)
    cost = usage.total_cost if usage and price is None else cost_of(read, written, price)
    text = output.completion if output.choices else ""
    cut = bool(output.choices) and output.stop_reason in CUT_SHORT
    return Reply(text, read, written, cost, output.time or 0.0, cut)


def message_of(output: ModelOutput) -> ChatMessageAssistant:
    """Also of a model that has said nothing at all."""
    return output.message if output.choices else ChatMessageAssistant(content="")


def tokens_of(usage: ModelUsage) -> tuple[int, int]:
    """Read, from a cache or not, and written."""
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached, usage.output_tokens
