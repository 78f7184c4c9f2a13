"""Numbers, names and sentences of a tournament's report, and its Markdown table."""

from __future__ import annotations

import re

from agents.figures import Figures, Line
from agents.results import Results
from agents.summary import Estimate
from agents.until import Answer, parse


def rating_bounds(line: Line) -> str:
    """The interval of an agent's rating in words; empty for the anchor, which has none."""
    if line.points == line.low == line.high:
        return ""
    return interval(line.low, line.high) or "no interval"


def number(value: float, digits: int) -> str:
    """Such as ``1.50``; adding zero makes a rounded -0.0 a 0.0."""
    return f"{round(value, digits) + 0.0:,.{digits}f}"


def per_cent(value: float) -> str:
    """Such as ``50.2%``."""
    return f"{number(100 * value, 1)}%"


def interval(low: float | None, high: float | None, digits: int = 0, scale: float = 1.0) -> str:
    """Such as ``12 to 30``, ``at least 12`` or ``at most 30``; empty without bounds."""
    if low is not None and high is not None:
        return f"{number(scale * low, digits)} to {number(scale * high, digits)}"
    if low is not None:
        return f"at least {number(scale * low, digits)}"
    return f"at most {number(scale * high, digits)}" if high is not None else ""


def rating(line: Line) -> str:
    """An agent's rating with its interval, such as ``250 (240 to 261)``."""
    if line.points is None:
        return ""
    bounds = interval(line.low, line.high)
    # A rating with one bound only is as high, or low, as the tied game that was given lets it be.
    if (line.low is None) != (line.high is None):
        return bounds
    if line.low == line.high == line.points:
        return number(line.points, 0)
    return f"{number(line.points, 0)} ({bounds})" if bounds else number(line.points, 0)


def share(value: Estimate) -> str:
    """A share with its interval, such as ``50.2% (48.0 to 52.4)``."""
    bounds = interval(value.low, value.high, 1, 100)
    return per_cent(value.mean) + (f" ({bounds})" if bounds else "")


def thinking(line: Line) -> str:
    """Milliseconds for a decision, to three digits; empty where they were not measured."""
    return "" if line.milliseconds is None else f"{line.milliseconds:.3g}"


def sentences(results: Results, title: str, figures: Figures) -> list[str]:
    """What was played, in sentences."""
    options = ", ".join(f"{name}={value}" for name, value in results.options.items() if value is not None)
    said = [
        f"{title} ({results.game}{', ' + options if options else ''}), {results.players} players: "
        f"{len(results.games):,} games, {figures.deals:,} deals, each in every seating.",
        f"Seed {results.seed}, northsea-envs {results.package_version}, tables {results.tables_fingerprint}.",
    ]
    if results.ratings:
        zero = f"{results.ratings.anchor} has 0" if results.ratings.anchor else "the mean of all agents is 0"
        said.append(
            f"Ratings: Plackett-Luce, from all places; {zero}; 400 points are odds of ten to one of being ahead. "
            "Intervals hold 95% and come from whole deals."
        )
    if results.until:
        question = parse(results.until.question, [agent.name for agent in results.agents])
        answer = Answer(question, results.until.deals, results.until.settled)
        said.append(f"{'Stopped by a question' if answer.settled else 'A question stayed open'}: {answer}.")
    cut_short = sum(game.truncated for game in results.games)
    if cut_short:
        said.append(f"{cut_short:,} games were cut short by the limit on their length.")
    return said


def markdown(results: Results, title: str) -> str:
    """The table of agents with what was played above it."""
    said = sentences(results, title, Figures(results))
    return f"{' '.join(map(_escaped, said))}\n\n{agents_table(results)}"


def agents_table(results: Results) -> str:
    """The agents as a Markdown table, best first."""
    columns = {
        "agent": lambda line: _escaped(line.name),
        "rating (95%)": rating,
        "win share (95%)": lambda line: share(line.win_share),
        "mean rank": lambda line: number(line.rank.mean, 2),
        "mean score": lambda line: number(line.score.mean, 1),
        "ms a decision": thinking,
    }
    if not results.ratings:
        del columns["rating (95%)"]
    rows = [list(columns), ["---"] + ["--:"] * (len(columns) - 1)]
    rows += [[write(line) for write in columns.values()] for line in Figures(results).lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", " ".join(text.split()))
