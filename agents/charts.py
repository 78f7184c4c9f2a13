"""The charts of a tournament's report, as SVG that takes its colours from the page around it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from agents.figures import Figures
from agents.report import short

# Colours that stand for the page's own, by the names of its CSS variables.
INK, MUTED, GRID, ACCENT = "#010203", "#040506", "#070809", "#0a0b0c"
VARIABLES = {INK: "--ink", MUTED: "--muted", GRID: "--grid", ACCENT: "--accent"}
LOSING, EVEN, WINNING = "#b4552d", "#f4f1ea", "#1f6f8b"
WIDTH = 4.6  # inches; the page scales it
ROW = 0.38  # inches for an agent's row
FEW = 6  # agents whose cells have room for tenths of a per cent
LABEL = 18  # characters of a name

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.5,
    # Names are no formulas.
    "text.parse_math": False,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
}


@contextmanager
def _drawing(rows: float, out: list[str], name: str) -> Iterator[Axes]:
    """Axes to draw on, ``rows`` of an agent's height; the SVG is appended to ``out``."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, 0.8 + ROW * rows), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0)
        yield axes
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    out.append(svg)


def _agent_rows(axes: Axes, names: list[str]) -> np.ndarray:
    """A row for each agent, the first on top; their heights."""
    heights = np.arange(len(names))[::-1]
    axes.set_yticks(heights, [short(name, LABEL) for name in names])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return heights


def ratings(figures: Figures) -> str:
    """Ratings with error bars; an arrow where there is no bound."""
    out: list[str] = []
    lines = [line for line in figures.lines if line.points is not None]
    with _drawing(max(len(lines), 2), out, "ratings") as axes:
        heights = _agent_rows(axes, [line.name for line in lines])
        bounds = [b for line in lines for b in (line.points, line.low, line.high) if b is not None]
        margin = max(0.08 * (max(bounds) - min(bounds)), 10.0)
        for height, line in zip(heights, lines, strict=True):
            assert line.points is not None
            begin = line.points if line.low is None else line.low
            end = line.points if line.high is None else line.high
            axes.plot([begin, end], [height, height], color=ACCENT, linewidth=2)
            for bound, tip, direction in ((line.low, begin, -1), (line.high, end, 1)):
                if bound is None:
                    arrow = {"arrowstyle": "->", "color": ACCENT, "linewidth": 2}
                    axes.annotate("", (tip + direction * margin, height), (tip, height), arrowprops=arrow)
                else:
                    axes.plot([bound, bound], [height - 0.15, height + 0.15], color=ACCENT, linewidth=2)
            axes.plot(line.points, height, "o", color=ACCENT, markersize=6)
        axes.set_xlim(min(bounds) - 1.5 * margin, max(bounds) + 1.5 * margin)
        axes.grid(axis="x")
        axes.set_xlabel("rating")
    return out[0]


def matrix(figures: Figures) -> str:
    """Heat map of how often the agent of the row finished ahead of that of the column, in per cent."""
    out: list[str] = []
    names = [line.name for line in figures.lines]
    cells = figures.results.pairwise
    means = np.array([[cells[a][b].mean if b in cells[a] else np.nan for b in names] for a in names])
    digits = 1 if len(names) <= FEW else 0
    with _drawing(max(len(names), 3), out, "matrix") as axes:
        colours = LinearSegmentedColormap.from_list("ahead", [LOSING, EVEN, WINNING])
        axes.pcolormesh(np.ma.masked_invalid(means), cmap=colours, vmin=0, vmax=1, edgecolors="none")
        axes.invert_yaxis()
        places = np.arange(len(names)) + 0.5
        # Names of columns would run into one another: columns have the rows' numbers.
        axes.set_yticks(places, [f"{short(name, LABEL)}  {number}" for number, name in enumerate(names, 1)])
        axes.set_xticks(places, [str(number) for number in range(1, len(names) + 1)])
        axes.xaxis.tick_top()
        axes.tick_params(length=0, labelcolor=INK)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for (row, column), mean in np.ndenumerate(means):
            if not np.isnan(mean):
                strong = "white" if abs(mean - 0.5) > 0.3 else "black"
                text = f"{100 * mean:.{digits}f}"
                axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=strong)
    return out[0]


def scores(figures: Figures) -> str:
    """Box plots of the agents' scores: quartiles, and whiskers that hold 90%."""
    out: list[str] = []
    names = [line.name for line in figures.lines]
    with _drawing(max(len(names), 2), out, "scores") as axes:
        heights = _agent_rows(axes, names)
        line = {"color": ACCENT, "linewidth": 1.5}
        axes.boxplot(
            [figures.scores_of(name) for name in names],
            positions=heights,
            orientation="horizontal",
            whis=(5, 95),
            showfliers=False,
            widths=0.5,
            manage_ticks=False,
            boxprops=line,
            whiskerprops=line,
            capprops=line,
            medianprops={**line, "linewidth": 3},
        )
        axes.grid(axis="x")
        axes.set_xlabel("score")
    return out[0]


def seats(figures: Figures) -> str:
    """Win share of each seat, with its interval."""
    out: list[str] = []
    with _drawing(4, out, "seats") as axes:
        for seat, share in enumerate(figures.seats):
            axes.plot(seat, 100 * share.mean, "o", color=ACCENT, markersize=7)
            if share.low is not None and share.high is not None:
                axes.plot([seat, seat], [100 * share.low, 100 * share.high], color=ACCENT, linewidth=2)
        even = 100 / len(figures.seats)
        axes.axhline(even, color=MUTED, linewidth=1, linestyle="--")
        axes.annotate("even", (-0.48, even), color=MUTED, ha="left", va="bottom")
        axes.set_xticks(range(len(figures.seats)), [f"seat {seat}" for seat in range(len(figures.seats))])
        axes.set_xlim(-0.5, len(figures.seats) - 0.5)
        axes.tick_params(axis="x", labelcolor=INK, length=0)
        axes.tick_params(axis="y", labelcolor=MUTED)
        axes.yaxis.set_major_formatter("{x:g}%")
        axes.grid(axis="y")
        axes.set_ylabel("win share, whoever sits there")
    return out[0]


def lengths(figures: Figures) -> str:
    """Histogram of the games' decisions."""
    out: list[str] = []
    with _drawing(4, out, "lengths") as axes:
        span = int(np.ptp(figures.decisions)) + 1
        width = -(-span // 30)
        begin = int(figures.decisions.min())
        edges = begin - 0.5 + width * np.arange(-(-span // width) + 1)
        axes.hist(figures.decisions, bins=edges.tolist(), color=ACCENT, rwidth=0.9)
        axes.tick_params(axis="y", labelcolor=MUTED)
        axes.grid(axis="y")
        axes.set_xlabel("decisions in a game, forced ones not counted")
        axes.set_ylabel("games")
    return out[0]


def thinking(figures: Figures) -> str | None:
    """Thinking time for a decision on a logarithmic scale; None where none was measured."""
    lines = [line for line in figures.lines if line.milliseconds]
    if not lines:
        return None
    out: list[str] = []
    with _drawing(max(len(lines), 2), out, "thinking") as axes:
        heights = _agent_rows(axes, [line.name for line in lines])
        times: Any = [line.milliseconds for line in lines]
        axes.plot(times, heights, "o", color=ACCENT, markersize=7)
        for height, time in zip(heights, times, strict=True):
            axes.annotate(f"{time:.3g} ms", (time, height), (8, 0), textcoords="offset points", va="center")
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter("")
        axes.set_xlim(min(times) / 3, max(times) * 12)
        axes.grid(axis="x")
        axes.set_xlabel("milliseconds a decision")
    return out[0]
