"""The ledger's tables, and every statement on them, in SQL that SQLite and PostgreSQL both understand.

Importing this imports SQLAlchemy, which takes 0.3 s: only `Ledger.open` does.

How texts and times stand in the columns is told in `stored`. When a session was last touched is not stored: it is the
time of its latest action.
"""

from __future__ import annotations

from sqlalchemy import (
    Case,
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
    case,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_where_free  # SQLite writes its ON CONFLICT the same way

SCHEMA = 2
"""The version of these tables. A change to them counts it up and brings a step in `migrations`."""

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

rooms = Table(
    "rooms",
    metadata,
    Column("code", Text, primary_key=True),
    Column("session_id", Text, ForeignKey(sessions.c.session_id), nullable=False, unique=True),
    Column("created", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("closed", Text),  # when; NULL while it is open
)
Index("rooms_by_created", rooms.c.created)

presence = Table(
    "presence",
    metadata,
    Column("code", Text, ForeignKey(rooms.c.code), primary_key=True),
    Column("side", Text, primary_key=True),
    Column("seen", Text, nullable=False),
)

lobbies = Table(
    "lobbies",
    metadata,
    Column("name", Text, primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("data", Text, nullable=False),
)

_one = literal_column("1", Integer)
_session_id = bindparam("session_id", type_=Text)
_version = bindparam("version", type_=Integer)
_before = actions.alias("before")
_newest = actions.alias("newest")

SCHEMA_VERSION = select(schema_version.c.version)

SET_SCHEMA_VERSION = insert(schema_version).values(version=bindparam("version"))

TRY_WRITING = update(schema_version).values(version=schema_version.c.version)
"""A write like any other, to the disk, that changes nothing."""

RAISE_SCHEMA_VERSION = update(schema_version).values(version=bindparam("now", type_=Integer))

CREATE = insert(sessions).values(
    {name: bindparam(name) for name in ("session_id", "game", "scenario", "created", "head")}
)

# The primary key decides between writers of one version; the condition keeps gaps out, without a question of its own.
# No row comes back where the version is taken, or the action before is missing.
APPEND = (
    insert_where_free(actions)
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
    .on_conflict_do_nothing()
    .returning(actions.c.session_id)
)

FINISH = update(sessions).where(sessions.c.session_id == bindparam("of_session")).values(result=bindparam("ended"))

HEAD = select(sessions.c.head).where(sessions.c.session_id == _session_id)

SET_HEAD = update(sessions).where(sessions.c.session_id == bindparam("of_session")).values(head=bindparam("new_head"))

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
    .where(~select(_one).where(rooms.c.session_id == sessions.c.session_id).exists())
    .order_by(sessions.c.created.desc(), sessions.c.session_id)
    .limit(bindparam("most", type_=Integer))
)

LISTINGS: dict[bool | None, Select[str, str, str, int, str | None, str]] = {
    None: _listing,
    True: _listing.where(sessions.c.result.is_(None)),
    False: _listing.where(sessions.c.result.is_not(None)),
}
"""By `active`: all sessions, those without a result, those with one. Those in rooms are nobody's to have."""

_of_room = rooms.c.code == bindparam("of_code")

CREATE_ROOM = insert(rooms).values(
    code=bindparam("code"),
    session_id=bindparam("session_id"),
    created=bindparam("created"),
    revision=literal_column("0", Integer),
    data=bindparam("data"),
)

ROOM = select(rooms).where(rooms.c.code == bindparam("code"))

ROOM_OF = select(rooms.c.code).where(rooms.c.session_id == bindparam("session_id"))

UPDATE_ROOM = (
    update(rooms)
    .where(_of_room, rooms.c.revision == bindparam("of_revision"))
    .values(revision=rooms.c.revision + _one, data=bindparam("new_data"))
    .returning(rooms.c.session_id)
)

CLOSE_ROOM = (
    update(rooms)
    .where(_of_room, rooms.c.closed.is_(None))
    .values(revision=rooms.c.revision + _one, closed=bindparam("ended"))
    .returning(rooms.c.session_id)
)

CLOSE_STALE_ROOM = CLOSE_ROOM.where(
    rooms.c.revision == bindparam("of_revision", type_=Integer),
    ~select(_one)
    .where(presence.c.code == rooms.c.code, presence.c.seen >= bindparam("before", type_=Text))
    .correlate(rooms)
    .exists(),
)
"""Unless somebody has come since it was looked at."""

_rooms = select(rooms).order_by(rooms.c.created.desc(), rooms.c.code).limit(bindparam("most", type_=Integer))

ROOMS = {False: _rooms, True: _rooms.where(rooms.c.closed.is_(None))}
"""By `open_only`."""

_unfinished = rooms.c.closed.is_(None) & sessions.c.result.is_(None)

ROOMS_UNFINISHED = (
    select(rooms)
    .join(sessions, sessions.c.session_id == rooms.c.session_id)
    .where(_unfinished)
    .order_by(rooms.c.created)
)
"""Those whose game has no result."""

ROOMS_UNFINISHED_COUNT = (
    select(func.count())
    .select_from(rooms.join(sessions, sessions.c.session_id == rooms.c.session_id))
    .where(_unfinished)
)

TOUCH = text(
    "INSERT INTO presence (code, side, seen) VALUES (:code, :side, :seen) "
    "ON CONFLICT (code, side) DO UPDATE SET seen = excluded.seen"
)

PRESENCE = (
    select(presence.c.side, presence.c.seen).where(presence.c.code == bindparam("code")).order_by(presence.c.side)
)

_latest_action = (
    select(func.max(actions.c.created))
    .where(actions.c.session_id == sessions.c.session_id)
    .correlate(sessions)
    .scalar_subquery()
)
_over = sessions.c.result.is_not(None)
_held_in = rooms.alias("held_in")
_its_room = select(_one).where(_held_in.c.session_id == sessions.c.session_id).correlate(sessions)


def _by_kind(*, over: str) -> Case[str]:
    """The moment that counts, by what somebody may still have to do with the game: it is over; it is open in a room, or
    left in one that was closed; it is in none."""
    moments = {name: bindparam(name, type_=Text) for name in (over, "before", "before_in_room", "before_alone")}
    return case(
        (_over, moments[over]),
        (_its_room.where(_held_in.c.closed.is_(None)).exists(), moments["before_in_room"]),
        (_its_room.exists(), moments["before"]),
        else_=moments["before_alone"],
    )


# Idle: begun before, nothing played since, and, where it is a room's, nobody there since.
_idle = and_(
    sessions.c.created < _by_kind(over="before"),
    func.coalesce(_latest_action, "") < _by_kind(over="before"),
    ~select(_one)
    .where(
        rooms.c.session_id == sessions.c.session_id,
        presence.c.code == rooms.c.code,
        presence.c.seen >= _by_kind(over="before_seen"),
    )
    .exists(),
)

IDLE = (
    select(sessions.c.session_id, rooms.c.code)
    .select_from(sessions.outerjoin(rooms, rooms.c.session_id == sessions.c.session_id))
    .where(_idle)
    .order_by(sessions.c.created, sessions.c.session_id)
)

# Whoever holds this row alone, beside him nobody can append to the session, or make a room of it.
HOLD_SESSION = select(sessions.c.session_id).where(sessions.c.session_id == _session_id).with_for_update()

STILL_IDLE = select(sessions.c.session_id).where(sessions.c.session_id == _session_id, _idle)

REMOVE = (
    delete(presence).where(presence.c.code.in_(select(rooms.c.code).where(rooms.c.session_id == _session_id))),
    delete(rooms).where(rooms.c.session_id == _session_id),
    delete(actions).where(actions.c.session_id == _session_id),
    delete(sessions).where(sessions.c.session_id == _session_id),
)
"""In this order: each refers to those after it."""

SESSION_IDS = select(sessions.c.session_id).order_by(sessions.c.created, sessions.c.session_id)

COUNTS = select(
    select(func.count()).select_from(sessions).scalar_subquery(),
    select(func.count()).select_from(sessions).where(sessions.c.result.is_(None)).scalar_subquery(),
    select(func.count()).select_from(rooms).scalar_subquery(),
    select(func.count()).select_from(rooms).where(rooms.c.closed.is_(None)).scalar_subquery(),
    select(func.count()).select_from(actions).scalar_subquery(),
)
"""Sessions, running ones, rooms, open ones, actions."""

LOBBY = select(lobbies.c.revision, lobbies.c.data).where(lobbies.c.name == bindparam("name"))

OPEN_LOBBY = text("INSERT INTO lobbies (name, revision, data) VALUES (:name, 0, :data) ON CONFLICT (name) DO NOTHING")

UPDATE_LOBBY = (
    update(lobbies)
    .where(lobbies.c.name == bindparam("of_name"), lobbies.c.revision == bindparam("of_revision"))
    .values(revision=lobbies.c.revision + _one, data=bindparam("new_data"))
    .returning(lobbies.c.revision)
)

CHANGES = APPEND, UPDATE_ROOM, CLOSE_ROOM, CLOSE_STALE_ROOM
"""The statements that others wait for. Each gives the id of the session that it has changed, or of the room's."""
