"""Evaluations for people and for other programs: a table for the terminal and a JSON document."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

import northsea_envs
from agents.evaluation import Evaluation
from agents.ratings import Ratings
from agents.summary import AgentSummary, Estimate
from northsea_envs.files import write_atomically

FORMAT = 2
LABEL = 24  # characters of an agent's name that leave room for the figures in 80 columns


def table(evaluation: Evaluation) -> Table:
    """The summary as a ``rich`` table, one section a pairing; where one agent plays itself, with its seats.

    The last section has the processor time, of all threads, that each agent took for a decision.
    """
    plan = evaluation.plan
    games = sorted({pairing.games for pairing in plan.schedule.pairings})
    cut_short = int(evaluation.result.truncated.sum())
    out = Table(
        title=f"{plan.game.title} ({plan.game.described}), {plan.players} players",
        caption=f"{' or '.join(map(str, games))} games a pairing; means for each seat held, with 95% intervals over "
        f"deals; an even field wins {1 / plan.players:.1%}"
        + (f"; {cut_short} games were cut short by the limit on their length" if cut_short else ""),
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
    )
    out.add_column("agent", overflow="fold")
    for heading in ("win share", "rank", "score"):
        out.add_column(heading, justify="right", no_wrap=True)
    labels = _labels(evaluation.result.names)
    for pairing, summaries in zip(plan.schedule.pairings, evaluation.summary.values(), strict=True):
        out.add_row(Text(pairing.name(tuple(labels.values())), "bold"))
        for agent, summary in summaries.agents.items():
            out.add_row(Text(f"  {labels[agent]}"), *_cells(summary))
        if len(summaries.agents) == 1:
            for seat, share in enumerate(summaries.win_share_by_seat):
                out.add_row(f"  in seat {seat}", _interval(share, 100, 1))
        out.add_section()
    if evaluation.overall:
        out.add_row(Text("all pairings", "bold"))
        for agent, summary in evaluation.overall.items():
            out.add_row(Text(f"  {labels[agent]}"), *_cells(summary))
        out.add_section()
    if evaluation.result.thinking_times:
        out.add_row(Text("thinking time a decision", "bold"))
        for agent, seconds in evaluation.result.thinking_times.items():
            out.add_row(Text(f"  {labels[agent]}"), _duration(seconds))
    return out


def ratings_table(ratings: Ratings) -> Table:
    """Ratings as a ``rich`` table, best first."""
    zero = f"{ratings.anchor} has 0" if ratings.anchor else "the mean is 0"
    out = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    out.add_column("agent", overflow="fold")
    out.add_column(f"rating from all places, 95% intervals; {zero}", justify="right", no_wrap=True)
    labels = _labels(list(ratings.agents))
    for name, rating in ratings.ranked():
        out.add_row(Text(labels[name]), rating_text(rating.points, rating.low, rating.high))
    return out


def rating_text(points: float, low: float | None, high: float | None) -> str:
    """Such as ``250 (240..261)``, or ``at least 240`` where the games set one bound only."""

    def number(value: float) -> str:
        return f"{round(value) + 0:d}"

    if low is None and high is None:
        return number(points)
    if high is None:
        assert low is not None
        return f"at least {number(low)}"
    if low is None:
        return f"at most {number(high)}"
    return number(points) if low == high else f"{number(points)} ({number(low)}..{number(high)})"


def _duration(seconds: float) -> str:
    """Three figures and a unit, such as ``1.23 ms``."""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1 or unit == "µs":
            break
    return f"{seconds * scale:#.3g}".rstrip(".") + f" {unit}"


def _labels(names: Sequence[str]) -> dict[str, str]:
    """Names short enough for a table, if that tells each from the others."""
    for width in (LABEL, 2 * LABEL):
        labels = {name: short(name, width) for name in names}
        if len(set(labels.values())) == len(labels):
            return labels
    return {name: name for name in names}


def short(name: str, width: int) -> str:
    """``name`` in so many characters: what is before its colon, if that leaves room, and the end, as of a path."""
    if len(name) <= width:
        return name
    kind, colon, _ = name.partition(":")
    start = kind + colon if colon and 2 * len(kind) < width else ""
    return f"{start}…{name[len(start) + 1 - width :]}"


def _cells(summary: AgentSummary) -> tuple[str, str, str]:
    return _interval(summary.win_share, 100, 1), _interval(summary.rank, 1, 2), _interval(summary.score, 1, 1)


def _interval(estimate: Estimate, scale: int, digits: int) -> str:
    """Such as ``50.2% (47.0..53.5)``; a per cent sign where ``scale`` is 100."""

    def number(value: float) -> str:
        # Adding zero makes a rounded -0.0 a 0.0.
        return f"{round(scale * value, digits) + 0.0:.{digits}f}"

    mean = number(estimate.mean) + ("%" if scale == 100 else "")
    if estimate.low is None or estimate.high is None:
        return mean
    return f"{mean} ({number(estimate.low)}..{number(estimate.high)})"


def document(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as a JSON document; all that another machine needs to play the same games, and every result.

    ``games`` hold in ``seating`` the agents' names by seat. Estimates are ``{"mean", "low", "high"}``, where the
    bounds of the 95% interval are null if there is one deal only.
    """
    plan, result = evaluation.plan, evaluation.result
    return {
        "format": FORMAT,
        "game": plan.game.id,
        "package_version": northsea_envs.__version__,
        "tables_fingerprint": plan.game.fingerprint,
        "players": plan.players,
        "options": plan.options,
        "agents": [{"name": name, "spec": spec} for name, spec in plan.specs.items()],
        "seed": plan.seed,
        "games_asked": plan.games,
        "schedule": [
            {
                "pairing": pairing.name(result.names),
                "deals": pairing.deals,
                "seatings": [[result.names[index] for index in seating] for seating in pairing.seatings],
            }
            for pairing in plan.schedule.pairings
        ],
        "summary": {name: asdict(pairing) for name, pairing in evaluation.summary.items()},
        "overall": evaluation.overall and {name: asdict(summary) for name, summary in evaluation.overall.items()},
        "games": [
            {
                "pairing": int(plan.schedule.pairing[k]),
                "seed": int(result.seeds[k]),
                "seating": [result.names[index] for index in result.lineups[k]],
                "ranks": result.ranks[k].tolist(),
                "scores": result.scores[k].tolist(),
                "decisions": int(result.decisions[k]),
                "truncated": bool(result.truncated[k]),
            }
            for k in range(len(result))
        ],
    }


def check_writable(path: str | Path) -> Path:
    """``path`` as a Path, if a file can be written there; nothing is left behind.

    Raises:
        ValueError: it is a folder, its folder does not exist, or files cannot be made in it.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: there is no folder {path.parent}")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from error
    return path


def write_json(evaluation: Evaluation, path: str | Path) -> None:
    """Write :func:`document` to ``path``; see :func:`write_document`."""
    write_document(document(evaluation), path)


def write_document(contents: dict[str, Any], path: str | Path) -> None:
    """Write a document with ``games`` to ``path``, whole or not at all, one line a game.

    Raises:
        ValueError: as :func:`check_writable`.
        OSError: writing failed; a file that was there before is unchanged.
    """
    path = check_writable(path)
    head = dict(contents)
    games = head.pop("games")
    lines = ",\n".join(f"    {json.dumps(game, allow_nan=False)}" for game in games)
    text = f'{json.dumps(head, indent=2, allow_nan=False)[:-2]},\n  "games": [\n{lines}\n  ]\n}}\n'
    write_atomically(path, text.encode())
