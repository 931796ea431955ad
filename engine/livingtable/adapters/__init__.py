"""The games in the shapes that other libraries want; each an extra."""
