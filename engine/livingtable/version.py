"""The one version number: of the package, of the engine in records, of the MCP server."""

__version__ = "0.1.0"
