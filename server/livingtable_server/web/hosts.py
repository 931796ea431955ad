"""Only requests that are meant for this server, from pages that it or its operator trusts, get in.

A page of any site can make its reader's browser send requests to `localhost`, and by DNS rebinding under the site's own
name. The browser tells the truth in `Host` and `Origin`, so those are looked at before anything else.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from livingtable_server.web.problems import Problem
from livingtable_server.web.settings import LOOPBACK_NAMES, WebSettings

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::(\d{1,5}))?", re.ASCII)
_DEFAULT_PORTS = {"http": "80", "https": "443"}


class HostCheck:
    """ASGI middleware: 421 for a host that is not served here, 403 for a page of a foreign origin."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app = app
        self._hosts = {name.lower() for name in (*LOOPBACK_NAMES, *settings.allowed_hosts)}
        self._origins = {origin.lower() for origin in settings.allowed_origins}
        if settings.public_url:
            self._hosts.add(urlsplit(settings.public_url).netloc.lower())
            self._origins.add(settings.public_url.rstrip("/").lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(Headers(scope=scope)) if scope["type"] == "http" else None
        await (problem or self._app)(scope, receive, send)

    def _problem(self, headers: Headers) -> Problem | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1:
            return Problem(400, "A request has exactly one Host header.")
        host = hosts[0].lower()
        if not self._is_served(host):
            return Problem(421, "This host is not served here; whoever runs the server can allow it with --allow-host.")
        if not all(self._is_trusted(origin.lower(), host) for origin in origins):
            return Problem(
                403, "Pages of this origin may not ask; whoever runs the server can allow it, --allow-origin."
            )
        return None

    def _is_served(self, host: str) -> bool:
        """By name whatever the port, for a tunnel has another one; or by name and port, where it was allowed so."""
        parsed = _HOST.fullmatch(host)
        return parsed is not None and (parsed[1] in self._hosts or host in self._hosts)

    def _is_trusted(self, origin: str, host: str) -> bool:
        return origin in self._origins or any(
            _spelt_out(origin, scheme) == _spelt_out(f"{scheme}://{host}", scheme) for scheme in _DEFAULT_PORTS
        )


def _spelt_out(origin: str, scheme: str) -> str:
    """The origin with its port, also where that is the scheme's own and left out."""
    if not origin.startswith(f"{scheme}://") or re.search(r":\d+$", origin):
        return origin
    return f"{origin}:{_DEFAULT_PORTS[scheme]}"
