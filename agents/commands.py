"""The commands of evaluate.py beside playing: ``verify``, ``report`` and ``replay``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import northsea_envs
from agents import showing
from agents import verify as verifying
from agents.chunks import InProcess, NotPossibleError, Setup, Workers
from agents.evaluation import Plan
from agents.failures import AgentFailedError
from agents.report import check_writable
from agents.results import Results, ResultsError, load
from agents.workers import Processes, WorkerDiedError
from northsea_envs.agent import AgentError
from northsea_envs.files import write_atomically
from northsea_envs.replay import ReplayError

DONE = 0
FAILED = 1
BAD_REQUEST = 2
INTERRUPTED = 130
# Lines of differences that are printed.
SHOWN = 20


class Parser(argparse.ArgumentParser):
    """Errors on one line, without the usage before them."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_REQUEST, f"{self.prog}: {message}\n")


class Terminal(Console):
    """Standard output; where nobody reads it any more it raises BrokenPipeError, as ``print`` does."""

    def on_broken_pipe(self) -> None:
        """In place of rich's own, which ends the program."""
        raise BrokenPipeError


class Sideline(Console):
    """Standard error; where nobody reads it any more, the rest goes nowhere."""

    def __init__(self) -> None:
        super().__init__(stderr=True)

    def on_broken_pipe(self) -> None:
        """In place of rich's own, which ends the program."""
        self.quiet = True
        _to_nowhere(sys.stderr)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Printing to a reader, such as head, that may have seen enough: the rest goes nowhere."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _to_nowhere(sys.stdout)


def _to_nowhere(stream: TextIO) -> None:
    """Python would complain at its end that nobody reads ``stream``."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def print_any_letters() -> None:
    """Show what the terminal's encoding does not have as ``\\xb5``, in place of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def check_files(written: Mapping[str, str | Path | None], kept: Mapping[str, str | Path | None]) -> None:
    """Whether files can be written, none over another; raises ValueError.

    Args:
        written: what is going to be written, by what it is called in errors; None where it was not asked for.
        kept: what must stay as it is.
    """
    taken = {Path(path).resolve(): name for name, path in kept.items() if path}
    for name, path in written.items():
        if not path:
            continue
        if str(path) == "-":
            raise ValueError(f"{name} -: standard output is not possible; give the name of a file (./- for this one)")
        place = check_writable(path).resolve()
        if place in taken:
            raise ValueError(f"{name} {path} is the same file as {taken[place]}; give another name")
        taken[place] = name


def tell_failed(parser: Parser, error: Exception) -> int:
    """Say on standard error why it cannot go on, the last line naming it; returns the code to end with."""
    trace = f"{error.trace}\n" if isinstance(error, AgentFailedError) else ""
    print(f"{trace}{parser.prog}: {error}", file=sys.stderr)
    return FAILED


def add_workers(parser: argparse.ArgumentParser) -> None:
    """The options that say who plays."""
    parser.add_argument(
        "--processes", type=int, default=1, help="processes that play (default %(default)s); results are the same"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help='play on the Ray cluster there ("auto": the one of this machine; needs the extra "cluster")',
    )


def make_workers(arguments: argparse.Namespace, setup: Setup, plan: Plan) -> Workers:
    """Who plays, as :func:`add_workers` asked.

    Raises:
        NotPossibleError: an option is not allowed, or the cluster is not there.
    """
    if arguments.processes < 1:
        raise NotPossibleError(f"--processes {arguments.processes} is not allowed; at least one must play")
    if arguments.cluster:
        from agents.cluster import RayWorkers

        return RayWorkers(setup, arguments.cluster)
    if arguments.processes > 1:
        return Processes(setup, arguments.processes)
    return InProcess(setup, plan.agents)


def progress_bar() -> Progress:
    """The bar that shows finished games, on standard error."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Sideline(), transient=True)


def title_of(results: Results) -> str:
    """The game's name for people; its id where this version does not know it."""
    try:
        return northsea_envs.get_game(results.game).title
    except ValueError:
        return results.game


def write_reports(results: Results, html: str | Path | None, markdown: str | Path | None) -> None:
    """Write the HTML page and the Markdown table that were asked for; raises OSError."""
    title = title_of(results)
    if html:
        # Charts take a second to load.
        from agents.html_report import page

        write_atomically(html, page(results, title).encode())
    if markdown:
        from agents.texts import markdown as table

        write_atomically(markdown, table(results, title).encode())


# --- verify ---------------------------------------------------------------------------------------


def verify(arguments: Sequence[str]) -> int:
    """Play a results file's games again: 0 where they come out the same, 1 where not, 2 where none can be played."""
    parser = Parser(
        prog="evaluate.py verify",
        description="Play a sample of a results file's games again, drawn anew each time, and compare them to the bit; "
        "also whether the file's ratings and other figures follow from its games.",
    )
    parser.add_argument("file", help="results that evaluate.py wrote with --json")
    parser.add_argument("--games", type=int, default=200, help="games at least, if it has them (default %(default)s)")
    parser.add_argument("--all", action="store_true", help="all games")
    parser.add_argument("--tables", metavar="FOLDER", help="component tables that were played with")
    add_workers(parser)
    given = parser.parse_args(arguments)
    if given.games < 1:
        parser.error(f"--games {given.games} is not allowed; at least one must be played")

    def workers(setup: Setup, plan: Plan) -> Workers:
        return make_workers(given, setup, plan)

    try:
        results = load(given.file)
        restored = verifying.restore(results, given.tables)
        with progress_bar() as bar:
            task = bar.add_task("games", total=None)
            verdict = verifying.verify(
                results,
                restored,
                None if given.all else given.games,
                workers,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
    except (ResultsError, NotPossibleError) as error:
        parser.error(str(error))
    except (AgentError, AgentFailedError, WorkerDiedError) as error:
        return tell_failed(parser, error)
    with reader_may_leave():
        _say_verdict(verdict)
    if verdict.differs:
        return FAILED
    return DONE if verdict.reproduces else BAD_REQUEST


def _say_verdict(verdict: verifying.Verdict) -> None:
    for name in verdict.by_clock:
        print(f"not reproducible: {name} chooses by the clock; games with it were left out")
    for line in verdict.differing[:SHOWN]:
        print(f"differs: {line}")
    if len(verdict.differing) > SHOWN:
        print(f"... and {len(verdict.differing) - SHOWN} more")
    for name in verdict.figures:
        print(f"differs: {name} does not follow from the file's games")
    if verdict.reproduces:
        print(f"reproduces to the bit: {verdict.games} of {verdict.of} games were played again; figures follow")
    elif not verdict.games:
        print("cannot tell: nothing was played again")
    else:
        print(f"does not reproduce ({verdict.games} of {verdict.of} games were played again)")


# --- report ---------------------------------------------------------------------------------------


def report(arguments: Sequence[str]) -> int:
    """Write the reports of a results file: 0 where they are written, 1 where not, 2 for a bad request."""
    parser = Parser(
        prog="evaluate.py report",
        description="Write the report of a results file: an HTML page that opens without a network, a Markdown table.",
    )
    parser.add_argument("file", help="results that evaluate.py wrote with --json")
    parser.add_argument(
        "--html", metavar="FILE", help="the page (default: beside the results, if nothing is asked for)"
    )
    parser.add_argument("--markdown", metavar="FILE", help="the table")
    given = parser.parse_args(arguments)
    html = given.html
    if not html and not given.markdown:
        html = str(Path(given.file).with_suffix(".html"))
    try:
        results = load(given.file)
        check_files({"--html": html, "--markdown": given.markdown}, {"the results": given.file})
    except ValueError as error:
        parser.error(str(error))
    try:
        write_reports(results, html, given.markdown)
    except OSError as error:
        print(f"{parser.prog}: it cannot be written: {error}", file=sys.stderr)
        return FAILED
    with reader_may_leave():
        print(f"written: {', '.join(filter(None, (html, given.markdown)))}")
    return DONE


# --- replay ---------------------------------------------------------------------------------------


def replay(arguments: Sequence[str]) -> int:
    """Show a saved game: 0, or 2 where the replay is damaged or foreign."""
    parser = Parser(
        prog="evaluate.py replay",
        description="Show a saved game step by step in words and boards, after playing it out once to check it.",
    )
    parser.add_argument("file", help="a replay, such as evaluate.py writes with --save-replays")
    parser.add_argument("--from", type=int, default=1, dest="first", metavar="N", help="first decision shown")
    parser.add_argument("--to", type=int, dest="last", metavar="N", help="last decision shown")
    parser.add_argument("--seat", type=int, help="show what this seat saw; others' decisions without their words")
    parser.add_argument("--words", action="store_true", help="no boards")
    parser.add_argument("--step", action="store_true", help="wait for Enter after each decision; q ends")
    parser.add_argument("--tables", metavar="FOLDER", help="component tables that it was played with")
    given = parser.parse_args(arguments)
    try:
        shown = showing.load(given.file, given.tables)
        texts = showing.steps(shown, given.first, given.last, given.seat, not given.words)
    except (ReplayError, ValueError) as error:
        parser.error(str(error))
    with reader_may_leave():
        showing.print_steps(texts, _wait if given.step else None)
    return DONE


def _wait() -> bool:
    """Whether to go on, after Enter."""
    try:
        return input().strip().lower() != "q"
    except EOFError:
        return False


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"verify": verify, "report": report, "replay": replay}
