"""A tournament's report as one HTML page that opens without a network."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from agents import charts, texts
from agents.figures import Figures
from agents.results import Results

_pages = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def page(results: Results, title: str) -> str:
    """The report of a results file.

    Args:
        results: the file's contents.
        title: the game's name for people.
    """
    figures = Figures(results)
    thinking = charts.thinking(figures)
    drawn = [
        (
            "Pairwise results",
            "How often the agent of the row finishes ahead of that of the column, in per cent; a tie counts one half.",
            charts.matrix(figures) if len(figures.names) > 1 else None,
        ),
        (
            "Scores",
            "By the game's own count: median, quartiles, and the middle 90% of the agent's games.",
            charts.scores(figures),
        ),
        ("Seats", "Every agent sits in every seat equally often.", charts.seats(figures)),
        ("Length of games", "Decisions that agents were asked for.", charts.lengths(figures)),
        ("Thinking time", "Processor time of all threads for each decision, on the machine that played.", thinking),
    ]
    if results.ratings:
        about = "With 95% intervals; an arrow where the games set no bound."
        drawn.insert(0, ("Ratings", about, charts.ratings(figures)))
    return _pages.get_template("report.html").render(
        title=title,
        players=results.players,
        said=texts.sentences(results, title, figures),
        lines=figures.lines,
        rated=results.ratings is not None,
        texts=texts,
        charts=[(heading, about, Markup(svg)) for heading, about, svg in drawn if svg],
        agents=results.agents,
        made_with=results.made_with,
    )
