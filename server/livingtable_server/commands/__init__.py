"""The commands that have commands of their own, a module each: options and dispatch, as in `cli`."""
