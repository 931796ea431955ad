"""The ledger's tables, and every statement on them, in SQL that SQLite and PostgreSQL both understand.

Importing this imports SQLAlchemy, which takes 0.3 s: only `Ledger.open` does.

Texts are stored as ASCII, escaped as in JSON; times as ISO 8601 in UTC with microseconds, so that they sort as text.
When a session was last touched is not stored: it is the time of its latest action.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
    union_all,
    update,
)

SCHEMA = 1
"""The version of these tables. A change to them counts it up and brings a migration."""

metadata = MetaData()

schema_version = Table(
    "schema_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("session_id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("head", Text, nullable=False),
    Column("result", Text),
)
Index("sessions_by_created", sessions.c.created)

actions = Table(
    "actions",
    metadata,
    Column("session_id", Text, ForeignKey(sessions.c.session_id), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("side", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("created", Text, nullable=False),
)

_one = literal_column("1", Integer)
_session_id = bindparam("session_id", type_=Text)
_version = bindparam("version", type_=Integer)
_before = actions.alias("before")
_newest = actions.alias("newest")

BEGIN = text("BEGIN IMMEDIATE")  # SQLite's own: takes the write lock at once, which cannot fail half-way then
COMMIT = text("COMMIT")
ROLLBACK = text("ROLLBACK")

SCHEMA_VERSION = select(schema_version.c.version)

SET_SCHEMA_VERSION = insert(schema_version).values(version=bindparam("version"))

CREATE = insert(sessions).values(
    {name: bindparam(name) for name in ("session_id", "game", "scenario", "created", "head")}
)

# The primary key decides between writers of one version; the condition keeps gaps out, without a question of its own:
# no row comes back where the action before is missing.
APPEND = (
    insert(actions)
    .from_select(
        ["session_id", "version", "side", "action", "events", "created"],
        select(
            _session_id,
            _version,
            bindparam("side", type_=Text),
            bindparam("action", type_=Text),
            bindparam("events", type_=Text),
            bindparam("created", type_=Text),
        ).where(
            or_(
                _version == _one,
                select(_one).where(_before.c.session_id == _session_id, _before.c.version == _version - _one).exists(),
            )
        ),
    )
    .returning(actions.c.version)
)

FINISH = update(sessions).where(sessions.c.session_id == bindparam("of_session")).values(result=bindparam("ended"))

# One statement, and so one moment: the head with the result as version 0, then the actions.
LOAD = union_all(
    select(
        literal_column("0", Integer).label("version"),
        literal_column("''", Text).label("side"),
        sessions.c.head.label("action"),
        sessions.c.result.label("events"),
    ).where(sessions.c.session_id == _session_id),
    select(actions.c.version, actions.c.side, actions.c.action, actions.c.events).where(
        actions.c.session_id == _session_id
    ),
).order_by("version")

ENTRIES_AFTER = (
    select(actions.c.version, actions.c.side, actions.c.action, actions.c.events)
    .where(actions.c.session_id == _session_id, actions.c.version > _version)
    .order_by(actions.c.version)
)

_latest_version = (
    select(func.max(actions.c.version))
    .where(actions.c.session_id == sessions.c.session_id)
    .correlate(sessions)
    .scalar_subquery()
)

LATEST_VERSION = select(func.coalesce(_latest_version, 0)).where(sessions.c.session_id == _session_id)

_listing = (
    select(
        sessions.c.session_id,
        sessions.c.created,
        func.coalesce(_newest.c.created, sessions.c.created),
        func.coalesce(_newest.c.version, 0),
        sessions.c.result,
        sessions.c.head,
    )
    .select_from(
        sessions.outerjoin(
            _newest, and_(_newest.c.session_id == sessions.c.session_id, _newest.c.version == _latest_version)
        )
    )
    .order_by(sessions.c.created.desc(), sessions.c.session_id)
    .limit(bindparam("most", type_=Integer))
)

LISTINGS: dict[bool | None, Select[str, str, str, int, str | None, str]] = {
    None: _listing,
    True: _listing.where(sessions.c.result.is_(None)),
    False: _listing.where(sessions.c.result.is_not(None)),
}
"""By `active`: all sessions, those without a result, those with one."""
