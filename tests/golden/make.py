"""Rewrite the golden games: ``python tests/golden/make.py``.

A golden game is one whole game in plain text that a person can read and follow with the rules in hand. A test compares
each file with the game as it is played now. A file may only change together with the version of its environment
(``vikings_v0`` becomes ``vikings_v1``, with a line in the Version History), except for words that changed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from northsea_envs import Game, get_game  # noqa: E402
from northsea_envs.agent import Decisions, make_agent  # noqa: E402
from northsea_envs.jit import mix_seed, random_below, random_legal, random_seed  # noqa: E402

FOLDER = Path(__file__).parent


class GoldenGame(NamedTuple):
    """Which game a file holds."""

    name: str
    players: int
    seed: int
    options: dict[str, Any]
    # How its decisions were come by. Those of a game that random play hardly gets anywhere in were made by greedy, one
    # in five at random, when the file was first written; the file is then where they come from.
    drawn: bool = True

    @property
    def game(self) -> Game:
        return get_game(self.name).with_options(self.options)

    @property
    def path(self) -> Path:
        variant = f"_{self.options['variant']}" if "variant" in self.options else ""
        return FOLDER / f"{self.game.id}_{self.players}_players{variant}.txt"


# One for every number of players, and among them every kind of option; then variants.
GAMES = (
    GoldenGame("vikings", 2, 2007, {}),
    GoldenGame("vikings", 3, 3007, {"ship_opening_mode": "any_of_first_three"}),
    GoldenGame("vikings", 4, 4007, {"start_seat": 2}),
    GoldenGame("tiny_epic_vikings", 2, 2022, {}),
    GoldenGame("tiny_epic_vikings", 3, 3022, {}),
    GoldenGame("tiny_epic_vikings", 4, 4022, {}),
    GoldenGame("raiders", 2, 2015, {}, drawn=False),
    GoldenGame("raiders", 3, 3015, {}, drawn=False),
    GoldenGame("raiders", 4, 4015, {}, drawn=False),
    GoldenGame("vikings", 3, 5007, {"variant": "advanced"}),
)

DRAWN = """\
Decisions with one legal action are played without being asked, and are not listed. The others are drawn: a generator
seeded with mix_seed(seed, 1) gives random_legal of the mask, as kernels.random_game does.
Columns: number of the decision, deciding seat, how many actions were legal, id and name of the one drawn, in words."""
MADE = """\
Decisions with one legal action are played without being asked, and are not listed. The others are those of players who
mostly know what they want.
Columns: number of the decision, deciding seat, how many actions were legal, id and name of the one chosen, in words."""
DECISION = re.compile(r"^ *(\d+)  seat (\d)  of +(\d+) +(\d+) (.+?)  +(.+)$", re.MULTILINE)
# Where a game has no rounds, the whole position is shown every so many decisions.
SHOWN_EVERY = 60


def text_of(golden: GoldenGame) -> str:
    """The file's contents, by playing the game."""
    return "\n".join(line.rstrip() for line in _lines(golden)) + "\n"


def _lines(golden: GoldenGame) -> Iterator[str]:
    game = golden.game
    players = golden.players
    options = {option.name: golden.options.get(option.name, option.default) for option in game.options}
    options |= game.variant
    yield f"game     {game.id}"
    yield f"tables   {game.fingerprint}"
    yield f"players  {players}"
    yield f"seed     {golden.seed}"
    yield f"options  {', '.join(f'{name}={value!r}' for name, value in options.items())}"
    yield ""
    yield DRAWN if golden.drawn else MADE
    states = game.new_states(players, [golden.seed], golden.options)
    legal = np.zeros(game.num_actions(players), np.int8)
    seat = game.kernels.legal(game.tables, states, 0, legal)
    choose = _chooser(golden)
    begins = next((field for field in ("round_number", "era") if field in game.state_dtype.names), None)
    number = 0
    shown = None
    while seat >= 0:
        # The whole position where a round or an era begins: its offer, and the boards as the last one left them.
        part = int(states[0][begins]) if begins else number // SHOWN_EVERY
        if part != shown:
            shown = part
            yield from _position(game.text(states, 0, None))
        action = choose(states, legal, number)
        name, words = game.action_name(players, action), game.action_text(states, 0, action)
        yield f"{number:4d}  seat {seat}  of {int(legal.sum()):3d}  {action:3d} {name:24s}  {words}"
        seat = game.kernels.play(game.tables, states, 0, action, legal)
        number += 1
    yield from _position(game.text(states, 0, None))
    scores, ranks = np.empty(players), np.empty(players, np.int64)
    game.kernels.result(game.tables, states, 0, scores, ranks)
    yield f"decisions  {number}"
    for seat in range(players):
        yield f"seat {seat}     score {scores[seat]:g}, place {ranks[seat]}"


def _chooser(golden: GoldenGame) -> Callable[[np.ndarray, np.ndarray, int], int]:
    """Who chooses: (states, legal, number of the decision) -> action."""
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(golden.seed, 1))
    if golden.drawn:
        return lambda states, legal, number: int(random_legal(rng, legal))
    if golden.path.exists():
        written = [int(found[3]) for found in DECISION.findall(golden.path.read_text(encoding="utf-8"))]
        return lambda states, legal, number: written[number]
    game = golden.game
    greedy = make_agent("greedy", game, golden.players)

    def choose(states: np.ndarray, legal: np.ndarray, number: int) -> int:
        if random_below(rng, 5) == 0:
            return int(random_legal(rng, legal))
        seats = np.array([game.kernels.legal(game.tables, states, 0, legal)])
        seeds = np.array([mix_seed(golden.seed, 2 + number)])
        seen = np.empty((1, 0), np.float32)
        decisions = Decisions(game, golden.players, seen, legal[None], seats, seeds, states, np.zeros(1, np.int64))
        return int(greedy.act(decisions)[0])

    return choose


def _position(text: str) -> Iterator[str]:
    yield ""
    yield "-" * 80
    yield from text.splitlines()
    yield "-" * 80
    yield ""


def main() -> None:
    """Write every golden game and say which changed."""
    for golden in GAMES:
        text = text_of(golden)
        before = golden.path.read_text(encoding="utf-8") if golden.path.exists() else None
        golden.path.write_text(text, encoding="utf-8")
        state = (
            "new" if before is None else "unchanged" if before == text else "CHANGED: bump the environment's version"
        )
        print(f"{golden.path.relative_to(ROOT)}  {state}")


if __name__ == "__main__":
    main()
