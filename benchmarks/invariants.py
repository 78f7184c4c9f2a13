"""Play random games with every invariant checked after every decision.

    python benchmarks/invariants.py --games 20000

For each game of the package, each variant, each number of players and each choice of each option that changes the
rules, plays so many games of uniformly random legal actions, compiled, and prints how long they were and the first
broken invariant. The exit status is 1 if any was broken.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from northsea_envs import GAMES, Game, get_game
from northsea_envs.game import NO_LEGAL_ACTION, TOO_LONG

# Games played between two looks at the progress bar.
CHUNK = 500


class Case(NamedTuple):
    """One row of the table: a game, its number of players, and its options."""

    game: Game
    players: int
    options: dict[str, Any]


class Outcome(NamedTuple):
    """Lengths of the games played, seconds taken, and what was broken first ("" if nothing)."""

    lengths: np.ndarray
    seconds: float
    broken: str


def cases(names: list[str]) -> Iterator[Case]:
    """Every variant and number of players with every combination of options; which seat begins changes no rule."""
    for game in itertools.chain.from_iterable(variants(get_game(name)) for name in names):
        ruling = [option for option in game.options if not option.is_seat]
        for players in range(game.min_players, game.max_players + 1):
            for choices in itertools.product(*(option.choices for option in ruling)):
                yield Case(game, players, dict(zip((option.name for option in ruling), choices, strict=True)))


def variants(game: Game) -> list[Game]:
    """Every variant of a game once, the game itself first."""
    names = [variant.name for variant in game.variants]
    choices = itertools.product(*(variant.choices for variant in game.variants))
    return list(
        dict.fromkeys([game, *(game.with_options(dict(zip(names, values, strict=True))) for values in choices)])
    )


def play(case: Case, games: int, first_seed: int, advance: Any) -> Outcome:
    """Play until so many games are over or an invariant is broken; ``advance(n)`` is told of each n games."""
    game = case.game
    legal = np.zeros(game.num_actions(case.players), np.int8)
    longest = game.longest_game(case.players)
    lengths: list[int] = []
    begun = time.perf_counter()
    for start in range(0, games, CHUNK):
        seeds = np.arange(first_seed + start, first_seed + min(start + CHUNK, games))
        states = game.new_states(case.players, seeds, case.options)
        for index, seed in enumerate(seeds):
            broken = int(game.kernels.check(game.tables, states, index))
            length = -broken or int(game.kernels.random_game(game.tables, states, index, int(seed), legal, True))
            if length < 0 or length > longest:
                what = {
                    NO_LEGAL_ACTION: "no legal action",
                    TOO_LONG: "no end",
                }.get(-length, f"invariant {-length}" if length < 0 else f"{length} decisions, more than {longest}")
                return Outcome(np.array(lengths), time.perf_counter() - begun, f"{what}, seed {seed}")
            lengths.append(length)
        advance(len(seeds))
    return Outcome(np.array(lengths), time.perf_counter() - begun, "")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="games for each row of the table (default 20000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game of each row (default 0)")
    parser.add_argument("--game", action="append", choices=GAMES, help="only this game; may be repeated")
    parsed = parser.parse_args(arguments)
    if parsed.games < 1:
        parser.error(f"argument --games: {parsed.games} is not allowed; give 1 or more")
    if not 0 <= parsed.seed <= 2**63 - 1 - parsed.games:
        parser.error(f"argument --seed: {parsed.seed} is not allowed; the last game's seed must be below 2**63")

    table = Table(
        "game", "players", "options", "games", "decisions", "shortest", "mean", "longest", "games/s", "broken"
    )
    for column in table.columns[3:9]:
        column.justify = "right"
    found_broken = False
    rows = list(cases(parsed.game or list(GAMES)))
    # Not cut to 80 columns in a file.
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("games", total=len(rows) * parsed.games)
        for case in rows:
            switches = [
                name if value is True else f"{name}={value}" for name, value in case.game.variant.items() if value
            ]
            options = ", ".join([*switches, *(str(choice) for choice in case.options.values())])
            progress.update(task, description=f"{case.game.id}, {case.players} players, {options}")
            outcome = play(case, parsed.games, parsed.seed, lambda n: progress.advance(task, n))
            found_broken = found_broken or bool(outcome.broken)
            lengths = outcome.lengths
            spread = (f"{lengths.min()}", f"{lengths.mean():.1f}", f"{lengths.max()}") if lengths.size else ("", "", "")
            table.add_row(
                case.game.id,
                str(case.players),
                options,
                f"{lengths.size:,}",
                f"{lengths.sum():,}",
                *spread,
                f"{lengths.size / outcome.seconds:,.0f}",
                f"[red]{outcome.broken}[/red]" if outcome.broken else "none",
            )
    console.print(table)
    return 1 if found_broken else 0


if __name__ == "__main__":
    sys.exit(main())
