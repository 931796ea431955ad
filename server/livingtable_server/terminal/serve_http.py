"""`living-table serve`: games over HTTP, in one process or several behind one port."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from urllib.parse import urlsplit

import anyio

from livingtable_server.settings import TOKEN_VARIABLE, Settings
from livingtable_server.store.address import SqliteAddress, address_of
from livingtable_server.terminal.faults import FAULT, INTERRUPTED, UseError
from livingtable_server.terminal.options import is_in_memory
from livingtable_server.web.settings import Limits, WebSettings

_HOST_NAME = re.compile(r"(\[[0-9a-fA-F:.]+\]|[0-9A-Za-z._-]+)(:\d{1,5})?")
_ORIGIN = re.compile(r"https?://[^/\s]+")
_BACKLOG = 2048
_FILES = 65_536


@dataclass(frozen=True, slots=True)
class Wish:
    """The command's options as they were typed."""

    host: str
    port: int
    token: str | None
    allow_host: list[str]
    allow_origin: list[str]
    public_url: str | None
    trusted_proxy: list[str]
    limit: list[str]
    workers: int


def serve(settings: Settings, wish: Wish) -> int:
    """Serves until Ctrl-C or SIGTERM. Raises `UseError` where the options do not go together or the port is taken."""
    web_settings = web_settings_from(wish)
    if wish.workers > 1 and is_in_memory(settings.store):
        raise UseError("Several workers need a ledger that they share: name a file or a database with --store.")
    anyio.run(_try_store, settings)
    settings = replace(settings, store_is_there=True)
    with _listening(wish.host, wish.port) as listener:
        port: int = listener.getsockname()[1]
        address = f"http://{_name_for_others(wish, port)}"
        web_settings = replace(web_settings, join_url=web_settings.public_url or address)

        def say_where() -> None:
            kept = _where_kept(settings)
            sys.stderr.write(
                f"living-table: serving at {address}, MCP at {address}/mcp, games kept in {kept}; Ctrl-C ends it.\n"
            )
            sys.stderr.flush()

        if wish.workers > 1:
            from livingtable_server.terminal.workers import Workers

            return _exit_code(Workers(settings, web_settings, listener, wish.workers, say_where).run())
        return _exit_code(serve_on(settings, web_settings, listener, say_where))


def serve_on(
    settings: Settings, web_settings: WebSettings, listener: socket.socket, ready: Callable[[], None]
) -> int | None:
    """One process's part; returns the signal that ended it, None if it could not start."""
    from livingtable_server.app import web
    from livingtable_server.web.logs import log_to_stderr
    from livingtable_server.web.serving import HttpServer

    log_to_stderr()
    _allow_many_connections()

    def serves() -> None:
        if server.started:
            ready()

    server = HttpServer(web(settings, web_settings), serves)
    server.run([listener])
    return server.ended_by


def _allow_many_connections() -> None:
    """Each is a file, of which a process may often have no more than a thousand unless it asks for more."""
    try:
        import resource
    except ImportError:  # Windows, which does not count them so.
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if most == resource.RLIM_INFINITY else min(most, _FILES)
    if now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def web_settings_from(wish: Wish) -> WebSettings:
    """The settings that the options make. Raises `UseError` for the first that cannot be."""
    token = _token(wish.token)
    if not _is_loopback(wish.host):
        _check_open_to_others(wish, token)
    return WebSettings(
        token=token,
        allowed_hosts=tuple(_checked_host(name) for name in wish.allow_host),
        allowed_origins=tuple(_checked_origin("--allow-origin", origin) for origin in wish.allow_origin),
        public_url=_checked_origin("--public-url", wish.public_url) if wish.public_url else None,
        trusted_proxies=tuple(_checked_proxy(proxy) for proxy in wish.trusted_proxy),
        limits=_limits(wish.limit),
    )


def _check_open_to_others(wish: Wish, token: str | None) -> None:
    if token is None:
        raise UseError(
            f'"{wish.host}" can be reached by others: give a token without which nobody begins a game, with --token or '
            f"in {TOKEN_VARIABLE}."
        )
    if not wish.allow_host:
        raise UseError(
            f'"{wish.host}" can be reached by others: name with --allow-host the host by which they reach it, such as '
            "games.example.org."
        )


def _token(option: str | None) -> str | None:
    token = option if option is not None else os.environ.get(TOKEN_VARIABLE)
    if token is None:
        return None
    if not token.isascii() or not token.isprintable() or not token or " " in token:
        source = "--token" if option is not None else TOKEN_VARIABLE
        raise UseError(f"{source} must be a text of ASCII letters, digits and signs, without spaces.")
    return token


def _checked_host(name: str) -> str:
    if not _HOST_NAME.fullmatch(name):
        raise UseError(f'--allow-host takes a host such as games.example.org or 192.0.2.7:8000, not "{name[:60]}".')
    return name


def _checked_origin(option: str, origin: str) -> str:
    origin = origin.removesuffix("/")
    if not _ORIGIN.fullmatch(origin) or not _HOST_NAME.fullmatch(urlsplit(origin).netloc):
        raise UseError(
            f'{option} takes an address such as https://games.example.org, without a path, not "{origin[:60]}".'
        )
    return origin


def _checked_proxy(proxy: str) -> str:
    try:
        ipaddress.ip_network(proxy, strict=False)
    except ValueError:
        raise UseError(
            f'--trusted-proxy takes an address or a network such as 10.0.0.0/8, not "{proxy[:60]}".'
        ) from None
    return proxy


def _limits(given: list[str]) -> Limits:
    known = [field.name for field in fields(Limits)]
    numbers: dict[str, int] = {}
    for text in given:
        name, _, number = text.partition("=")
        if name not in known or not re.fullmatch(r"[0-9]{1,9}", number):
            raise UseError(f'--limit takes NAME=NUMBER, NAME one of {", ".join(known)}, not "{text[:60]}".')
        numbers[name] = int(number)
    return Limits(**numbers)


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `UseError` where none can."""
    try:
        (family, _, _, _, address), *_ = socket.getaddrinfo(
            "127.0.0.1" if host.lower() == "localhost" else host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except socket.gaierror:
        raise UseError(f'"{host}" is no address of this machine: name one with --host.') from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UseError(f"Port {port} of {host} is taken: name another one with --port.") from None
        raise UseError(
            f"Port {port} of {host} cannot be served ({error.strerror}): name another one with --port, or another "
            "address with --host."
        ) from None


def _name_for_others(wish: Wish, port: int) -> str:
    """Host and port by which those find the server for whom it is meant: an address that all can reach says nothing to
    others, and by the name of one that is not allowed nobody is let in."""
    host = f"[{wish.host}]" if ":" in wish.host else wish.host
    if not _is_loopback(wish.host):
        host = wish.allow_host[0]
    return host if re.search(r":\d+$", host) else f"{host}:{port}"


def _where_kept(settings: Settings) -> str:
    """Without what a database's address says of its user."""
    address = address_of(settings.store)
    if isinstance(address, SqliteAddress):
        return str(address.path.absolute()) if address.path else "memory alone"
    return "the PostgreSQL database that --store names"


async def _try_store(settings: Settings) -> None:
    """Opens the ledger once and writes to it, so that one that cannot be used is told of here, in one line."""
    from livingtable_server.app import session_manager

    manager = session_manager(settings)
    try:
        await (await manager.live.ledger()).check_ready()
    finally:
        await manager.close()


def _exit_code(ended_by: int | None) -> int:
    if ended_by is None:
        return FAULT
    return INTERRUPTED if ended_by == signal.SIGINT else 0
