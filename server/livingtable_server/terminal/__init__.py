"""What the command line does: one file a command, or a few that belong together. `cli` has their options."""
