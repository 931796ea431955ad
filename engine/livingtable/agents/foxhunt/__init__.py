"""What `greedy` sees and reckons in a fox hunt."""
