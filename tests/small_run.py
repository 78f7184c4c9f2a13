"""A training small enough for tests."""

from __future__ import annotations

# 128 decisions an update.
SMALL = {
    "game": "vikings",
    "players": 2,
    "total_steps": 512,
    "threads": 1,
    "num_envs": 16,
    "network": {"shared": [16], "policy": [], "value": []},
    # One learning rate throughout, so that what is learned does not depend on when the training is meant to end.
    "ppo": {"n_steps": 8, "batch_size": 64, "epochs": 2, "learning_rate": 1e-3, "final_learning_rate": 1e-3},
    "opponents": {"current": 1, "earlier": 2, "baselines": {"random": 1}, "add_every": 128, "keep": 2},
    "evaluation": {"opponents": ["random"], "games": 4, "every": 256, "short_games": 4},
}
