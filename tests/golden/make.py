"""Rewrite the golden games: ``python tests/golden/make.py``.

A golden game is one whole game in plain text that a person can read and follow with the rules in hand. A test compares
each file with the game as it is played now. A file may only change together with the version of its environment
(``vikings_v0`` becomes ``vikings_v1``, with a line in the Version History), except for words that changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from northsea_envs import Game, get_game  # noqa: E402
from northsea_envs.jit import mix_seed, random_legal, random_seed  # noqa: E402

FOLDER = Path(__file__).parent


class GoldenGame(NamedTuple):
    """Which game a file holds."""

    name: str
    players: int
    seed: int
    options: dict[str, Any]

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
    GoldenGame("vikings", 3, 5007, {"variant": "advanced"}),
)

EXPLANATION = """\
Decisions with one legal action are played without being asked, and are not listed. The others are drawn: a generator
seeded with mix_seed(seed, 1) gives random_legal of the mask, as kernels.random_game does.
Columns: number of the decision, deciding seat, how many actions were legal, id and name of the one drawn, in words."""


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
    yield EXPLANATION
    states = game.new_states(players, [golden.seed], golden.options)
    legal = np.zeros(game.num_actions(players), np.int8)
    seat = game.kernels.legal(game.tables, states, 0, legal)
    rng = np.empty(4, np.uint32)
    random_seed(rng, mix_seed(golden.seed, 1))
    number = 0
    drawn_round = None
    while seat >= 0:
        # The whole position where a round begins: its offer, and the boards as the last round left them.
        if states[0].round_number != drawn_round:
            drawn_round = int(states[0].round_number)
            yield from _position(game.text(states, 0, None))
        action = int(random_legal(rng, legal))
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
