"""What MCP Apps are called on the wire."""

from __future__ import annotations

from mcp.client.extension import advertise

BOARD = "ui://living-table/board"
HTML = "text/html;profile=mcp-app"
APPS = advertise("io.modelcontextprotocol/ui", {"mimeTypes": [HTML]})
"""What a client says that can show them."""
