"""
# Vikings

Michael Kiesling's *Vikings* (Wikinger, 2007), the basic and the advanced game, complete, for 2 to 4 players. Six
rounds; in each, twelve sets of a tile and a viking lie around a wheel that prices them, and are bought and placed one
by one. Vikings on the islands of a player's homeland earn gold and fame in the scorings, ships threaten them, boatsmen
bring waiting vikings ashore. The advanced game adds an auction for the start player's marker, boatsmen who carry one
viking only, and special tiles.

[facts]

The rules are `docs/rules/vikings.md`; the ids in brackets below are its statements. Component values come from CSV
tables; pass `tables=` with a folder of corrected ones to play under them.

## Usage

```python
from northsea_envs import vikings_v0

env = vikings_v0.env(num_players=3)
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

Decisions are atomic: a purchase is a chain of buying, choosing the row of the start tile (first purchase only), placing
the tile, and putting the viking on it or not, so the same agent is asked several times in a row. A decision with a
single legal action is never asked; it is played at once. In a large scoring each player decides about its own trips,
so an agent may be asked outside its turn of buying. Nobody has private information; only the order of the stacks and of
the bag is hidden.

## Arguments

[arguments]

### The advanced game

`env(variant="advanced")` plays with the auction, limited boatsmen and special tiles; each is a switch of its own.
`variant` sets all three, and a switch that is given goes before it: `env(variant="advanced", auction=False)` plays
without the auction, `env(special_tiles=True)` the basic game with special tiles.

Such a game is another one than the basic game: its observation is longer, and its id goes with the switches that are on
into saved games, replays and policies, which are refused elsewhere. With no switch on everything is as it was before
there were any.

```python
from northsea_envs import get_game

game = get_game("vikings").with_options({"variant": "advanced"})  # for matches and trainings in code
```

`evaluate.py vikings --set variant=advanced ...` and `options: {variant: advanced}` in a training's YAML say the same.

[facts variant=advanced]

Gold and fame go higher there; the environment's `observation_space` has the bounds of each float.

`raw_env` raises on an illegal action and is left as it was. `env` is `raw_env` in PettingZoo's classic wrappers: an
illegal action ends the game with -1 for the offender and 0 for the others (the offender's mask stays as it was), and
one outside the action space is an AssertionError.

`reset(seed=...)` decides all chance: the same seed is the same game. `get_state()` and `set_state(bytes)` save and
restore a game, `clone()`, `copy.deepcopy` and `pickle` copy one, `unwrapped.replay()` gives a file that others can
verify.

## Observation Space

A dictionary with `"observation"`, a float32 vector of the fields below, and `"action_mask"`. The vector is written from
the observing agent's point of view: `seat_0` is its own seat, `seat_1` the next one clockwise, and so on. All agents
may be observed at any time.

[observation]

The fields of the advanced game stand behind these: those of `auction` with that switch, then those of `special` with
special tiles.

[observation variant=advanced]

A homeland is rows W N S G F of 37, 25 or 19 columns with 2, 3 or 4 players: as far as tiles can ever reach. The cell at
row r and column c, both from 0, begins at (r * columns + c) * 3 in its field.

### Legal Actions Mask

int8, 1 for a legal action, all zeros for agents that do not decide. The same array stands in `info["action_mask"]`.

## Action Space

One flat `Discrete` space; `CELL` + r * columns + c is the cell at row r and column c. The ids of the advanced game keep
their places and are never legal in the basic game, so that an id means the same in both. Only bids stand behind all
others; they exist with the auction alone.

[actions]

[actions variant=advanced]

A bid is a raise of the standing bid. `BID` + k raises it by k and is the whole bid, or its end: `BID_MORE` raises it by
20 and asks the same player on, so that every amount that she can pay has a name, and only one: 45 is `BID_MORE`,
`BID_MORE`, `BID` + 5. `BID` + 0 is the old start player's bid of 0, as her first word alone [V-AUC-4].

`COLOUR` removes a viking of that colour, or lays out all of it, as the phase says. After taking a building tile, `CELL`
is the middle tile that it replaces [V-SPEC-19b]. `USE_BOAT` makes the next trip one as in the basic game [V-SPEC-12].

In a trip, `CELL` moves a waiting viking to that cell; the cell's row says which. The first move takes a boatsman. The
second makes it a trip of one colour (then only rightward in the same row, so that a load has one order) or of several
(then each row at most once). With limited boatsmen a trip ends by itself after its one move.

## Rewards

All rewards come at the end, and add up to 0 over the players.

| `reward=` | of an agent |
|---|---|
| `"rank"` | first +1, last -1, evenly between; tied places share |
| `"win"` | a sole winner +1, everybody else -1 / (players - 1); winners share |
| `"score"` | own fame less the mean of the others' fame |

Places are by fame, then gold left [V-END-2, V-END-3]. At the end `info` holds `"rank"` and `"score"` (fame). Games
always end; nothing is truncated.

## Version History

* v0: Initial version
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from northsea_envs.aec import GameEnv, WrappedEnv, wrap


class raw_env(GameEnv):  # noqa: N801 (PettingZoo's name)
    """Vikings without wrappers: an illegal action raises and changes nothing. Keywords as the module describes."""

    def __init__(
        self,
        num_players: int = 2,
        *,
        reward: str = "rank",
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        super().__init__("vikings", num_players, reward=reward, render_mode=render_mode, tables=tables, **options)


def env(num_players: int = 2, **keywords: Any) -> WrappedEnv:
    """Vikings in PettingZoo's classic wrappers; keywords as :class:`raw_env`."""
    return wrap(raw_env(num_players, **keywords))
