"""Better weights for the ``value`` of a game, found by play: CMA-ES over the numbers in its ``tables/value.csv``.

    pip install -e ".[train,tune]"
    python benchmarks/tune.py vikings --players 2 4 --minutes 20

Greedy with candidate weights meets greedy with the weights as they are. What is sought is the greatest share of the
other seats that the candidate ends ahead of (ties count one half), averaged over the numbers of players. All candidates
of a generation meet the same deals, each deal with the seats rotated, and every generation has fresh ones. In the end
the middle of the search distribution is tested on deals that the search has not seen, and the table is rewritten only
if the 95% interval there is above one half. Weights stay between their low and high, and are drawn towards where they
were by ``--pull``. The same arguments with ``--generations`` instead of ``--minutes`` give the same weights.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agents.greedy import GreedyAgent  # noqa: E402
from agents.match import play_match  # noqa: E402
from agents.summary import Estimate, estimate_bounded_mean  # noqa: E402
from northsea_envs import GAMES, Game, TableError, get_game  # noqa: E402
from northsea_envs.files import write_atomically  # noqa: E402
from northsea_envs.jit import mix_seed  # noqa: E402
from northsea_envs.tables import WEIGHTS_FILE, Weight, read_weights  # noqa: E402
from northsea_envs.vector import GameBatch  # noqa: E402

# Deals of the search, of the final test, and of the look at which weights matter: numbers mixed into the seed.
SEARCH, TEST, LOOK = 1, 2, 3
EQUAL = 0.5
DIGITS = 3  # significant ones of a weight that was found


# --- candidate against incumbent ------------------------------------------------------------------


def seatings(players: int) -> np.ndarray:
    """0 where the incumbent sits and 1 where the candidate does, int64 (seatings, players).

    They sit alternately. All rotations are played, so that each seat is held equally often and equals get one half.
    """
    alternate = [1 - seat % 2 for seat in range(players)]
    rotations = {tuple(alternate[k:] + alternate[:k]) for k in range(players)}
    return np.array(sorted(rotations), np.int64)


def shares_beaten(ranks: np.ndarray) -> np.ndarray:
    """Share of the other seats that each seat ends ahead of, ties one half; ``ranks`` int64 (n, players)."""
    own, other = ranks[:, :, None], ranks[:, None, :]
    ahead = (own < other) + 0.5 * (own == other)
    # A seat ties with itself.
    return (ahead.sum(axis=2) - 0.5) / (ranks.shape[1] - 1)


def meet(
    game: Game, players: int, candidate: Sequence[float], incumbent: Sequence[float], seeds: Sequence[int]
) -> np.ndarray:
    """What the candidate's weights get against the incumbent's; float64 (deals,), one half among equals.

    Args:
        game: the game.
        players: number of seats.
        candidate: weights in the order of ``game.weights``.
        incumbent: the same of the other side.
        seeds: one a deal; each is played in every seating of :func:`seatings`.
    """
    agents = {
        "incumbent": GreedyAgent(game, players, weights=incumbent),
        "candidate": GreedyAgent(game, players, weights=candidate),
    }
    seats = seatings(players)
    lineups = np.tile(seats, (len(seeds), 1))
    result = play_match(game, players, agents, lineups, np.repeat(np.asarray(seeds, np.int64), len(seats)))
    shares = shares_beaten(result.ranks)
    own = (shares * lineups).sum(axis=1) / lineups.sum(axis=1)
    return own.reshape(len(seeds), len(seats)).mean(axis=1)


def deal_seeds(seed: int, purpose: int, number: int, deals: int) -> list[int]:
    """Seeds of so many deals, different for each purpose and number."""
    first = mix_seed(mix_seed(seed, purpose), number)
    return [int(mix_seed(first, deal)) for deal in range(deals)]


def meet_all(
    game: Game, counts: Sequence[int], candidate: Sequence[float], incumbent: Sequence[float], seeds: Sequence[int]
) -> np.ndarray:
    """As :func:`meet` at each number of players in ``counts``; float64 (deals, counts)."""
    return np.stack([meet(game, players, candidate, incumbent, seeds) for players in counts], axis=1)


# --- which weights --------------------------------------------------------------------------------


def weights_that_matter(game: Game, counts: Sequence[int], weights: Sequence[Weight], seed: int) -> set[str]:
    """Names of those that ever change a choice of greedy where they alone are at an end of their range.

    Those of another variant do not, and a search would let them drift. Every fifth decision of 16 games is looked at.
    """
    now = np.array([weight.value for weight in weights])
    found: set[str] = set()
    for players in counts:
        batch = GameBatch(game, players, np.array(deal_seeds(seed, LOOK, players, 16)))
        batch.want[:] = 0
        incumbent = GreedyAgent(game, players, weights=now)
        others = [
            (weight.name, GreedyAgent(game, players, weights=np.where(np.arange(len(now)) == k, end, now)))
            for k, weight in enumerate(weights)
            for end in (weight.low, weight.high)
        ]
        number = 0
        while len(rows := np.flatnonzero(batch.deciders >= 0)):
            decisions = batch.decisions(rows, observed=False)
            actions = incumbent.act(decisions)
            if number % 5 == 0:
                for name, agent in others:
                    if name not in found and (agent.act(decisions) != actions).any():
                        found.add(name)
            batch.step(rows, actions)
            number += 1
    return found


class Scale(NamedTuple):
    """Between weights and the coordinates of the search, which are 0 at each weight's low and 1 at its high.

    Attributes:
        start: float64 (n,), all weights of the game as they are.
        tuned: int64 (k,), the indices of those that are sought.
        low: float64 (k,), their lowest values.
        high: float64 (k,), their highest.
    """

    start: np.ndarray
    tuned: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def point(self, weights: np.ndarray) -> np.ndarray:
        """Coordinates (k,) of a full set of weights (n,)."""
        return (weights[self.tuned] - self.low) / (self.high - self.low)

    def weights(self, point: np.ndarray) -> np.ndarray:
        """The full set of weights (n,) at coordinates (k,), the others as they are."""
        weights = self.start.copy()
        weights[self.tuned] = np.clip(self.low + np.asarray(point) * (self.high - self.low), self.low, self.high)
        return weights


def scale_of(weights: Sequence[Weight], names: set[str]) -> Scale:
    """The scale in which the weights called ``names`` are sought."""
    tuned = [k for k, weight in enumerate(weights) if weight.name in names]
    return Scale(
        np.array([weight.value for weight in weights]),
        np.array(tuned, np.int64),
        np.array([weights[k].low for k in tuned]),
        np.array([weights[k].high for k in tuned]),
    )


# --- the search -----------------------------------------------------------------------------------


def _mean_shares(
    game: Game, counts: Sequence[int], incumbent: np.ndarray, seeds: Sequence[int], candidate: np.ndarray
) -> np.ndarray:
    """What a candidate gets at each number of players; float64 (counts,)."""
    return meet_all(game, counts, candidate, incumbent, seeds).mean(axis=0)


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
        scale: which weights are sought; the incumbent plays by ``scale.start``.
        how: how to search.
        begin: weights (n,) at which it begins.
        go_on: asked before each generation with its number, from 0.
        tell: called after each generation with its facts.
    """
    import cma  # those who only play matches need it not

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
            play = partial(_mean_shares, game, how.counts, scale.start, seeds)
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
    return scale.weights(strategy.result.xfavorite)


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
    for name in ("games", "test_games", "threads"):
        least = 1 if name == "threads" else 10
        value = getattr(parsed, name)
        if value < least:
            parser.error(f"argument --{name.replace('_', '-')}: {value} is not allowed; {least} or more")
    if not 0 < parsed.step <= 1:
        parser.error(f"argument --step: {parsed.step} is not allowed; above 0, at most 1")
    if parsed.pull < 0 or parsed.seed < 0 or parsed.minutes < 0:
        parser.error("--pull, --seed and --minutes cannot be negative")
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
