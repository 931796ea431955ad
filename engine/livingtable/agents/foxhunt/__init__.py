"""What `greedy` sees and works out in a fox hunt."""
