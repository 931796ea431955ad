"""Whether the server lives, and whether it can keep what players do: two questions, for those who watch over it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from livingtable.game import Data
from livingtable.version import __version__
from livingtable_server.sessions.errors import UnavailableError
from livingtable_server.sessions.live import LiveSessions
from livingtable_server.store.errors import NotReadyError, StoreError
from livingtable_server.web.answers import Answer
from livingtable_server.web.problems import RETRY_SECONDS, Problem
from livingtable_server.web.settings import Crew

FRESH_SECONDS = 1.0
"""For so long an answer of the store is given again, however many ask."""
ANSWER_SECONDS = 1.5
"""Which the store has to answer; the question itself goes on, and no other is asked meanwhile."""

TOO_SLOW = "The store does not answer in time."

logger = logging.getLogger("livingtable.web")


class Readiness:
    """Asks the store, one question at a time. `clock` gives the seconds by which an answer gets old."""

    def __init__(self, live: LiveSessions, clock: Callable[[], float], crew: Crew | None) -> None:
        self._live = live
        self._clock = clock
        self._crew = crew
        self._asking: asyncio.Task[None] | None = None
        self._asked_at = 0.0
        self._answered_at: float | None = None
        self._reason: str | None = None
        self._told: str | None = None

    def health(self) -> Data:
        """`/healthz`: asks nothing."""
        return {"status": "ok", **self._about()}

    async def answer(self) -> Answer:
        """`/readyz`."""
        reason = await self.reason()
        if reason is None:
            return Answer({"status": "ready", **self._about()})
        return Problem(503, reason, {"Retry-After": str(RETRY_SECONDS)})

    async def reason(self) -> str | None:
        """Why nothing can be kept now, without addresses and paths; None if all is well."""
        now = self._clock()
        asking = self._asking
        if asking is None:
            if self._answered_at is not None and now - self._answered_at < FRESH_SECONDS:
                return self._reason
            asking = self._asking = asyncio.create_task(self._ask())
            self._asked_at = now
        answered, _ = await asyncio.wait([asking], timeout=max(0.0, self._asked_at + ANSWER_SECONDS - now))
        if not answered:
            self._tell(TOO_SLOW, "")
            return TOO_SLOW
        return self._reason

    async def _ask(self) -> None:
        reason, detail = None, ""
        try:
            await (await self._live.ledger()).check_ready()
        except NotReadyError as error:
            reason, detail = error.reason, str(error)
        except (UnavailableError, StoreError) as error:
            reason, detail = "The store cannot be opened.", str(error)
        except Exception as error:
            logger.error("the store could not be asked", exc_info=error)
            reason = "The store cannot be asked."
        finally:
            self._asking, self._answered_at = None, self._clock()
        self._reason = reason
        self._tell(reason, detail)

    def _tell(self, reason: str | None, detail: str) -> None:
        """The operator, once for each change."""
        if reason == self._told:
            return
        self._told = reason
        if reason is None:
            logger.info("the store is ready again")
        else:
            logger.warning("the store is not ready", extra={"more": {"reason": reason, "detail": detail}})

    def _about(self) -> Data:
        return {"version": __version__, **({"workers": self._crew.to_data()} if self._crew else {})}
