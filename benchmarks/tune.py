"""Better weights for the ``value`` of a game, found by play: those in its ``tables/value.csv``.

    pip install -e ".[train,tune]"
    python benchmarks/tune.py vikings --players 2 4 --minutes 20

First, ``--fits`` times, weights are fitted to outcomes: greedy plays with the weights found so far, and those are taken
by which ``value`` foretells best how its games ended. That is cheap, and gets most of the way.

Then CMA-ES improves the best of them by play. Greedy with candidate weights meets greedy with those that it begins at.
What is sought is the greatest share of the other seats that the candidate ends ahead of (ties count one half), averaged
over the numbers of players. All candidates of a generation meet the same deals, each deal with the seats rotated, and
every generation has fresh ones. The middle of the search distribution is taken if it then beats where it began.

In the end the weights meet the old ones on deals that nothing was chosen by, and the table is rewritten only if the 95%
interval there is above one half. Weights stay between their low and high, and are drawn
towards where they were by ``--ridge`` and ``--pull``. The same arguments with ``--generations`` instead of
``--minutes`` give the same weights.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import io
import json
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from weighing import (  # noqa: E402
    COMPARE,
    SEARCH,
    TEST,
    Scale,
    deal_seeds,
    fit,
    gather,
    mean_shares,
    meet_all,
    scale_of,
    seatings,
    weights_that_matter,
)

from agents.summary import Estimate, estimate_bounded_mean  # noqa: E402
from northsea_envs import GAMES, Game, TableError, get_game  # noqa: E402
from northsea_envs.files import write_atomically  # noqa: E402
from northsea_envs.tables import WEIGHTS_FILE, Weight, read_weights  # noqa: E402

EQUAL = 0.5
COMPARED_GAMES = 1000  # by which the best of several fits is chosen
PARTS = (1.0, 0.5, 0.25)  # of a fit, as they are tried
DIGITS = 3  # significant ones of a weight that was found


# --- the search -----------------------------------------------------------------------------------


class Search(NamedTuple):
    """How to search.

    Attributes:
        counts: numbers of players.
        games: games that each candidate of a generation plays, about.
        step: how far the first candidates are from the middle, as a share of each range.
        pull: what going from one end of all ranges to the other costs, as a share of games.
        seed: the same seed gives the same search.
        threads: candidates that play at the same time.
    """

    counts: tuple[int, ...]
    games: int
    step: float
    pull: float
    seed: int
    threads: int

    @property
    def deals(self) -> int:
        """Deals that each candidate of a generation plays."""
        return max(1, self.games // sum(len(seatings(players)) for players in self.counts))


def search(
    game: Game,
    scale: Scale,
    how: Search,
    begin: np.ndarray,
    go_on: Callable[[int], bool],
    tell: Callable[[dict[str, Any]], None],
) -> np.ndarray:
    """The weights (n,) at which the search ends: the middle of its distribution, since single candidates were lucky.

    Args:
        game: the game.
        scale: which weights are sought.
        how: how to search.
        begin: weights (n,) at which it begins, and by which the incumbent plays.
        go_on: asked before each generation with its number, from 0.
        tell: called after each generation with its facts.
    """
    with warnings.catch_warnings():
        # It misses matplotlib, for plots that nobody asks for.
        warnings.simplefilter("ignore")
        import cma

    home = scale.point(scale.start)
    # Seed 0 would mean the clock. A diagonal covariance is learnt in the few generations that a run has.
    options = {"seed": 1 + how.seed, "bounds": [0, 1], "CMA_diagonal": True, "verbose": -9}
    strategy = cma.CMAEvolutionStrategy(scale.point(begin), how.step, options)
    number = 0
    with ThreadPoolExecutor(how.threads) as pool:
        while go_on(number):
            seeds = deal_seeds(how.seed, SEARCH, number, how.deals)
            points = strategy.ask()
            candidates = [scale.weights(point) for point in points]
            play = partial(mean_shares, game, how.counts, begin, seeds)
            results = np.array(list(pool.map(play, candidates)))
            pulls = [how.pull * float(np.mean((np.asarray(point) - home) ** 2)) for point in points]
            strategy.tell(points, [pull - share for pull, share in zip(pulls, results.mean(axis=1), strict=True)])
            middle = scale.weights(strategy.result.xfavorite)
            tell(
                {
                    "generation": number,
                    "mean": round(float(results.mean()), 4),
                    "best": round(float(results.mean(axis=1).max()), 4),
                    "by_players": [round(float(x), 4) for x in results.mean(axis=0)],
                    "step": round(float(strategy.sigma), 4),
                    "middle": [float(f"{x:.4g}") for x in middle],
                }
            )
            number += 1
    return scale.weights(strategy.result.xfavorite) if number else begin


def fit_by_rounds(
    game: Game, scale: Scale, counts: Sequence[int], begin: np.ndarray, rounds: int, games: int, ridge: float, seed: int
) -> np.ndarray:
    """The best of ``begin`` and the weights of so many rounds, each fitted to games played with the last one's.

    A fit is tried whole and in part: outcomes say little of what greedy compares, its own next actions, and a fit may
    go too far. The rounds end with the first that brings nothing.
    """
    seeds = _compared_deals(counts, seed, 0)
    best, best_share = begin, float(mean_shares(game, counts, scale.start, seeds, begin).mean())
    for number in range(rounds):
        weights = best
        samples = [gather(game, players, weights, games, seed + number) for players in counts]
        fitted = fit(game, samples, scale, weights, ridge)
        improved = False
        for part in PARTS:
            candidate = weights + part * (fitted - weights)
            shares = mean_shares(game, counts, scale.start, seeds, candidate)
            by_players = ", ".join(f"{x:.3f} of {p} players" for p, x in zip(counts, shares.tolist(), strict=True))
            print(f"fit {number + 1}, {part:g} of it: {by_players}", flush=True)
            if shares.mean() > best_share:
                best, best_share, improved = candidate, float(shares.mean()), True
        if not improved:
            break
    return best


def is_better(game: Game, counts: Sequence[int], candidate: np.ndarray, incumbent: np.ndarray, seed: int) -> bool:
    """Whether the candidate did better than the incumbent on deals for this purpose alone."""
    return bool(mean_shares(game, counts, incumbent, _compared_deals(counts, seed, 1), candidate).mean() > EQUAL)


def _compared_deals(counts: Sequence[int], seed: int, number: int) -> list[int]:
    deals = max(1, COMPARED_GAMES // sum(len(seatings(players)) for players in counts))
    return deal_seeds(seed, COMPARE, number, deals)


def rounded(weights: np.ndarray, scale: Scale) -> np.ndarray:
    """``weights`` with few digits, still in their ranges; those that were not sought as they are."""
    few = np.array([float(f"{x:.{DIGITS}g}") for x in weights])
    out = scale.start.copy()
    out[scale.tuned] = np.clip(few[scale.tuned], scale.low, scale.high)
    return out


def with_values(text: str, names: Sequence[str], values: np.ndarray) -> str:
    """The table ``text`` with other values; all else in it stays."""
    new = dict(zip(names, values.tolist(), strict=True))
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        old = float(row["value"])
        writer.writerow(row if old == new[row["name"]] else row | {"value": f"{new[row['name']]:.9g}"})
    return out.getvalue()


# --- the command ----------------------------------------------------------------------------------


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.mean:.1f}% ({100 * (estimate.low or 0):.1f} to {100 * (estimate.high or 1):.1f})"


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"{text!r} is not written name=value")
    return name, {"true": True, "false": False}.get(value.lower(), value)


def _arguments(arguments: list[str] | None) -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4], help="numbers of players (default 2 4)")
    parser.add_argument("--option", type=_option, action="append", default=[], help="variant=advanced, for example")
    parser.add_argument("--minutes", type=float, default=20, help="how long to search (default 20)")
    parser.add_argument("--generations", type=int, help="how many generations to search instead")
    parser.add_argument("--fits", type=int, default=2, help="rounds of fitting to outcomes (default 2)")
    parser.add_argument(
        "--fit-games", type=int, default=2000, help="games of each, by number of players (default 2000)"
    )
    parser.add_argument(
        "--ridge", type=float, default=0.02, help="how much fits stay near the old weights (default 0.02)"
    )
    parser.add_argument("--games", type=int, default=400, help="games a candidate and generation (default 400)")
    parser.add_argument("--test-games", type=int, default=4000, help="games of the final test (default 4000)")
    parser.add_argument("--only", nargs="+", default=["*"], help="patterns of the weights to seek (default all)")
    parser.add_argument("--start", type=Path, help="table of weights at which to begin (default: the game's own)")
    parser.add_argument("--step", type=float, default=0.06, help="first step as a share of each range (default 0.06)")
    parser.add_argument("--pull", type=float, default=0.1, help="how much to stay near the old weights (default 0.1)")
    parser.add_argument("--seed", type=int, default=0, help="default 0")
    parser.add_argument("--threads", type=int, default=1, help="candidates that play at the same time (default 1)")
    parser.add_argument("--progress", type=Path, help="file for one line of JSON a generation")
    parser.add_argument("--output", type=Path, help="where to write better weights (default: the game's own table)")
    parsed = parser.parse_args(arguments)
    for name, least in (("games", 10), ("test_games", 10), ("fit_games", 10), ("threads", 1), ("fits", 0)):
        value = getattr(parsed, name)
        if value < least:
            parser.error(f"argument --{name.replace('_', '-')}: {value} is not allowed; {least} or more")
    if not 0 < parsed.step <= 1:
        parser.error(f"argument --step: {parsed.step} is not allowed; above 0, at most 1")
    if min(parsed.pull, parsed.ridge, parsed.seed, parsed.minutes) < 0:
        parser.error("--pull, --ridge, --seed and --minutes cannot be negative")
    return parser, parsed


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns 0 where better weights were found and written, 1 where not."""
    parser, parsed = _arguments(arguments)
    table = importlib.import_module(f"northsea_envs.games.{parsed.game}").TABLES / WEIGHTS_FILE
    try:
        game = get_game(parsed.game)
        options = dict(parsed.option)
        game = game.with_options(options)
        counts = tuple(dict.fromkeys(game.check_players(players) for players in parsed.players))
        game.option_codes(counts[0], options)
        if game.options and options.keys() & {option.name for option in game.options}:
            parser.error("argument --option: name a variant; other options do not reach the weights")
        weights = read_weights(table.parent, game.weights)
        start = parsed.start or table
        begin = np.array([weight.value for weight in read_weights(start.parent, game.weights, start.name)])
    except (TableError, ValueError) as error:
        parser.error(str(error))
    how = Search(counts, parsed.games, parsed.step, parsed.pull, parsed.seed, parsed.threads)
    chosen = {w.name for w in weights if any(fnmatch(w.name, pattern) for pattern in parsed.only)}
    names = chosen & weights_that_matter(game, counts, weights, parsed.seed)
    if not names:
        parser.error(f"argument --only: no weight matches {' '.join(parsed.only)} and matters in {game.described}")
    if chosen - names:
        print(f"without effect here, left as they are: {', '.join(sorted(chosen - names))}")
    scale = scale_of(weights, names)
    begin = np.where(np.isin(np.arange(len(begin)), scale.tuned), begin, scale.start)
    print(
        f"{game.described}, {' and '.join(map(str, counts))} players, {len(names)} weights, {how.deals} deals a "
        f"candidate and generation, seed {how.seed}",
        flush=True,
    )
    begin = fit_by_rounds(game, scale, counts, begin, parsed.fits, parsed.fit_games, parsed.ridge, parsed.seed)
    began = time.monotonic()

    def go_on(number: int) -> bool:
        if parsed.generations is not None:
            return number < parsed.generations
        return time.monotonic() - began < 60 * parsed.minutes

    def tell(facts: dict[str, Any]) -> None:
        print(
            f"{(time.monotonic() - began) / 60:6.1f} min  generation {facts['generation']:4d}  mean {facts['mean']:.3f}"
            f"  best {facts['best']:.3f}  step {facts['step']:.3f}",
            flush=True,
        )
        if parsed.progress:
            with parsed.progress.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"game": game.described, "seed": how.seed, **facts}) + "\n")

    found = rounded(search(game, scale, how, begin, go_on, tell), scale)
    if not is_better(game, counts, found, begin, parsed.seed):
        print("the search did not improve where it began")
        found = rounded(begin, scale)
    for weight, value in zip(weights, found.tolist(), strict=True):
        if value != weight.value:
            print(f"{weight.name:24s} {weight.value:8g} -> {value:8g}")
    return 0 if _test_and_write(game, how, weights, found, parsed.test_games, table, parsed.output or table) else 1


def _test_and_write(
    game: Game, how: Search, weights: Sequence[Weight], found: np.ndarray, games: int, table: Path, output: Path
) -> bool:
    """Test on fresh deals and write where better; whether it was."""
    deals = max(2, games // sum(len(seatings(players)) for players in how.counts))
    incumbent = [weight.value for weight in weights]
    shares = meet_all(game, how.counts, found, incumbent, deal_seeds(how.seed, TEST, 0, deals))
    for k, players in enumerate(how.counts):
        count = deals * len(seatings(players))
        print(f"{players} players: {_percent(estimate_bounded_mean(shares[:, [k]]))} in {count} games of {deals} deals")
    overall = estimate_bounded_mean(shares)
    print(f"all: {_percent(overall)}")
    if overall.low is None or overall.low <= EQUAL:
        print("not clearly better than one half: nothing written")
        return False
    write_atomically(output, with_values(table.read_text(encoding="utf-8"), game.weights, found).encode())
    print(f"written: {output}")
    return True


if __name__ == "__main__":
    sys.exit(main())
