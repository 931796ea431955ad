"""The table's server: sessions over the rules, and the ways to reach them."""
