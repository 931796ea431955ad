"""A bare server of the same SDK with one echo tool: what our figures are held against."""

from mcp.server import MCPServer

server = MCPServer("echo")


@server.tool()
async def echo(text: str) -> str:
    """Gives the text back."""
    return text


if __name__ == "__main__":
    server.run("stdio")
