"""Playouts and search iterations a second on one core, beside OpenSpiel's own search, all in the same run.

    python benchmarks/search.py
    taskset -c 1 python benchmarks/search.py --rounds 9 --markdown

Contestants take turns in rounds, so that a slow moment of the machine hits all alike; medians over the rounds are
shown, and the ratios are medians of the rounds' own ratios. One iteration is one simulation of one search: down the
tree from the position, to a leaf, and back. Every turn begins new searches from opening positions at 2 players.
OpenSpiel's is its compiled ``MCTSBot`` with random rollouts on backgammon; without ``open_spiel`` it is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from peers import machine, show
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parent.parent))

from agents.search import SearchAgent
from northsea_envs import GAMES, Game, get_game
from northsea_envs.vector import GameBatch

PLAYERS = 2
SIMULATIONS = 1000
REFERENCE = "OpenSpiel"
# With playouts as OpenSpiel's, and by default.
LEAVES = ("random", "value")


@dataclass
class Row:
    """One contestant.

    Attributes:
        program: whose it is.
        game: the game's name.
        what: what is counted.
        work: called with the number of the turn's call, does some of it and returns how much.
        rates: how much a second, turn by turn.
    """

    program: str
    game: str
    what: str
    work: Callable[[int], int]
    rates: list[float] = field(default_factory=list)

    def turn(self, seconds: float) -> None:
        """Work for about so long, in whole calls."""
        done, calls, began = 0, 0, time.perf_counter()
        while (used := time.perf_counter() - began) < seconds:
            done += self.work(calls)
            calls += 1
        self.rates.append(done / used)


def playouts(game: Game, call: int) -> int:
    """One game of random moves, from deal to end."""
    states = game.new_states(PLAYERS, [call])
    game.kernels.random_game(game.tables, states, 0, call, np.zeros(game.num_actions(PLAYERS), np.int8), False)
    return 1


def iterations(agent: SearchAgent, batch: GameBatch, call: int) -> int:
    """One search from the opening of one of the games in ``batch``."""
    agent.act(batch.decisions(np.array([call % len(batch)]), observed=False))
    return SIMULATIONS


def our_rows() -> Iterator[Row]:
    """Every game: playouts, and searches with every kind of leaf that plays to the end or not at all."""
    for name in GAMES:
        game = get_game(name)
        batch = GameBatch(game, PLAYERS, np.arange(20))
        yield Row("northsea-envs", name, "random playouts", partial(playouts, game))
        for leaf in LEAVES:
            agent = SearchAgent(game, PLAYERS, simulations=SIMULATIONS, leaf=leaf, threads=1)
            yield Row("northsea-envs", name, f"iterations, leaf={leaf}", partial(iterations, agent, batch))


def open_spiel_rows() -> Iterator[Row]:
    """Its search on backgammon, from the first decision after the opening roll."""
    import pyspiel

    game = pyspiel.load_game("backgammon")
    rng = np.random.default_rng(1)

    def search(call: int) -> int:
        state = game.new_initial_state()
        while state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=chances)))
        evaluator = pyspiel.RandomRolloutEvaluator(1, call)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, call, False)
        bot.mcts_search(state)
        return SIMULATIONS

    yield Row(REFERENCE, "backgammon", "iterations, random rollouts", search)


def main() -> None:
    """Measure, print the table, and write the turns where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a turn (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (default %(default)s)")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every turn there")
    arguments = parser.parse_args()

    rows = list(our_rows())
    try:
        rows += open_spiel_rows()
    except ImportError:
        print("OpenSpiel is left out: open_spiel is not installed")
    for row in track(rows, "compiling", transient=True):
        row.work(0)
    for _ in track(range(arguments.rounds), "rounds", transient=True):
        for row in rows:
            row.turn(arguments.seconds)

    reference = next((row for row in rows if row.program == REFERENCE), None)
    cells = [["", "game", "what", "a second", *([f"x {REFERENCE} backgammon iterations"] if reference else [])]]
    for row in rows:
        cells.append([row.program, row.game, row.what, f"{median(row.rates):,.0f}"])
        if reference:
            if "iterations" in row.what:
                pairs = zip(row.rates, reference.rates, strict=True)
                cells[-1].append(f"{median(own / its for own, its in pairs):.1f}")
            else:
                cells[-1].append("")
    show("Search on one core", cells, 3, arguments.markdown)
    if arguments.json:
        turns = [{"program": r.program, "game": r.game, "what": r.what, "rates": r.rates} for r in rows]
        arguments.json.write_text(json.dumps({"machine": machine(), "rows": turns}, indent=2) + "\n")


if __name__ == "__main__":
    main()
