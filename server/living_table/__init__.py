"""What other programs know living-table by: Inspect names tasks by the distribution that brings them."""
