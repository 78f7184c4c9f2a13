"""How a game is played: length, points, seats and ends of games in which one agent holds all seats.

    python benchmarks/play.py raiders --agents random greedy --games 1000

Prints a Markdown table for each agent, one row for each number of players, as the documentation pages show them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from agents.summary import estimate_bounded_mean, win_shares
from northsea_envs import GAMES, Game, get_game
from northsea_envs.agent import AgentError, make_agent
from northsea_envs.jit import compiled, mix_seed
from northsea_envs.vector import GameBatch


class Facts:
    """What a table says about the games of one row beside what every game has; nothing, for most."""

    def __init__(self, game: Game, players: int):
        pass

    def watch(self, batch: GameBatch, rows: np.ndarray) -> None:
        """Look at the games in ``rows`` after a decision."""

    def columns(self, batch: GameBatch) -> dict[str, str]:
        """Heading -> cell, when all games are over."""
        return {}


class RaidersFacts(Facts):
    """Which trigger brought the final round [R-END-1], and where the points came from [R-SCORE-1..6]."""

    TRIGGERS = ("fortresses", "Valkyries", "offerings")

    def __init__(self, game: Game, players: int):
        from northsea_envs.games.raiders.scoring import SOURCES, score_steps
        from northsea_envs.games.raiders.state import FORTRESS, VALKYRIE

        self.game, self.players, self.sources = game, players, SOURCES
        self.ends = dict.fromkeys((*self.TRIGGERS, "several", "cut short"), 0)
        self.fortress = game.tables[0].settlement_type[game.tables[0].space_settlement] == FORTRESS
        self.valkyrie = VALKYRIE
        self.seen: np.ndarray | None = None

        @compiled
        def count(tables, states, players, out):
            for index in range(len(states)):
                for seat in range(players):
                    score_steps(tables[0], states[index], seat, out[index, seat])

        self.count = count

    def watch(self, batch: GameBatch, rows: np.ndarray) -> None:
        if self.seen is None:
            self.seen = np.zeros(len(batch), bool)
        fresh = rows[(batch.states["final"][rows] != 0) & ~self.seen[rows]]
        self.seen[fresh] = True
        tables, states = self.game.tables[0], batch.states[fresh]
        held = np.stack(
            (
                states["set_left"][:, self.fortress].sum(axis=1) <= tables.end_fortress_sets_left,
                states["space_tokens"][:, :, self.valkyrie].sum(axis=1) <= tables.end_valkyrie_on_board,
                states["stack_size"] <= tables.end_offering_stack_left,
            ),
            axis=1,
        )
        for triggers in held:
            name = self.TRIGGERS[int(triggers.argmax())] if triggers.sum() == 1 else "several"
            self.ends[name] += 1

    def columns(self, batch: GameBatch) -> dict[str, str]:
        self.ends["cut short"] = int(batch.results(np.arange(len(batch))).truncated.sum())
        points = np.zeros((len(batch), self.players, len(self.sources)), np.int64)
        self.count(self.game.tables, batch.states, self.players, points)
        shares = points.sum(axis=(0, 1)) / points.sum()
        ends = [f"{name} {n / len(batch):.1%}" for name, n in self.ends.items() if n]
        return {
            "turns a player": f"{batch.states['turns'][:, : self.players].mean():.1f}",
            "end brought by": ", ".join(ends),
            "points from": ", ".join(f"{name} {share:.0%}" for name, share in zip(self.sources, shares, strict=True)),
        }


FACTS: dict[str, type[Facts]] = {"raiders": RaidersFacts}


def play(game: Game, players: int, agent: Any, facts: Facts, games: int, seed: int) -> GameBatch:
    """So many games to the end, ``agent`` in every seat."""
    batch = GameBatch(game, players, np.array([mix_seed(seed, number) for number in range(games)], np.int64))
    observed = getattr(agent, "needs_observation", True)
    batch.want[:] = observed
    while len(rows := np.flatnonzero(batch.deciders >= 0)):
        batch.step(rows, agent.act(batch.decisions(rows, observed=observed)))
        facts.watch(batch, rows)
    return batch


def row(game: Game, players: int, name: str, games: int, seed: int) -> dict[str, str]:
    """Heading -> cell of one row."""
    facts = FACTS.get(game.name, Facts)(game, players)
    batch = play(game, players, make_agent(name, game, players), facts, games, seed)
    results = batch.results(np.arange(games))
    shares = win_shares(results.ranks)
    seats = [estimate_bounded_mean(shares[:, [seat]]) for seat in range(players)]
    return {
        "players": str(players),
        "decisions": f"{batch.decisions_made.mean():.0f}",
        "score": f"{results.scores.mean():.1f}",
        "best score": f"{results.scores.max(axis=1).mean():.1f}",
        "wins by seat, %": " / ".join(f"{100 * s.mean:.1f}" for s in seats),
        "±": f"{max(100 * (s.high - s.low) / 2 for s in seats if s.high is not None and s.low is not None):.1f}",
        **facts.columns(batch),
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--agents", nargs="+", default=["random", "greedy"], help="each plays all seats of its games")
    parser.add_argument("--games", type=int, default=1000, help="for each number of players (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same games (default 0)")
    parsed = parser.parse_args(arguments)
    if parsed.games < 2:
        parser.error(f"argument --games: {parsed.games} is not allowed; give 2 or more")
    game = get_game(parsed.game)
    for name in parsed.agents:
        print(f"\n{name}, {parsed.games} games for each number of players\n", flush=True)
        for players in range(game.min_players, game.max_players + 1):
            try:
                cells = row(game, players, name, parsed.games, parsed.seed)
            except AgentError as error:
                parser.error(str(error))
            if players == game.min_players:
                print("| " + " | ".join(cells) + " |\n" + "|---" * len(cells) + "|")
            print("| " + " | ".join(cells.values()) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
