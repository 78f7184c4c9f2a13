"""
# Raiders of the North Sea

Shem Phillips' *Raiders of the North Sea* (2015), the base game, complete, for 2 to 4 players. Every turn a player
places one worker in the village and picks up another, taking the action of both buildings: gathering silver and
provisions, drawing and playing townsfolk cards, hiring crew. Or it raids a settlement with its crew, for victory
points, Plunder and a worker of another colour. Valkyries take crew and are worth points; offerings are bought with
Plunder.

[facts]

The rules are `docs/rules/raiders.md`; the ids in brackets below are its statements. Component values come from CSV
tables; pass `tables=` with a folder of corrected ones to play under them. A card or tile of other values needs a row
and nothing else: effects go by their codes (`effect_codes.csv`).

## Usage

```python
from northsea_envs import raiders_v0

env = raiders_v0.env(num_players=3)
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

Decisions are atomic: a turn is a chain of placing, choosing what to do there, picking up, and so on, so the same agent
is asked several times in a row. A decision with a single legal action is never asked; it is played at once. Agents are
also asked in turns of others: what to hand over to a Mercenary, which crew member an Avenger takes, what to give in a
Scout's exchange. First of all each agent gives back two of five drafted cards.

## Private information

Hands are hidden, and so are the order of the pile, the tiles not yet seen, and dice to come. Cards that an agent picks
in the draft or in an exchange stay in its hand, unseen, until all have picked [R-INV-1]. An agent knows its own hand;
that the cards it gave back in the draft are at the bottom of the pile; and cards in others' hands that it gave them in
an exchange or saw return there (a Berserker killed, a crew member exchanged by a Gravedigger). What it knows of another
hand is kept by kind as a number of cards that are *certainly* there: it falls by one when a card of the kind leaves in
sight of all, and every kind's falls by one for each card that leaves unseen (an exchange with a third player). The same
holds for its own cards at the bottom of the pile when others draw there. With two players the other's hand is known
exactly whenever the discard pile has just become the pile. `resample_hidden` draws uniformly among the games that agree
with this.

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
may be observed at any time. Kinds of card stand in the order of `townsfolk.csv`.

[observation]

### Legal Actions Mask

int8, 1 for a legal action, all zeros for agents that do not decide. The same array stands in `info["action_mask"]`.

## Action Space

One flat `Discrete` space, the same for any number of players. Cards are addressed by kind, settlements and kinds in the
order of their tables.

[actions]

## Rewards

All rewards come at the end, and add up to 0 over the players.

| `reward=` | of an agent |
|---|---|
| `"rank"` | first +1, last -1, evenly between; tied places share |
| `"win"` | a sole winner +1, everybody else -1 / (players - 1); winners share |
| `"score"` | own points less the mean of the others' points |

Places are by points, then position on the Valkyrie track, then armour [R-SCORE-7]. At the end `info` holds `"rank"` and
`"score"` (points). A game that is not over when every player has taken 150 turns is truncated, and scored as it stands
[R-END-5]; random play comes to that often, sensible play does not.

## How it is played

One agent in every seat, 1,000 games a row (`python benchmarks/play.py raiders`). *Score* is the mean of all seats,
*best score* that of the best seat, and ± half the width of the widest 95% interval among the seats' win shares.

| | players | decisions | score | best score | wins by seat, % | ± | turns a player |
|---|---|---|---|---|---|---|---|
| random | 2 | 1052 | 58.0 | 72.7 | 49.8 / 50.2 | 3.1 | 148.6 |
| random | 3 | 1524 | 48.9 | 70.3 | 32.9 / 31.9 / 35.2 | 3.0 | 142.1 |
| random | 4 | 1917 | 40.4 | 64.1 | 22.3 / 24.2 / 26.6 / 26.9 | 2.8 | 133.5 |
| greedy | 2 | 249 | 77.0 | 81.9 | 50.1 / 49.9 | 3.2 | 33.7 |
| greedy | 3 | 299 | 55.0 | 60.9 | 34.4 / 34.1 / 31.6 | 3.0 | 26.2 |
| greedy | 4 | 354 | 43.5 | 49.9 | 23.4 / 28.0 / 23.9 / 24.7 | 2.8 | 22.8 |

Which trigger of [R-END-1] brought the final round:

| | players | fortresses | Valkyries | offerings | several | cut short |
|---|---|---|---|---|---|---|
| random | 2 | 1.0% | 0.3% | 6.9% | 0.2% | 91.7% |
| random | 3 | 7.1% | 6.9% | 17.6% | 1.2% | 68.1% |
| random | 4 | 18.3% | 14.1% | 22.6% | 7.5% | 38.4% |
| greedy | 2 | 85.3% | 0.4% | 14.0% | 0.3% | 0.0% |
| greedy | 3 | 86.6% | 0.8% | 12.3% | 0.3% | 0.0% |
| greedy | 4 | 82.1% | 0.7% | 17.0% | 0.2% | 0.0% |

Where the points came from [R-SCORE-1..6]:

| | players | raids | Valkyries | armour | offerings | crew | Plunder |
|---|---|---|---|---|---|---|---|
| random | 2 | 33% | 14% | 10% | 29% | 1% | 12% |
| random | 3 | 37% | 12% | 12% | 27% | 1% | 11% |
| random | 4 | 38% | 10% | 14% | 26% | 2% | 11% |
| greedy | 2 | 54% | 9% | 5% | 20% | 4% | 8% |
| greedy | 3 | 52% | 8% | 4% | 22% | 5% | 9% |
| greedy | 4 | 50% | 8% | 4% | 23% | 5% | 9% |

Random play gathers and buys but seldom can raid: with two players nine games in ten are cut short. `greedy` plays the
game: it hires a crew, raids from the harbours up to the fortresses, which end more than four fifths of its games after
a fifth of the turns, and earns half of its points by raiding. Valkyries and armour, which random play piles up over
five times as many turns, bring it an eighth. No seat has an advantage that 1,000 games show.

## Version History

* v0: Initial version
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from northsea_envs.aec import GameEnv, WrappedEnv, wrap


class raw_env(GameEnv):  # noqa: N801 (PettingZoo's name)
    """Raiders without wrappers: an illegal action raises and changes nothing. Keywords as the module describes."""

    def __init__(
        self,
        num_players: int = 2,
        *,
        reward: str = "rank",
        render_mode: str | None = None,
        tables: str | Path | None = None,
        **options: Any,
    ):
        super().__init__("raiders", num_players, reward=reward, render_mode=render_mode, tables=tables, **options)


def env(num_players: int = 2, **keywords: Any) -> WrappedEnv:
    """Raiders in PettingZoo's classic wrappers; keywords as :class:`raw_env`."""
    return wrap(raw_env(num_players, **keywords))
