"""Playing a results file again: whether its games come out the same to the bit, and its figures follow from them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import northsea_envs
from agents import report
from agents.chunks import Chunk, Setup, Workers
from agents.evaluation import Evaluation, Plan, plan
from agents.journal import OUTCOMES
from agents.match import MatchResult, Progress
from agents.results import Results, ResultsError, analyse
from agents.shipped import folder_of
from agents.tournament import Tournament
from agents.until import Answer, answer_of, parse
from agents.versions import agent_version
from northsea_envs.agent import AgentError
from northsea_envs.game import Game

# Figures are arithmetic on exact results; another processor may round them otherwise.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Restored:
    """A results file's tournament, its agents made anew.

    Attributes:
        plan: all that was to be played.
        evaluation: the games of the file.
        answer: what they say to the question that was asked; None if none was.
    """

    plan: Plan
    evaluation: Evaluation
    answer: Answer | None


def restore(results: Results, tables: str | None = None, game: Game | None = None) -> Restored:
    """The tournament that a results file holds.

    Args:
        results: the file's contents.
        tables: folder of the component tables that were played with; None for the package's.
        game: the game itself, in place of what the file and ``tables`` name.

    Raises:
        ResultsError: another version, other tables, an agent that is not here or has changed, a schedule or games
            that do not follow from the seed, or fewer deals than were asked for though no question stopped it.
    """
    if results.package_version != northsea_envs.__version__:
        raise ResultsError(
            f"played with northsea_envs {results.package_version}; here is {northsea_envs.__version__}, which may play "
            "otherwise"
        )
    try:
        game = game or northsea_envs.get_game(results.game, tables)
        game = game.with_options(results.options)
        if results.tables_fingerprint != game.fingerprint:
            raise ResultsError(
                f"played with other component tables: fingerprint {results.tables_fingerprint!r}, here "
                f"{game.fingerprint!r}; --tables names a folder with others"
            )
        for agent in results.agents:
            here = agent_version(agent.spec, folder_of(game, results.players))
            if agent.version != here:
                raise ResultsError(
                    f"agent {agent.name!r} was version {agent.version!r} of {agent.spec!r}; here it is {here!r}"
                )
        agents = {agent.name: agent.spec for agent in results.agents}
        whole = plan(game, results.players, agents, results.games_asked, results.seed, results.options)
    except AgentError as error:
        raise ResultsError(str(error)) from error
    except ResultsError:
        raise
    except ValueError as error:
        raise ResultsError(f"damaged: {error}") from error
    evaluation = Evaluation(*_restored(results, whole))
    answer = _answer(results, evaluation)
    there, asked = len(np.unique(evaluation.plan.schedule.deal)), len(whole.deal_seeds)
    if there < asked and not (answer and answer.settled):
        unsettled = (
            f"its games do not settle its question {str(answer.question)!r}" if answer else "no question ended it"
        )
        raise ResultsError(
            f"damaged: it holds {there} deals where games_asked, {results.games_asked}, makes {asked}, "
            f"though {unsettled}"
        )
    return Restored(whole, evaluation, answer)


def _answer(results: Results, evaluation: Evaluation) -> Answer | None:
    if not results.until:
        return None
    result = evaluation.result
    question = parse(results.until.question, result.names)
    return answer_of(question, result.names, evaluation.plan.schedule.deal, result.lineups, result.ranks)


def _restored(results: Results, whole: Plan) -> tuple[Plan, MatchResult]:
    deals = max((pairing.deals for pairing in results.schedule), default=0)
    part = replace(whole, schedule=whole.schedule.first_deals(max(deals, 1)))
    schedule, names = part.schedule, tuple(part.agents)
    expected = [
        (pairing.name(names), pairing.deals, [[names[index] for index in s] for s in pairing.seatings.tolist()])
        for pairing in schedule.pairings
    ]
    if [(p.pairing, p.deals, p.seatings) for p in results.schedule] != expected:
        raise ResultsError("damaged: its schedule is not the one of its agents, players and number of games")
    if len(results.games) != len(schedule):
        raise ResultsError(f"damaged: {len(results.games)} games where its schedule has {len(schedule)}")
    if len(results.chunk_deals) != len(schedule.pairings):
        raise ResultsError(f"damaged: chunk_deals must hold {len(schedule.pairings)} numbers, one a pairing")
    seeds = part.deal_seeds[schedule.deal]
    for k, game in enumerate(results.games):
        seating = [names[index] for index in schedule.lineups[k]]
        if (game.pairing, game.seed, game.seating) != (int(schedule.pairing[k]), int(seeds[k]), seating):
            raise ResultsError(f"damaged: game {k} is not the one that follows from the seed: {seating} at {seeds[k]}")
    return part, MatchResult(
        names,
        seeds,
        schedule.lineups,
        np.array([game.ranks for game in results.games], np.int64),
        np.array([game.scores for game in results.games], np.float64),
        np.array([game.decisions for game in results.games], np.int64),
        np.array([game.truncated for game in results.games], bool),
    )


@dataclass(frozen=True)
class Verdict:
    """What playing a results file again said.

    Attributes:
        games: games that were played again.
        of: games of the file.
        differing: games that came out otherwise, in words.
        figures: figures of the file that do not follow from its games.
        by_clock: agents whose choices depend on the clock; their games were left out.
    """

    games: int
    of: int
    differing: tuple[str, ...]
    figures: tuple[str, ...]
    by_clock: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether a game came out otherwise, or a figure does not follow from the games."""
        return bool(self.differing or self.figures)

    @property
    def reproduces(self) -> bool:
        """Whether something was played again and nothing differs."""
        return self.games > 0 and not self.differs


def verify(
    results: Results,
    restored: Restored,
    games: int | None,
    make_workers: Callable[[Setup, Plan], Workers],
    progress: Progress | None = None,
    seed: int | None = None,
) -> Verdict:
    """Play a sample of a results file's games again and compare.

    Whole chunks are played, as they were at first: a neural network's last bits depend on the size of its batches.

    Args:
        results: the file's contents.
        restored: the tournament, from :func:`restore`.
        games: how many games at least; None for all.
        make_workers: who plays.
        progress: called as chunks finish.
        seed: the sample is drawn from it; None draws another one each time.
    """
    whole, evaluation = restored.plan, restored.evaluation
    by_clock = tuple(name for name, agent in whole.agents.items() if not getattr(agent, "reproducible", True))
    clocked = {list(whole.agents).index(name) for name in by_clock}
    tournament = Tournament(whole, results.batch, chunk_deals=results.chunk_deals)
    deals = evaluation.plan.schedule.pairings[0].deals
    chunks = [c for c in tournament.chunks() if c.first < deals and not clocked & set(c.seatings[0].tolist())]
    np.random.default_rng(secrets.randbits(64) if seed is None else seed).shuffle(chunks)
    sample: list[Chunk] = []
    wanted = len(evaluation.result) if games is None else games
    while chunks and sum(_length(chunk, deals) for chunk in sample) < wanted:
        sample.append(chunks.pop())
    differing: list[str] = []
    played = 0
    total = sum(_length(chunk, deals) for chunk in sample)
    workers = make_workers(tournament.setup, whole)
    try:
        waiting, running = sample[::-1], 0
        while waiting or running:
            while waiting and running < workers.slots:
                workers.submit(waiting.pop())
                running += 1
            for chunk, again in workers.finished():
                running -= 1
                count = _length(chunk, deals)
                differing += _compare(evaluation, chunk, again.result[:count])
                played += count
                if progress:
                    progress(played, total)
    finally:
        workers.close()
    return Verdict(played, len(evaluation.result), tuple(differing), tuple(_figures(results, restored)), by_clock)


def _length(chunk: Chunk, deals: int) -> int:
    """Games of a chunk that are in a file of so many deals."""
    return (min(chunk.first + len(chunk.seeds), deals) - chunk.first) * len(chunk.seatings)


def _compare(evaluation: Evaluation, chunk: Chunk, again: MatchResult) -> list[str]:
    schedule = evaluation.plan.schedule
    last = chunk.first + len(again) // len(chunk.seatings)
    own = (schedule.pairing == chunk.pairing) & (schedule.deal >= chunk.first) & (schedule.deal < last)
    places = np.flatnonzero(own)
    recorded = evaluation.result[places]
    out = []
    for k, place in enumerate(places.tolist()):
        for name in OUTCOMES:
            there, here = getattr(recorded, name)[k].tolist(), getattr(again, name)[k].tolist()
            if there != here:
                seating = ", ".join(again.names[agent] for agent in again.lineups[k])
                out.append(f"game {place} (seed {again.seeds[k]}, seats {seating}): {name} {there} there, {here} here")
    return out


def _figures(results: Results, restored: Restored) -> list[str]:
    """Names of the file's figures that are not those of its games."""
    evaluation, answer = restored.evaluation, restored.answer
    fresh = {**report.document(replace(evaluation)), **analyse(evaluation).document()}
    there = results.model_dump()
    wrong = [name for name in ("summary", "overall", "ratings", "pairwise") if not _close(there[name], fresh[name])]
    if answer and results.until:
        # Once it is settled no deal more counts.
        deals = len(np.unique(evaluation.plan.schedule.deal))
        if (results.until.settled, results.until.deals, deals) != (answer.settled, answer.deals, answer.deals):
            wrong.append("until")
    return wrong


def _close(there: Any, here: Any) -> bool:
    """Equality of JSON values up to rounding; tuples are lists."""
    if isinstance(there, dict) and isinstance(here, dict):
        return there.keys() == here.keys() and all(_close(there[key], here[key]) for key in there)
    if isinstance(there, list | tuple) and isinstance(here, list | tuple):
        return len(there) == len(here) and all(_close(a, b) for a, b in zip(there, here, strict=True))
    if isinstance(there, int | float) and isinstance(here, int | float):
        try:
            return abs(there - here) <= TOLERANCE * max(1.0, abs(there), abs(here))
        except OverflowError:
            # A whole number that no float can hold.
            return False
    return bool(there == here)
