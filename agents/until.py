"""Stopping a tournament as soon as a question is settled: ``"greedy>random@95%"``.

The question is whether one agent finishes ahead of another more often than behind it, in games in which both sit. Each
complete deal answers with a number from -1 (behind in all pairs of their seats) to 1 (ahead in all). Against either
answer a bettor plays: it begins with 1 and stakes, before each deal, a part of its wealth on the deal's number. Where
the truth is that the number is 0 or less on average, the wealth of who bets on more grows to k with a chance of 1 / k
at most, however often one looks (Ville's inequality; Waudby-Smith and Ramdas, 2024). So wealth of 2 / (1 - 95%) = 40 on
one side settles the question at 95%, both ways of being wrong together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

# The most that is staked: less than all, so that one deal ruins nobody.
MOST_STAKED = 0.75


@dataclass(frozen=True)
class Question:
    """Whether ``first`` finishes ahead of ``second`` more often than behind.

    Attributes:
        first: name of the one.
        second: name of the other.
        confidence: in per cent, more than 50 and less than 100.
    """

    first: str
    second: str
    confidence: float

    @property
    def percentage(self) -> str:
        """The confidence in all its digits, such as ``95%``: rounding would make 100% of 99.99999%."""
        return f"{float(self.confidence)!r}".removesuffix(".0") + "%"

    def __str__(self) -> str:
        return f"{self.first}>{self.second}@{self.percentage}"


@dataclass(frozen=True)
class Answer:
    """What the deals up to one said.

    Attributes:
        question: what was asked.
        deals: deals that were looked at.
        settled: 1 where the first is ahead, -1 where the second is, 0 where it is open.
    """

    question: Question
    deals: int
    settled: int

    def __str__(self) -> str:
        better, worse = (self.question.first, self.question.second)[:: self.settled or 1]
        if self.settled:
            return f"settled at {self.question.percentage}: {better} finishes ahead of {worse} ({self.deals} deals)"
        return f"not settled at {self.question.percentage} after {self.deals} deals: {better} against {worse}"


def parse(text: str, names: Sequence[str]) -> Question:
    """The question that a text such as ``"greedy>random@95%"`` asks about the agents ``names``.

    Raises:
        ValueError: the text has another form, names an agent that does not play, or the same one twice.
    """
    form = 'write it as "FIRST>SECOND@95%"'
    match = re.fullmatch(r"(.+)@([0-9]+(?:\.[0-9]+)?)%", text)
    if not match or ">" not in match[1]:
        raise ValueError(f"until {text!r} is no question; {form}")
    confidence = float(match[2])
    if not 50 < confidence < 100:
        raise ValueError(f"until {text!r}: the confidence must be more than 50% and less than 100%")
    # Names may hold ">" themselves.
    places = [k for k, letter in enumerate(match[1]) if letter == ">"]
    pairs = [(match[1][:k].strip(), match[1][k + 1 :].strip()) for k in places]
    known = [pair for pair in pairs if set(pair) <= set(names)]
    if not known:
        wrong = " or ".join(dict.fromkeys(repr(name) for pair in pairs for name in pair if name not in names))
        raise ValueError(f"until {text!r}: no agent is called {wrong}; agents: {', '.join(names)}")
    first, second = known[0]
    if first == second:
        raise ValueError(f"until {text!r} compares an agent with itself; {form}")
    return Question(first, second, confidence)


def answer_of(
    question: Question, names: Sequence[str], deals: np.ndarray, lineups: np.ndarray, ranks: np.ndarray
) -> Answer:
    """What games say to a question, looked at deal by deal until it is settled.

    Args:
        question: about two of ``names``.
        names: the agents that ``lineups`` number.
        deals: integers (n,), the deal of each game, in rising order.
        lineups: integers (n, players), the agent in each seat.
        ranks: integers (n, players), places from 1.
    """
    watch = Watch(question)
    first, second = names.index(question.first), names.index(question.second)
    starts = np.unique(deals, return_index=True)[1]
    for start, end in pairwise((*starts.tolist(), len(deals))):
        if watch.see(deal_number(lineups[start:end], ranks[start:end], first, second)).settled:
            break
    return watch.answer


class Bettor:
    """Bets that numbers in -1 .. 1 are more than 0 on average."""

    def __init__(self) -> None:
        self.log_wealth = 0.0
        self._count, self._sum, self._squares = 1, 0.0, 0.25

    def see(self, number: float) -> None:
        """One number more; the stake is fixed by those before it."""
        mean = self._sum / self._count
        variance = max(self._squares / self._count - mean**2, 0.0)
        stake = min(max(mean / (variance + mean**2), 0.0), MOST_STAKED) if mean > 0 else 0.0
        self.log_wealth += math.log1p(stake * number)
        self._count += 1
        self._sum += number
        self._squares += number**2


class Watch:
    """Looks at deals in their order until a question is settled."""

    def __init__(self, question: Question):
        self.question = question
        self.answer = Answer(question, 0, 0)
        self._goal = math.log(2 / (1 - question.confidence / 100))
        self._bettors = (Bettor(), Bettor())

    def see(self, number: float) -> Answer:
        """The answer after one deal more, by its :func:`deal_number`; nothing changes once it is settled."""
        if not self.answer.settled:
            for sign, bettor in zip((1, -1), self._bettors, strict=True):
                bettor.see(sign * number)
            settled = next((s for s, b in zip((1, -1), self._bettors, strict=True) if b.log_wealth >= self._goal), 0)
            self.answer = Answer(self.question, self.answer.deals + 1, settled)
        return self.answer


def deal_number(lineups: np.ndarray, ranks: np.ndarray, first: int, second: int) -> float:
    """How much agent ``first`` was ahead of ``second``, -1 .. 1, on average over the games in which both sit.

    Args:
        lineups: integers (n, players), the agent in each seat.
        ranks: integers (n, players), places from 1.
        first: number of the one agent.
        second: number of the other; they meet in at least one game.
    """
    own = (lineups == first)[:, :, None] & (lineups == second)[:, None, :]
    ahead = np.sign(ranks[:, None, :].astype(np.int64) - ranks[:, :, None])
    pairs = own.sum(axis=(1, 2))
    numbers = (own * ahead).sum(axis=(1, 2))[pairs > 0] / pairs[pairs > 0]
    return float(numbers.mean())
