"""Play agents against each other and say who is how strong.

Such as: ``python evaluate.py vikings --players 4 --agents greedy random --games 1000 --json out.json``
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

import northsea_envs
from agents.chunks import NotPossibleError, Workers
from agents.commands import (
    BAD_REQUEST,
    COMMANDS,
    FAILED,
    INTERRUPTED,
    Parser,
    Terminal,
    add_workers,
    check_files,
    make_workers,
    print_any_letters,
    progress_bar,
    reader_may_leave,
    tell_failed,
    write_reports,
)
from agents.evaluation import Evaluation, Plan, plan
from agents.failures import AgentFailedError
from agents.journal import JournalError, journal_path, read
from agents.ratings import Ratings
from agents.replays import left_by
from agents.report import ratings_table, table, write_document
from agents.results import Analysis, Results, analyse, document
from agents.tournament import Outcome, Tournament
from agents.until import parse
from agents.workers import WorkerDiedError
from northsea_envs.agent import AgentError
from northsea_envs.game import Game

__all__ = ["BAD_REQUEST", "FAILED", "INTERRUPTED", "main"]


def _parser() -> Parser:
    parser = Parser(
        prog="evaluate.py",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Play agents against each other, each seating equally often with the same deals, and report\n"
        "ratings, win share, rank and score with 95% intervals.",
        epilog="An agent is one of these; parameters follow a colon, separated by commas:\n"
        "  random\n"
        "  greedy        weights=FOLDER_OR_CSV: weights in place of the game's own\n"
        "  search        simulations=400, seconds=0.1, policy=FOLDER and others (docs/search.md)\n"
        "  pretrained    the policy that comes along, where one does; deterministic=0: draws its actions\n"
        "  FOLDER        of a run or policy; deterministic=0, likewise\n"
        "  module:Class  called as Class(game, players), in the current folder or installed; no parameters\n"
        "such as search:policy=FOLDER,seconds=0.1. One agent plays itself; two meet as one against the rest, both\n"
        "ways; of more agents than seats every choice meets.\n\n"
        "other commands, each with its own --help:\n"
        "  evaluate.py verify FILE   play a sample of a results file's games again and compare to the bit\n"
        "  evaluate.py report FILE   the HTML page and Markdown table of a results file\n"
        "  evaluate.py replay FILE   show a saved game step by step",
    )
    parser.add_argument("game", help=f"one of {', '.join(northsea_envs.GAMES)}")
    parser.add_argument("--players", type=int, default=2, help="number of seats (default %(default)s)")
    parser.add_argument("--agents", nargs="+", required=True, metavar="AGENT", help="who plays")
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        help="games of each pairing, rounded up so that every seating plays the same deals (default %(default)s)",
    )
    parser.add_argument("--seed", type=int, help="the deals are drawn from it (default: drawn, and printed)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the game; may be repeated"
    )
    parser.add_argument("--tables", metavar="FOLDER", help="component tables to play with, in place of the package's")
    parser.add_argument("--until", metavar="QUESTION", help='stop when it is settled, such as "greedy>random@95%%"')
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write every result and all figures there; an interrupted tournament goes on when it is asked for again",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="begin anew where one was interrupted; its replays in the folder of --save-replays are removed",
    )
    parser.add_argument("--html", metavar="FILE", help="write the report there")
    parser.add_argument("--markdown", metavar="FILE", help="write the table of agents there")
    parser.add_argument("--save-replays", metavar="FOLDER", help="write a replay of every game there")
    parser.add_argument("--batch", type=int, default=1024, help="games run at a time (default %(default)s)")
    add_workers(parser)
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


def _lock_path(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.lock")


def _seed(arguments: argparse.Namespace, journal: Path | None) -> int:
    """The seed that was asked for, that of the interrupted tournament, or a new one that no agent can know.

    Raises:
        JournalError: the journal there is is damaged.
    """
    if arguments.seed is not None:
        return int(arguments.seed)
    if journal and journal.exists() and not arguments.fresh:
        try:
            identity = read(journal)[0].get("identity")
        except JournalError:
            # Empty, where it was stopped before its first line was there; anything else is told when it is opened.
            identity = None
        if isinstance(identity, dict) and isinstance(identity.get("seed"), int):
            return int(identity["seed"])
    # 53 bits, so that it survives readers of JSON that keep numbers as doubles.
    return secrets.randbits(53)


def _left(journal: Path | None, replays: Path) -> list[Path]:
    """The replays that the interrupted tournament left in a folder; empty where other files are there too."""
    try:
        identity = read(journal)[0].get("identity") if journal and journal.exists() else None
    except JournalError:
        identity = None
    return (left_by(identity, replays) if isinstance(identity, dict) and replays.is_dir() else None) or []


def _prepare(arguments: argparse.Namespace, journal: Path | None) -> tuple[Plan, Tournament]:
    """Everything that can be wrong with the request, before anything is played; raises ValueError."""
    if arguments.batch < 1:
        raise ValueError(f"--batch {arguments.batch} is not allowed; at least one game must run")
    game = northsea_envs.get_game(arguments.game, arguments.tables)
    options = _options(game, arguments.set)
    check_files(
        {"--json": arguments.json, "--html": arguments.html, "--markdown": arguments.markdown},
        {"the journal of --json": journal, "the lock of --json": journal and _lock_path(journal)},
    )
    seed = _seed(arguments, journal)
    prepared = plan(game, arguments.players, arguments.agents, arguments.games, seed, options)
    until = parse(arguments.until, list(prepared.agents)) if arguments.until else None
    replays = Path(arguments.save_replays) if arguments.save_replays else None
    if replays and replays.exists() and not replays.is_dir():
        raise ValueError(f"--save-replays {replays} is a file; give the name of a folder")
    going_on = journal and journal.exists() and not arguments.fresh
    if replays and replays.exists() and any(replays.iterdir()) and not going_on and not _left(journal, replays):
        raise ValueError(f"--save-replays {replays} is not empty; give the name of a new folder")
    return prepared, Tournament(prepared, arguments.batch, until, replays)


def _seatings(prepared: Plan) -> str:
    """How many games the number asked for became, and why; and the seed."""
    pairings = prepared.schedule.pairings
    parts = {f"{p.games} ({p.deals} deals, seatings of each: {len(p.seatings)})" for p in pairings}
    rounded = any(p.games != prepared.games for p in pairings)
    asked = f"; {prepared.games} asked, rounded up so that every seating plays the same deals" if rounded else ""
    return f"games of each pairing: {', '.join(sorted(parts))}{asked}; seed {prepared.seed}"


def _say(line: str) -> None:
    with reader_may_leave():
        print(line)


def _open_journal(tournament: Tournament, journal: Path, fresh: bool) -> None:
    """Go on from a journal, or begin one; raises JournalError and OSError."""
    if fresh:
        # The journal last: where this is interrupted, the same command does it again.
        for path in _left(journal, tournament.replays) if tournament.replays else []:
            path.unlink(missing_ok=True)
        journal.unlink(missing_ok=True)
    taken_over = tournament.open_journal(journal)
    if taken_over:
        _say(f"going on where it was interrupted: {taken_over} of {len(tournament)} games are played")


def _play(tournament: Tournament, workers: Workers) -> Outcome:
    with progress_bar() as bar:
        task = bar.add_task("games", total=len(tournament))

        def notice() -> None:
            bar.console.print("finishing the games that are being played; Ctrl-C again stops at once")

        return tournament.play(workers, lambda done, total: bar.update(task, completed=done), notice)


def _interrupted(parser: Parser, arguments: argparse.Namespace, tournament: Tournament, outcome: Outcome) -> int:
    if outcome.evaluation is None:
        done = "interrupted before a deal was complete"
    else:
        count = len(outcome.evaluation.result)
        done = f"interrupted: {count} of {len(tournament)} games count, those of the deals that were complete"
    unwritten = f"; {arguments.json} is not written; the same command goes on" if arguments.json else ""
    print(f"{parser.prog}: {done}{unwritten}", file=sys.stderr)
    return INTERRUPTED


def _finish(parser: Parser, arguments: argparse.Namespace, tournament: Tournament, outcome: Outcome) -> int:
    """The files that were asked for, then tables on the terminal."""
    evaluation = outcome.evaluation
    if evaluation is None or not outcome.complete:
        _print_tables(outcome, None)
        return _interrupted(parser, arguments, tournament, outcome)
    analysis = analyse(evaluation)
    unwritten = None
    try:
        _write(arguments, tournament, outcome, evaluation, analysis)
    except (OSError, ValueError) as error:
        unwritten = f"{parser.prog}: a file cannot be written: {error}"
    _print_tables(outcome, analysis.ratings)
    if unwritten:
        print(unwritten, file=sys.stderr)
        return FAILED
    return 0


def _write(
    arguments: argparse.Namespace,
    tournament: Tournament,
    outcome: Outcome,
    evaluation: Evaluation,
    analysis: Analysis,
) -> None:
    """Write results and reports where they were asked for; raises OSError and ValueError."""
    if not (arguments.json or arguments.html or arguments.markdown):
        return
    contents = document(evaluation, analysis, tournament, outcome)
    if arguments.json:
        write_document(contents, arguments.json)
        tournament.remove_journal()
    if arguments.html or arguments.markdown:
        # By way of JSON, so that a report is the same as one made of the file.
        results = Results.model_validate(json.loads(json.dumps(contents)))
        write_reports(results, arguments.html, arguments.markdown)


def _print_tables(outcome: Outcome, ratings: Ratings | None) -> None:
    console = Terminal()
    with reader_may_leave():
        if outcome.evaluation is not None:
            console.print(table(outcome.evaluation))
        if outcome.answer:
            console.print(str(outcome.answer), highlight=False, soft_wrap=True)
        if ratings:
            console.print()
            console.print(ratings_table(ratings))


def _run(parser: Parser, arguments: argparse.Namespace) -> int:
    journal = journal_path(arguments.json) if arguments.json else None
    with ExitStack() as open_files:
        try:
            prepared, tournament = _prepare(arguments, journal)
            if journal:
                lock = _lock_path(journal)
                open_files.callback(lock.unlink, missing_ok=True)
                open_files.enter_context(FileLock(lock, timeout=0))
                _open_journal(tournament, journal, arguments.fresh)
            workers = make_workers(arguments, tournament.setup, prepared)
        except Timeout:
            open_files.pop_all()
            parser.error(f"another tournament that writes {arguments.json} is running")
        except ValueError as error:
            parser.error(str(error))
        except OSError as error:
            parser.error(f"{journal} cannot be written: {error.strerror}")
        _say(_seatings(prepared))
        try:
            outcome = _play(tournament, workers)
        except (AgentError, AgentFailedError, WorkerDiedError, NotPossibleError) as error:
            return tell_failed(parser, error)
        return _finish(parser, arguments, tournament, outcome)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, 1 where an agent failed or writing did, 2 for a bad request, 130 on Ctrl-C."""
    # module:Class is looked for in the current folder too; behind the rest, so that nothing there hides a library.
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    print_any_letters()
    words = sys.argv[1:] if arguments is None else list(arguments)
    parser = _parser()
    try:
        if words and words[0] in COMMANDS:
            return COMMANDS[words[0]](words[1:])
        return _run(parser, parser.parse_args(words))
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
