"""MCP: the tools, resources and prompts of the table."""
