"""Sessions: who sits where, what was played, what each may see of it. They know nothing of the rules of any game."""
