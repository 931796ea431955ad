"""HTTP: the routes for games, their live events, what guards every request, and the server that runs them."""
