"""The arena: tournaments of scripted agents, and how good they are, against what, and how sure that is."""
