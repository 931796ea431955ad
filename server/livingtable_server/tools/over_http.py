"""MCP over Streamable HTTP, in both protocol eras: every request stands alone, so any process can answer it."""

from __future__ import annotations

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

PATH = "/mcp"
BODY_BYTES = 4 * 1024 * 1024


def mcp_routes(server: MCPServer[None]) -> list[Route]:
    """The routes of a server whose `session_manager` is then to be run.

    There is POST alone: without sessions there is nothing that a stream of the server's own (GET) could tell, and
    nothing to end (DELETE). `Host` and `Origin` have been checked before.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=BODY_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    (route,) = (route for route in app.routes if isinstance(route, Route))
    return [Route(PATH, route.endpoint, methods=["POST"])]
