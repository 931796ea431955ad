"""The games as PettingZoo environments (the extra `rl`), for who trains agents.

`botwars_v0` and `skirmish_v0` are turn based (`env`), `foxhunt_v0` is simultaneous (`parallel_env`, and `env` made of
it). Agents are called `seat_1`, `seat_2`, … in the order of the game's seats; `env.unwrapped.sides` maps them to these.

An observation is a `Box` of shape (rows, columns, planes): what the seat may see, a cell of the board a pixel. What is
no cell's stands in a plane of its own, the same number everywhere. An action is a number of a `Discrete` space that the
scenario alone decides: it stands for the notation at that place of `env.unwrapped.encoding.actions`. What is legal is
`info["action_mask"]`. `docs/pettingzoo.md` lists every plane and every block of actions.
"""
