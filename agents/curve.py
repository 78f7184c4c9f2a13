"""The learning curve of runs as a picture, against wall time.

``python -m agents.curve runs/vikings/two_players`` draws one run anew; several runs are drawn into one picture, named
by their folders: ``python -m agents.curve RUN RUN --out compared.svg``.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.config import ConfigError, read_config
from agents.pool import EARLIER
from agents.runs import CONFIG_FILE, CURVE_FILE, read_metrics
from northsea_envs.files import write_atomically

SHARE, RATING = "evaluation/win_share/", "pool/rating/"
LEARNER = "learner"
FORMATS = (".svg", ".png", ".pdf")
SIZE = (7.5, 5.5)  # inches
STYLES = ("-", "--", ":", "-.")

Lines = Sequence[Mapping[str, float]]


def series(lines: Lines, name: str) -> tuple[list[float], list[float]]:
    """Minutes, and the values of ``name`` then, in the lines of metrics that have it."""
    found = [(line["seconds"] / 60, line[name]) for line in lines if name in line]
    return [minutes for minutes, _ in found], [value for _, value in found]


def names(lines: Lines, prefix: str) -> list[str]:
    """The names in metrics that begin with ``prefix``, in the order they came."""
    return list(dict.fromkeys(name for line in lines for name in line if name.startswith(prefix)))


def _who(name: str, several: bool) -> str:
    """Whose rating it is; where there are ``several`` numbers of players, one comes before."""
    who = name.removeprefix(RATING)
    return who.partition("/")[2] if several else who


def draw(runs: Mapping[str, Lines], fair: Sequence[float], path: Path) -> None:
    """Draw the curves of runs: win shares in the short evaluations above, ratings in the pool below.

    Args:
        runs: lines of metrics by the run's name.
        fair: win share of an even match at each number of players, drawn as lines.
        path: the picture, in the format that its suffix names.

    Raises:
        ValueError: a suffix that is none of ``FORMATS``.
    """
    import matplotlib as mpl  # a second, which those who draw nothing need not wait
    from matplotlib.figure import Figure

    if path.suffix not in FORMATS:
        raise ValueError(f"{path} must end in one of {', '.join(FORMATS)}")
    figure = Figure(SIZE, layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    several = len(fair) > 1
    for share in fair:
        above.axhline(100 * share, color="0.7", lw=0.8, ls="--")
    above.set_ylabel("win share, %")
    below.set_ylabel("rating in the pool, Elo")
    below.set_xlabel("minutes")
    for color, (run, lines) in enumerate(runs.items()):
        label = f"{run}, " if len(runs) > 1 else ""
        for k, name in enumerate(names(lines, SHARE)):
            minutes, shares = series(lines, name)
            against = f"{label}against {name.removeprefix(SHARE)}"
            # Runs have a colour each; with one run, each opponent.
            look = {"color": f"C{color if len(runs) > 1 else k}", "ls": STYLES[k % len(STYLES)], "marker": "."}
            above.plot(minutes, [100 * share for share in shares], label=against, **look)
        if len(runs) == 1:
            for name in names(lines, RATING):
                who = _who(name, several)
                if who.startswith(EARLIER):
                    below.plot(*series(lines, name), color="0.8", lw=1)
                elif who != LEARNER:
                    below.plot(*series(lines, name), lw=1, label=name.removeprefix(RATING))
        # One a number of players.
        learners = [name for name in names(lines, RATING) if _who(name, several) == LEARNER]
        for k, name in enumerate(learners):
            text = f"{label}{name.removeprefix(RATING)}"
            below.plot(*series(lines, name), ls=STYLES[k % len(STYLES)], color=f"C{color}", lw=2, label=text)
    for axes in (above, below):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, fontsize="small", loc="best")
        axes.spines[["top", "right"]].set_visible(False)
    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "curve", "svg.fonttype": "none"}):
        # Without a date, so that the same metrics give the same file.
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix)
        figure.savefig(content, format=path.suffix[1:], metadata=metadata, dpi=120)
    write_atomically(path, content.getvalue())


def draw_run(folder: Path) -> Path:
    """Draw a run's own ``curve.svg``; returns its path.

    Raises:
        ConfigError: the folder holds no configuration or no metrics.
    """
    path = folder / CURVE_FILE
    draw({folder.name: read_metrics(folder)}, _fair_shares([folder]), path)
    return path


def _fair_shares(folders: Sequence[Path]) -> list[float]:
    counts = {read_config(folder / CONFIG_FILE).counts for folder in folders}
    if len(counts) > 1:
        different = " and ".join(str(list(numbers)) for numbers in sorted(counts))
        raise ConfigError(f"runs of {different} players do not fit into one picture")
    return [1 / players for players in counts.pop()]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, or 2 where a folder is no run's or the picture cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m agents.curve", description="Draw learning curves of runs.")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's folder")
    parser.add_argument("--out", metavar="FILE", help=f"the picture; {CURVE_FILE} in the folder of a single run")
    arguments = parser.parse_args(argv)
    folders = [Path(run) for run in arguments.runs]
    if len(folders) > 1 and arguments.out is None:
        parser.error("for several runs, --out FILE says where to")
    try:
        path = folders[0] / CURVE_FILE if arguments.out is None else Path(arguments.out)
        draw({str(folder): read_metrics(folder) for folder in folders}, _fair_shares(folders), path)
    except (ConfigError, ValueError, OSError) as error:
        print(f"python -m agents.curve: {error}", file=sys.stderr)
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
