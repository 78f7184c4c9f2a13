"""Play agents against each other and say who wins how often.

Such as: ``python evaluate.py vikings --players 4 --agents greedy random --games 1000 --json out.json``
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import northsea_envs
from agents.match import Evaluation, Interrupted, Plan, WrongAnswerError, plan
from agents.report import check_writable, table, write_json
from northsea_envs.game import Game

FAILED = 1
BAD_REQUEST = 2
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Errors on one line, without the usage before them."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_REQUEST, f"{self.prog}: {message}\n")


def _parser() -> Parser:
    parser = Parser(
        prog="evaluate.py",
        description="Play agents against each other, each seating equally often with the same deals, and report "
        "win share, rank and score with 95%% intervals.",
        epilog="An agent is a name (random, greedy, search), the folder of a run or policy, or module:Class; "
        "search:simulations=400, search:seconds=0.1 and search:policy=FOLDER,seconds=0.1 say how long and how a search "
        "thinks (docs/search.md). One agent plays itself; two meet as one against the rest, both ways; "
        "of more agents than seats every choice meets.",
    )
    parser.add_argument("game", help=f"one of {', '.join(northsea_envs.GAMES)}")
    parser.add_argument("--players", type=int, required=True, help="number of seats")
    parser.add_argument("--agents", nargs="+", required=True, metavar="AGENT", help="who plays")
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        help="games of each pairing, rounded up so that every seating plays the same deals (default %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="the deals are drawn from it (default %(default)s)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the game; may be repeated"
    )
    parser.add_argument("--tables", metavar="FOLDER", help="component tables to play with, in place of the package's")
    parser.add_argument("--json", metavar="FILE", help="write every result and the summary there")
    parser.add_argument("--batch", type=int, default=1024, help="games run at a time (default %(default)s)")
    return parser


def _options(game: Game, settings: Sequence[str]) -> dict[str, Any]:
    """Options of the game from ``name=value`` texts.

    Raises:
        ValueError: a text has another form, an option is unknown or set twice, or the value is none of its choices.
    """
    known = {option.name: option for option in game.options + game.variants}
    options: dict[str, Any] = {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        if not sign:
            raise ValueError(f"--set {setting!r} is not of the form option=value")
        if name not in known:
            raise ValueError(f"unknown option {name!r} of {game.id}; known: {', '.join(known) or 'none'}")
        if name in options:
            raise ValueError(f"option {name!r} is set twice")
        for choice in known[name].choices:
            if str(choice) == text:
                options[name] = choice
                break
        else:
            raise ValueError(f"{name}={text} is not allowed; choose from {', '.join(map(str, known[name].choices))}")
    return options


def _prepare(arguments: argparse.Namespace) -> Plan:
    """Everything that can be wrong with the request, before anything is played; raises ValueError."""
    if arguments.batch < 1:
        raise ValueError(f"--batch {arguments.batch} is not allowed; at least one game must run")
    game = northsea_envs.get_game(arguments.game, arguments.tables)
    options = _options(game, arguments.set)
    prepared = plan(game, arguments.players, arguments.agents, arguments.games, arguments.seed, options)
    if arguments.json:
        check_writable(arguments.json)
    return prepared


def _play(prepared: Plan, batch: int) -> Evaluation:
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=len(prepared.schedule))
        return prepared.play(batch, lambda done, total: bar.update(task, completed=done))


def _seatings(prepared: Plan) -> str:
    """How many games the number asked for became, and why."""
    pairings = prepared.schedule.pairings
    parts = {f"{p.games} ({p.deals} deals, seatings of each: {len(p.seatings)})" for p in pairings}
    rounded = any(p.games != prepared.games for p in pairings)
    asked = f"; {prepared.games} asked, rounded up so that every seating plays the same deals" if rounded else ""
    return f"games of each pairing: {', '.join(sorted(parts))}{asked}"


def _run(parser: Parser, arguments: argparse.Namespace) -> int:
    try:
        prepared = _prepare(arguments)
    except ValueError as error:
        parser.error(str(error))
    console = Console()
    console.print(_seatings(prepared), highlight=False, soft_wrap=True)
    try:
        evaluation = _play(prepared, arguments.batch)
    except WrongAnswerError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return FAILED
    except Interrupted as interrupt:
        part = prepared.finished_part(interrupt)
        if part is None:
            raise
        console.print(table(part))
        unwritten = f"; {arguments.json} is not written" if arguments.json else ""
        done = f"{len(part.result)} of {len(prepared.schedule)} games count, those of the deals that were complete"
        print(f"{parser.prog}: interrupted: {done}{unwritten}", file=sys.stderr)
        return INTERRUPTED
    console.print(table(evaluation))
    if arguments.json:
        try:
            write_json(evaluation, arguments.json)
        except (OSError, ValueError) as error:
            print(f"{parser.prog}: {arguments.json} cannot be written: {error}", file=sys.stderr)
            return FAILED
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, 1 where an agent misplayed or writing failed, 2 for a bad request, 130 on Ctrl-C."""
    # module:Class is looked for in the current folder too; behind the rest, so that nothing there hides a library.
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    parser = _parser()
    try:
        return _run(parser, parser.parse_args(arguments))
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted before a deal was complete", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
