"""Random play against the peers: one command, every row measured in the same run on the same machine.

    pip install -e ".[peers]"
    python benchmarks/peers.py

Contestants take turns in rounds, so that a slow moment of the machine hits all alike; medians over the rounds are
shown, and the ratios are medians of the rounds' own ratios. Decisions are counted, not chance events; each comes with
its observation and its legal actions, unless the row says otherwise, and one sampler plays for all. Its time is shown
apart and is not part of the decisions/s. A peer that is not installed is left out. docs/benchmarks.md says how to read
the tables, and what was measured.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import multiprocessing
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import platformdirs
from contestants import FIELDS, Contestant, Field, Label
from rich.console import Console
from rich.progress import track
from rich.table import Table

from northsea_envs.jit import compiled, random_legal, random_seed

PACKAGES = ("northsea-envs", "pettingzoo", "open_spiel", "envpool", "catanatron", "rlcard", "pgx", "jax")
CLOCKS = ("wall", "cpu")
# Whom the ratios are to, where they take part.
REFERENCES = {
    "x EnvPool backgammon": ("EnvPool", "Backgammon-v1", "batched", 1),
    "x OpenSpiel backgammon, numpy": ("OpenSpiel", "backgammon", "numpy", 1),
    "x OpenSpiel backgammon, observer": ("OpenSpiel", "backgammon", "observer", 1),
}
# One thread each; EnvPool and our batches start their own, and XLA has its own setting.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class Turn(NamedTuple):
    """What happened in one turn; times in seconds.

    Attributes:
        decisions: how many were made.
        wall: time on the clock, the sampler's included.
        cpu: processor time of all threads, the sampler's included.
        sampling: the part of ``wall`` that went to drawing actions.
        written: bytes of observations and masks a decision.
        fill: bytes a second, by the clock and by processor time, of a plain fill of buffers of the same sizes; (0, 0)
            for one game at a time.
    """

    decisions: int
    wall: float
    cpu: float
    sampling: float
    written: float
    fill: tuple[float, float]

    def rate(self, clock: str, sampler: bool = False) -> float:
        """Decisions a second of wall or processor time, the sampler's time left out or not."""
        total = self.wall if clock == "wall" else self.cpu
        share = 0.0 if sampler else self.sampling / self.wall
        # Time to the processor's second is lost by the sampler as by everything else, so that its share is the same.
        return self.decisions / (total * (1 - share))


# --- the sampler ----------------------------------------------------------------------------------


@compiled
def draw_one(rng, mask):
    """A uniformly random legal action."""
    return random_legal(rng, mask)


@compiled
def draw_many(rng, masks, actions):
    """One for each game; 0 where none is legal."""
    for row in range(len(masks)):
        actions[row] = max(random_legal(rng, masks[row]), 0)
    return actions


def sampler(legal: Any, seed: int) -> Callable[[Any], Any]:
    """Draws from whatever is like ``legal``."""
    if not isinstance(legal, np.ndarray):
        draw = random.Random(seed).random
        return lambda actions: actions[int(draw() * len(actions))]
    rng = np.zeros(4, np.uint32)
    random_seed(rng, seed)
    if legal.ndim == 1:
        return partial(draw_one, rng)
    actions = np.zeros(len(legal), np.int32)
    return lambda masks: draw_many(rng, masks, actions)


# --- turns ----------------------------------------------------------------------------------------


class Player:
    """A contestant in play at one batch."""

    def __init__(self, contestant: Contestant, batch: int):
        self.label = contestant.label._replace(batch=batch)
        self.play = contestant.play(batch)
        self.waiting = next(self.play)
        observation, legal, _ = self.waiting
        self.sample = sampler(legal, 1)
        self.buffers = [np.ones_like(a) for a in (observation, legal) if isinstance(a, np.ndarray) and batch > 1]
        self.written = sum(a.nbytes for a in (observation, legal) if isinstance(a, np.ndarray)) / batch

    def turn(self, seconds: float) -> Turn:
        """Random play for about so long."""
        send, sample, clock = self.play.send, self.sample, time.perf_counter
        _, legal, count = self.waiting
        decisions, sampling = 0, 0.0
        cpu = time.process_time()
        now = began = clock()
        while now - began < seconds:
            before = clock()
            action = sample(legal)
            now = clock()
            sampling += now - before
            decisions += count
            self.waiting = _, legal, count = send(action)
        wall = clock() - began
        cpu = time.process_time() - cpu
        return Turn(decisions, wall, cpu, sampling, self.written, self.fill(seconds / 5))

    def fill(self, seconds: float) -> tuple[float, float]:
        """Bytes a second (wall, processor) at which buffers like this contestant's are filled by numpy."""
        if not self.buffers:
            return 0.0, 0.0
        size = sum(buffer.nbytes for buffer in self.buffers)
        filled, cpu, began = 0, time.process_time(), time.perf_counter()
        while time.perf_counter() - began < seconds:
            for buffer in self.buffers:
                buffer.fill(filled & 1)
            filled += size
        return filled / (time.perf_counter() - began), filled / (time.process_time() - cpu)


def prepare(contestant: Contestant, seconds: float, clock: str) -> tuple[Player, dict[int, float]]:
    """The player at the best batch, and the decisions/s at each batch that was tried; everything compiled and warm."""
    best: Player | None = None
    rates: dict[int, float] = {}
    for batch in contestant.batches:
        player = Player(contestant, batch)
        player.turn(seconds / 2)
        rates[batch] = (
            max(player.turn(seconds / 2).rate(clock) for _ in range(2)) if len(contestant.batches) > 1 else 0.0
        )
        if best is None or rates[batch] > rates[best.label.batch]:
            best, player = player, best or player
        if player is not best:
            player.play.close()
    assert best is not None
    return best, rates


def serve(field: Field, connection: Connection) -> None:
    """A field's process: answers requests until it is sent None. An error is answered by its text."""
    os.environ.update(ONE_THREAD)
    if field.cores is not None:
        os.environ["NPROC"] = os.environ["PJRT_NPROC"] = str(field.cores)
    # XLA compiles for minutes what it then keeps for later runs.
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", platformdirs.user_cache_dir("northsea-envs-jax"))
    contestants: list[Contestant] = []
    players: dict[int, Player] = {}

    def enter() -> list[Label]:
        contestants.extend(field.contestants())
        return [contestant.label for contestant in contestants]

    def start(index: int, seconds: float, clock: str) -> tuple[Label, dict[int, float]]:
        players[index], rates = prepare(contestants[index], seconds, clock)
        return players[index].label, rates

    def turn(index: int, seconds: float) -> Turn:
        return players[index].turn(seconds)

    requests: dict[str, Callable[..., Any]] = {"enter": enter, "start": start, "turn": turn}

    def answer_to(request: tuple) -> Any:
        try:
            return requests[request[0]](*request[1:])
        except Exception as error:  # whatever a peer raises, the others play on
            return f"{type(error).__name__}: {error}".splitlines()[0]

    # Whoever asked may be gone, after an interrupt for example; then nobody waits for answers.
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while (request := connection.recv()) is not None:
            connection.send(answer_to(request))


class Server:
    """The other end of a field's process."""

    def __init__(self, field: Field):
        context = multiprocessing.get_context("spawn")
        self.connection, far_end = context.Pipe()
        self.process = context.Process(target=serve, args=(field, far_end), daemon=True)
        self.process.start()
        far_end.close()

    def ask(self, *request: Any) -> Any:
        """The answer to one request; a string where it failed."""
        try:
            self.connection.send(request)
            return self.connection.recv()
        except (EOFError, OSError):
            return "its process has died"

    def stop(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self.connection.send(None)
        self.process.join(10)
        self.process.kill()


@dataclass
class Entry:
    """One row: a contestant that takes part, and its turns."""

    label: Label
    tried: dict[int, float]
    server: Server
    index: int
    turns: list[Turn]


def enter_all(only: list[str], seconds: float, clock: str) -> tuple[list[Entry], list[Server], list[str]]:
    """Start every field; the entries, the processes, and a line for each that is left out."""
    entries, servers, missing = [], [], []
    for field in track(FIELDS, "starting", transient=True):
        server = Server(field)
        servers.append(server)
        labels = server.ask("enter")
        if isinstance(labels, str):
            missing.append(f"{field.name} is left out: {labels}")
            labels = []
        for index, label in enumerate(labels):
            if only and not any(word.lower() in str(label).lower() for word in only):
                continue
            started = server.ask("start", index, seconds, clock)
            if isinstance(started, str):
                missing.append(f"{label} is left out: {started}")
            else:
                entries.append(Entry(*started, server, index, []))
        if not any(entry.server is server for entry in entries):
            servers.pop().stop()
    return entries, servers, missing


def play_rounds(entries: list[Entry], rounds: int, seconds: float) -> list[str]:
    """Everyone's turns, round by round; a line for each that broke down, which leaves ``entries``."""
    lines = []
    for _ in track(range(rounds), "rounds", transient=True):
        for entry in list(entries):
            turn = entry.server.ask("turn", entry.index, seconds)
            if isinstance(turn, str):
                lines.append(f"{entry.label} broke down: {turn}")
                entries.remove(entry)
            else:
                entry.turns.append(turn)
    return lines


# --- tables ---------------------------------------------------------------------------------------

Rows = list[list[str]]


def ratio(entry: Entry, to: Entry, clock: str) -> float:
    """Median over the rounds of how many times as fast as ``to``."""
    return median(a.rate(clock) / b.rate(clock) for a, b in zip(entry.turns, to.turns, strict=True))


def speed_rows(entries: list[Entry], clock: str) -> Rows:
    """Decisions a second, with the ratios to REFERENCES."""
    references = {head: entry for head, like in REFERENCES.items() for entry in entries if entry.label[:4] == like}
    heads = [
        "",
        "game",
        "face",
        "threads",
        "batch",
        "decisions/s",
        "with sampler",
        "sampler",
        "cores busy",
        *references,
    ]
    rows = [heads]
    for entry in entries:
        turns = entry.turns
        rows.append(
            [
                *entry.label[:3],
                str(entry.label.threads),
                f"{entry.label.batch:,}",
                f"{median(t.rate(clock) for t in turns):,.0f}",
                f"{median(t.rate(clock, sampler=True) for t in turns):,.0f}",
                f"{median(t.sampling / t.wall for t in turns):.0%}",
                f"{median(t.cpu / t.wall for t in turns):.2f}",
                *(f"{ratio(entry, reference, clock):.2f}" for reference in references.values()),
            ]
        )
    return rows


def memory_rows(entries: list[Entry], clock: str) -> Rows:
    """Bytes of observations and masks written a second against a plain fill of equal buffers by one thread."""
    rows = [["", "game", "threads", "batch", "bytes a decision", "written GB/s", "fill GB/s", "share"]]
    for entry in entries:
        if not entry.turns[0].fill[0]:
            continue
        written = [t.written * t.rate(clock) for t in entry.turns]
        filled = [t.fill[CLOCKS.index(clock)] for t in entry.turns]
        rows.append(
            [
                *entry.label[:2],
                str(entry.label.threads),
                f"{entry.label.batch:,}",
                f"{entry.turns[0].written:,.0f}",
                f"{median(written) / 1e9:.2f}",
                f"{median(filled) / 1e9:.2f}",
                f"{median(w / f for w, f in zip(written, filled, strict=True)):.1%}",
            ]
        )
    return rows


def show(title: str, rows: Rows, numbers_from: int, markdown: bool) -> None:
    """Print a table; columns from ``numbers_from`` on hold numbers."""
    head, *body = rows
    if markdown:
        lines = ["|".join(["---"] * numbers_from + ["---:"] * (len(head) - numbers_from))]
        print(f"\n{title}\n\n| " + " | ".join(head) + f" |\n|{lines[0]}|")
        for row in body:
            print("| " + " | ".join(row) + " |")
        return
    table = Table(title=title)
    for place, name in enumerate(head):
        table.add_column(name, justify="right" if place >= numbers_from else "left")
    for row in body:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def version(package: str) -> str | None:
    """Installed version, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def machine() -> dict[str, Any]:
    """What the figures depend on beside the code."""
    model = platform.processor()
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "load": [round(load, 1) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        **{package: found for package in PACKAGES if (found := version(package))},
    }


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="TEXT", help="contestants with any of these in a name")
    parser.add_argument("--rounds", type=int, default=7, help="turns that each contestant gets (default 7)")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a turn (default 0.5)")
    parser.add_argument(
        "--clock",
        choices=CLOCKS,
        default="wall",
        help="cpu: by processor time of all threads, on a machine that is busy with other things; rows with several "
        "threads then tell cost and not speed (default wall)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every turn there")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parsed = parser.parse_args(arguments)
    if parsed.rounds < 1:
        parser.error(f"argument --rounds: {parsed.rounds} is not allowed; give 1 or more")
    if not 0 < parsed.seconds <= 3600:
        parser.error(f"argument --seconds: {parsed.seconds} is not allowed; give more than 0, up to 3600")
    return parsed


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parsed = parse(arguments)
    before = machine()
    entries, servers, lines = enter_all(parsed.only, parsed.seconds, parsed.clock)
    lines += play_rounds(entries, parsed.rounds, parsed.seconds)
    for server in servers:
        server.stop()
    print(", ".join(f"{name} {value}" for name, value in before.items() if value is not None))
    for line in lines:
        print(line)
    if parsed.json:
        facts = {
            "machine": before,
            "rounds": parsed.rounds,
            "seconds": parsed.seconds,
            "clock": parsed.clock,
            "left_out": lines,
            "contestants": [
                {
                    **e.label._asdict(),
                    "batches_tried": e.tried if len(e.tried) > 1 else {},
                    "turns": [turn._asdict() for turn in e.turns],
                }
                for e in entries
            ],
        }
        parsed.json.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    if not entries:
        print("nobody is left to measure")
        return 1
    turns = f"medians of {parsed.rounds} turns of {parsed.seconds:g} s, {parsed.clock} time"
    show(
        f"Random play, decisions a second without the sampler; {turns}",
        speed_rows(entries, parsed.clock),
        3,
        parsed.markdown,
    )
    show(
        f"Memory: observations and masks against a plain fill; {turns}",
        memory_rows(entries, parsed.clock),
        2,
        parsed.markdown,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
