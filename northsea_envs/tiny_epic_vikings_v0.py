"""
# Tiny Epic Vikings

Scott Almes' *Tiny Epic Vikings* (Gamelyn Games), complete, for 2 to 4 players. Clans draft Viking cards, then play them
one by one: faceup for their actions, sailing, exploring, harvesting, building, or facedown into battle for Favor cards.
Whoever has most influence on an Island holds its rune. Taking runes, losing battles and dedicating raided Villages
raise the fury of the gods, and in the end runes are worth what their god's rank says.

[facts]

The rules are `docs/rules/tiny_epic_vikings.md`; the ids in brackets below are its statements. Component values come
from CSV tables. **The map, the cards, the boons and the costs are reconstructed**, for no readable source prints them:
the `provenance` column of each row says which. Pass `tables=` with a folder of corrected ones to play under them. A
card, god, Island or route of other values needs a row and nothing else; a larger map gets a larger action space and
observation. Rules that sources contest are switches in `constants.csv` [15.1]. The solo game is not part of it.

## Usage

```python
from northsea_envs import tiny_epic_vikings_v0

env = tiny_epic_vikings_v0.env(num_players=3)
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

Decisions are atomic: an action is a chain of moves, steps or resources, so the same agent is asked several times in a
row. A decision with a single legal action is never asked; it is played at once. Agents are also asked in turns of
others: where a displaced boat goes [T-SAIL-4], whether to take a Boon after a lost battle, and all of that Boon's own
decisions [T-BATTLE-11], which Favor card to return [T-FAVOR-3].

With two players a passive third clan, the Enemy, stands on three Islands and takes part in the draft [T-2P-1..6].

## Private information

Hidden are hands, packs and choices in the draft, facedown battle cards (unless they were played faceup first
[T-ENTER-3]), the order of the deck, and with two players the Enemy's pack and discards. Choices in the draft are asked
one after another and show nothing until all have chosen [T-DRAFT-5].

An agent remembers what it passed on in the draft: of the cards that it passed and that did not come back, every other
clan that held the pack since took exactly one. It also knows which cards have been in the deck since when. The
observation shows both: for each card the pick at which it was passed on, or that it is unseen and how old that
knowledge is; and for each other clan how many hidden cards it holds of each kind. `resample_hidden` draws uniformly
among all arrangements of the hidden cards that agree with this. Favor cards held are known to all, since each was won
in public [T-FAVOR-4]; the switch `favor_holdings_observable` makes the observation show others' only as a number.

## Arguments

[arguments]

`raw_env` raises on an illegal action and is left as it was. `env` is `raw_env` in PettingZoo's classic wrappers: an
illegal action ends the game with -1 for the offender and 0 for the others (the offender's mask stays as it was, as
PettingZoo leaves it). `reset(seed=...)` decides all chance: the same seed is the same game. `get_state()` and
`set_state(bytes)` save and restore a game, `clone()`, `copy.deepcopy` and `pickle` copy one, `unwrapped.replay()` gives
a file that others can verify.

## Observation Space

A dictionary with `"observation"`, a float32 vector of the fields below, and `"action_mask"`. The vector is written from
the observing agent's point of view: `seat_0` is its own seat, `seat_1` the next one clockwise, and so on. All agents
may be observed at any time. Cards, Favor cards, Islands, Fjords, Docks and gods stand in the order of their tables.

[observation]

### Legal Actions Mask

int8, 1 for a legal action, all zeros for agents that do not decide. The same array stands in `info["action_mask"]`.

## Action Space

One flat `Discrete` space, the same for any number of players.

[actions]

## Rewards

All rewards come at the end, and add up to 0 over the players.

| `reward=` | of an agent |
|---|---|
| `"rank"` | first +1, last -1, evenly between; tied places share |
| `"win"` | a sole winner +1, everybody else -1 / (players - 1); winners share |
| `"score"` | own points less the mean of the others' points |

Places are by points, then Island Runes, Favor cards, Temples built, Boats built, resources [T-SCORE-3]. At the end
`info` holds `"rank"` and `"score"` (points).

## How it is played

One agent in every seat, 1,000 games a row (`python benchmarks/play.py tiny_epic_vikings`). *Score* is the mean of all
seats, *best score* that of the best seat, and ± half the width of the widest 95% interval among the seats' win shares.

| | players | decisions | score | best score | wins by seat, % | ± |
|---|---|---|---|---|---|---|
| random | 2 | 120 | 10.5 | 13.6 | 47.1 / 52.9 | 3.1 |
| random | 3 | 176 | 10.5 | 15.4 | 33.8 / 35.1 / 31.1 | 3.0 |
| random | 4 | 232 | 9.6 | 15.7 | 24.6 / 24.2 / 26.4 / 24.9 | 2.8 |
| greedy | 2 | 186 | 21.3 | 25.2 | 46.6 / 53.4 | 3.1 |
| greedy | 3 | 284 | 21.2 | 28.2 | 32.7 / 33.2 / 34.1 | 3.0 |
| greedy | 4 | 383 | 20.8 | 29.9 | 23.6 / 26.2 / 25.1 / 25.1 | 2.8 |

## Version History

* v0: Initial version
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from northsea_envs.aec import GameEnv, WrappedEnv, wrap


class raw_env(GameEnv):  # noqa: N801 (PettingZoo's name)
    """Tiny Epic Vikings without wrappers: an illegal action raises and changes nothing. Keywords as the module says."""

    def __init__(
        self,
        num_players: int = 2,
        *,
        reward: str = "rank",
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        super().__init__(
            "tiny_epic_vikings", num_players, reward=reward, render_mode=render_mode, tables=tables, **options
        )


def env(num_players: int = 2, **keywords: Any) -> WrappedEnv:
    """Tiny Epic Vikings in PettingZoo's classic wrappers; keywords as :class:`raw_env`."""
    return wrap(raw_env(num_players, **keywords))
