"""Prompt experiments: which prompt, which information, which model plays better, at what price, how sure that is."""
