"""Strength of search against thinking: one agent against weaker ones in all other seats, as a Markdown table.

    python benchmarks/strength.py --games 200
    python benchmarks/strength.py vikings --players 2 --agents search:simulations=400 greedy --games 1000

Every agent of ``--agents`` plays one seat against the next in the list in all others; seatings are played equally often
with the same deals. Intervals are those of ``evaluate.py``. A row is printed as soon as its games are over.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from agents.evaluation import plan
from agents.schedule import Schedule
from northsea_envs import GAMES

AGENTS = ("search:simulations=1600", "search:simulations=100", "greedy")


def row(game: str, players: int, agent: str, others: str, games: int, seed: int) -> str:
    """Win share of ``agent`` in one seat against ``others`` in the rest, and what both thought."""
    prepared = plan(game, players, [agent, others], games, seed)
    # The first pairing has one seat of the first agent.
    evaluation = replace(prepared, schedule=Schedule(prepared.schedule.pairings[:1])).play()
    (summary,) = evaluation.summary.values()
    share = summary.agents[agent].win_share
    times = evaluation.result.thinking_times
    interval = "" if share.low is None else f" ({share.low:.1%} to {share.high:.1%})"
    cells = (
        game,
        str(players),
        f"`{agent}`",
        f"`{others}`",
        f"{1 / players:.0%}",
        f"{share.mean:.1%}{interval}",
        str(len(evaluation.result)),
        f"{1e3 * times[agent]:.2f} / {1e3 * times[others]:.2f}",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Play and print, row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", choices=[*GAMES, []], help="all games if none is named")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4], help="numbers of seats (default 2 4)")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="AGENT", help="strongest first")
    parser.add_argument("--games", type=int, default=200, help="games of each row (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the deals are drawn from it (default %(default)s)")
    arguments = parser.parse_args()
    print("| game | players | one seat | other seats | fair share | win share | games | ms a decision |")
    print("|---|---:|---|---|---:|---|---:|---:|")
    for game, players in product(arguments.game or GAMES, arguments.players):
        for agent, others in pairwise(arguments.agents):
            print(row(game, players, agent, others, arguments.games, arguments.seed), flush=True)


if __name__ == "__main__":
    main()
