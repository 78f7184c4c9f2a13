"""Results as a file that others can rerun: what it holds, and reading it. :mod:`agents.verify` plays it again.

It is the JSON document of :mod:`agents.report` and, beside it: the agents' versions, how the games were gathered into
chunks, the ratings, the matrix of pairwise results, the answer to the question that stopped it, and thinking times.
"""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents import report
from agents.evaluation import Evaluation
from agents.ratings import Matrix, Ratings, anchor_of, choices_of, pairwise, rate
from agents.summary import are_places
from agents.tournament import Outcome, Tournament
from agents.until import parse

# 2 had no ratings, versions of agents and chunks.
FORMAT = 3


class ResultsError(ValueError):
    """A results file is damaged, of another kind, or cannot be played again here."""


@dataclass(frozen=True)
class Analysis:
    """What follows from a tournament's games.

    Attributes:
        ratings: None where one agent played itself.
        matrix: pairwise results.
    """

    ratings: Ratings | None
    matrix: Matrix

    def document(self) -> dict[str, Any]:
        """Both as they stand in a results file."""
        names = self.matrix.names
        rows = zip(names, self.matrix.ahead, strict=True)
        return {
            "ratings": self.ratings and asdict(self.ratings),
            "pairwise": {
                first: {second: asdict(cell) for second, cell in zip(names, row, strict=True) if cell}
                for first, row in rows
            },
        }


def analyse(evaluation: Evaluation) -> Analysis:
    """Ratings and pairwise results; the bootstrap draws from the tournament's seed."""
    plan, result = evaluation.plan, evaluation.result
    played = choices_of(len(result.names), plan.schedule.deal, result)
    ratings = None
    if len(result.names) > 1:
        ratings = rate(result.names, played, anchor_of(plan.specs), plan.seed)
    return Analysis(ratings, pairwise(result.names, played))


def document(evaluation: Evaluation, analysis: Analysis, tournament: Tournament, outcome: Outcome) -> dict[str, Any]:
    """The contents of a results file."""
    head = report.document(evaluation)
    games = head.pop("games")
    specs = evaluation.plan.specs
    return {
        **head,
        "format": FORMAT,
        "agents": [{"name": name, "spec": spec, "version": tournament.versions[name]} for name, spec in specs.items()],
        "made_with": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            **{package: version(package) for package in ("numpy", "numba")},
        },
        "batch": tournament.batch,
        "chunk_deals": list(tournament.chunk_deals),
        **analysis.document(),
        "until": outcome.answer
        and {
            "question": str(outcome.answer.question),
            "deals": outcome.answer.deals,
            "settled": outcome.answer.settled,
        },
        # Measured, and so the only part that differs from one time to the next.
        "thinking": {
            name: {"decisions": decisions, "seconds": seconds}
            for name, (decisions, seconds) in outcome.thinking.items()
        },
        "games": games,
    }


# --- reading --------------------------------------------------------------------------------------


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, allow_inf_nan=False)


# What fits into 64 bits.
Whole = Annotated[int, Field(ge=0, lt=2**63)]


class _Interval(_Strict):
    mean: float
    low: float | None
    high: float | None


class _Overall(_Strict):
    seats_held: Whole
    games: Whole
    win_share: _Interval
    rank: _Interval
    score: _Interval


class _Rating(_Strict):
    points: float
    low: float | None
    high: float | None
    comparisons: Whole


class _Ratings(_Strict):
    anchor: str | None
    agents: dict[str, _Rating]
    resamples: Whole


class _Agent(_Strict):
    name: str
    spec: str
    version: str


class _Thinking(_Strict):
    decisions: Whole
    seconds: Annotated[float, Field(ge=0)]


class _Until(_Strict):
    question: str
    deals: Whole
    settled: Literal[-1, 0, 1]


class _Pairing(_Strict):
    pairing: str
    deals: Annotated[int, Field(ge=1)]
    seatings: list[list[str]]


class _Game(_Strict):
    pairing: Whole
    seed: Whole
    seating: list[str]
    ranks: list[Annotated[int, Field(ge=1, le=4)]]
    scores: list[float]
    decisions: Whole
    truncated: bool


class Results(_Strict):
    """A results file's contents, such that a report can be made of them.

    They have the right types, its games are games of its agents, and its figures are about these. That games and
    figures follow from the seed is for :mod:`agents.verify` to say.
    """

    format: Literal[3]
    game: str
    package_version: str
    tables_fingerprint: str
    players: Annotated[int, Field(ge=2, le=4)]
    options: dict[str, Any]
    agents: Annotated[list[_Agent], Field(min_length=1)]
    made_with: dict[str, str]
    seed: Whole
    games_asked: Annotated[int, Field(ge=1)]
    batch: Annotated[int, Field(ge=1)]
    chunk_deals: list[Annotated[int, Field(ge=1)]]
    schedule: list[_Pairing]
    summary: dict[str, Any]
    overall: dict[str, _Overall] | None
    ratings: _Ratings | None
    pairwise: dict[str, dict[str, _Interval]]
    until: _Until | None
    thinking: dict[str, _Thinking] = {}
    games: Annotated[list[_Game], Field(min_length=1)]

    @model_validator(mode="after")
    def _fits_together(self) -> Results:
        names = [agent.name for agent in self.agents]
        if len(set(names)) < len(names):
            raise ValueError("agents: two have the same name")
        for k, game in enumerate(self.games):
            for what, values in (("seating", game.seating), ("ranks", game.ranks), ("scores", game.scores)):
                if len(values) != self.players:
                    raise ValueError(f"games.{k}.{what}: there must be {self.players}, one a seat, not {len(values)}")
            for name in game.seating:
                if name not in names:
                    raise ValueError(f"games.{k}.seating: {name!r} is none of the agents")
        right = are_places(np.array([game.ranks for game in self.games], np.int64))
        if not right.all():
            k = int(np.argmin(right))
            raise ValueError(f"games.{k}.ranks: {self.games[k].ranks} are not the places of a game, such as 1, 2, 2, 4")
        idle = set(names).difference(*(game.seating for game in self.games))
        if idle:
            raise ValueError(f"games: {', '.join(map(repr, sorted(idle)))} sits in none")
        about = {"pairwise": self.pairwise, "ratings.agents": self.ratings and self.ratings.agents}
        for what, figures in about.items():
            if figures is not None and set(figures) != set(names):
                raise ValueError(f"{what}: it must be about the agents, {', '.join(names)}")
        if self.until:
            parse(self.until.question, names)
        return self


def load(path: str | Path) -> Results:
    """Read a results file.

    Raises:
        ResultsError: it cannot be read, is no results file, or something in it is missing or of another type.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        content = json.loads(text)
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{path}: not JSON ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT or "games" not in content:
        raise ResultsError(f"{path}: not a results file of this version of evaluate.py: its format is not {FORMAT}")
    try:
        return Results.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        # What does not fit together has no place, but names it in its message.
        place = [".".join(map(str, first["loc"]))] if first["loc"] else []
        said = ": ".join((*place, first["msg"].removeprefix("Value error, ")))
        raise ResultsError(f"{path}: damaged: {said}") from None
