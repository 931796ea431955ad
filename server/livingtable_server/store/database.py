"""What the ledger asks of a database, and the statements as it takes them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from livingtable_server.store.stored import Row

if TYPE_CHECKING:
    from sqlalchemy import ClauseElement
    from sqlalchemy.engine import Dialect

Done = TypeVar("Done")
Values = Mapping[str, Any]
Run = Callable[["ClauseElement", Values], Awaitable[list[Row]]]
"""Runs one statement with its values, and returns the rows that it gives."""


class Database(Protocol):
    """A database of the ledger's own. Whatever the driver raises comes out as `Conflict` or `StoreError`."""

    @property
    def name(self) -> str:
        """As it is shown to people: without a password."""
        ...

    @property
    def notifies(self) -> bool:
        """Whether other processes' changes are told now."""
        ...

    def awaited(self) -> AbstractContextManager[None]:
        """Held as long as somebody waits for changes to be told."""
        ...

    @property
    def table_names(self) -> ClauseElement:
        """The statement that lists the tables there are."""
        ...

    @property
    def bytes_used(self) -> ClauseElement:
        """The statement that says how many bytes the ledger takes."""
        ...

    async def rows(self, statement: ClauseElement, values: Values) -> list[Row]:
        """Runs one statement, which is its own transaction."""
        ...

    async def transaction(self, work: Callable[[Run], Awaitable[Done]], *, alone: bool = False) -> Done:
        """All that `work` runs, or nothing of it; `alone`: while no other process does the same."""
        ...

    async def try_writing(self) -> None:
        """Writes something that changes nothing, to see whether that works. Raises `StoreError`, or `NotReadyError`
        where the reason is known."""
        ...

    async def close(self) -> None:
        """After the calls that are under way. Closing again does nothing."""
        ...


class Statements:
    """Statements of SQLAlchemy as SQL of one dialect, each written once.

    The driver is handed the SQL directly: SQLAlchemy's own way of running it costs more than the database does.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._prepared: dict[ClauseElement, tuple[str, list[tuple[str, Any]]]] = {}

    def prepared(self, statement: ClauseElement, values: Values) -> tuple[str, list[Any]]:
        """The SQL, and the values in the order of its places."""
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = self._prepared[statement] = self._written(statement)
        sql, places = prepared
        return sql, [values.get(name, fixed) for name, fixed in places]

    def _written(self, statement: ClauseElement) -> tuple[str, list[tuple[str, Any]]]:
        """The SQL, and for each of its places the name of the value and what it is where none is given."""
        from sqlalchemy.sql.compiler import SQLCompiler

        compiled = statement.compile(dialect=self._dialect)
        if not isinstance(compiled, SQLCompiler):  # what makes a table has no places
            return str(compiled), []
        fixed = cast("dict[str, Any]", compiled.params)
        return str(compiled), [(name, fixed[name]) for name in compiled.positiontup or ()]
