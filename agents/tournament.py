"""Tournaments: a plan played in chunks, by one process or many, that can stop early and go on after an interruption."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import northsea_envs
from agents.chunks import Chunk, NotPossibleError, Played, Setup, Workers
from agents.evaluation import Evaluation, Plan
from agents.journal import OUTCOMES, Journal, JournalError, chunk_of
from agents.match import Interrupted, MatchResult, Progress
from agents.replays import replay_path
from agents.shipped import folder_of
from agents.until import Answer, Question, Watch, deal_number
from agents.versions import agent_version
from northsea_envs.files import write_atomically

# Games of a chunk at most, and the chunks of a pairing at least where it has so many deals.
CHUNK_GAMES = 512
CHUNKS = 16


@dataclass(frozen=True)
class Outcome:
    """What a tournament gave.

    Attributes:
        evaluation: the games that count; None where not one deal is complete.
        answer: what it says to the question; None if none was asked.
        thinking: by agent, timed decisions and the seconds that they took.
        complete: whether all that was to be played was.
    """

    evaluation: Evaluation | None
    answer: Answer | None
    thinking: dict[str, tuple[int, float]]
    complete: bool


class Tournament:
    """A plan in chunks, and what has been played of it.

    Args:
        plan: what is played.
        batch: games that run at a time, at most.
        until: stop when this is settled.
        replays: folder that gets a replay of every game.
        chunk_deals: deals of a chunk, for each pairing; None chooses by the number of games.

    Raises:
        NotPossibleError: an argument is not allowed.
    """

    def __init__(
        self,
        plan: Plan,
        batch: int = 1024,
        until: Question | None = None,
        replays: Path | None = None,
        chunk_deals: Sequence[int] | None = None,
    ):
        if batch < 1:
            raise NotPossibleError(f"batch={batch} is not allowed; at least one game must run")
        self.plan, self.replays, self.batch = plan, replays, batch
        schedule, total = plan.schedule, len(plan.schedule)
        self.setup = Setup(plan.game, plan.players, plan.options, plan.specs, batch, replays is not None)
        self._watch = Watch(until) if until else None
        self._journal: Journal | None = None
        self.result = MatchResult(
            tuple(plan.agents),
            plan.deal_seeds[schedule.deal],
            schedule.lineups,
            np.zeros((total, plan.players), np.int64),
            np.zeros((total, plan.players)),
            np.zeros(total, np.int64),
            np.zeros(total, bool),
            dict.fromkeys(plan.agents, 0),
            dict.fromkeys(plan.agents, 0.0),
        )
        self.finished = np.zeros(total, bool)
        # By pairing, the places of its games: int64 (deals, seatings).
        self._places = [
            np.flatnonzero(schedule.pairing == number).reshape(pairing.deals, -1)
            for number, pairing in enumerate(schedule.pairings)
        ]
        self.chunk_deals = tuple(
            chunk_deals or (max(1, min(CHUNK_GAMES, p.games // CHUNKS) // len(p.seatings)) for p in schedule.pairings)
        )
        self._names = list(plan.agents)
        # Now, when the agents have just been made: their files may change while they play.
        self.versions = {n: agent_version(spec, folder_of(plan.game, plan.players)) for n, spec in plan.specs.items()}

    def __len__(self) -> int:
        return len(self.finished)

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, those of early deals first."""
        pairings = self.plan.schedule.pairings
        starts = sorted(
            (first, number)
            for number, pairing in enumerate(pairings)
            for first in range(0, pairing.deals, self.chunk_deals[number])
        )
        for first, number in starts:
            last = min(first + self.chunk_deals[number], pairings[number].deals)
            yield Chunk(number, first, pairings[number].seatings, self.plan.deal_seeds[first:last])

    def identity(self) -> dict[str, Any]:
        """All that the games follow from."""
        plan = self.plan
        return {
            "package_version": northsea_envs.__version__,
            "game": plan.game.id,
            "tables_fingerprint": plan.game.fingerprint,
            "players": plan.players,
            "options": plan.options,
            "agents": plan.specs,
            "agent_versions": self.versions,
            "seed": plan.seed,
            "games": plan.games,
            "batch": self.batch,
            "chunk_deals": list(self.chunk_deals),
            "replays": None if self.replays is None else str(self.replays),
        }

    def open_journal(self, path: Path) -> int:
        """Keep a journal at ``path``, and take over what it holds; returns the games that were taken over.

        Raises:
            JournalError: it is damaged, or of another tournament.
            OSError: it cannot be read or written.
        """
        self._journal = Journal(path, self.identity(), {})
        known = {chunk.key: chunk for chunk in self.chunks()}
        for number, line in enumerate(self._journal.lines, 2):
            try:
                chunk = known.pop(tuple(line["chunk"]))
                self._keep(chunk, *chunk_of(line, len(chunk), self.plan.players, self._names))
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                self._journal.close()
                raise JournalError(
                    f"{path}: damaged: line {number} is no chunk of this tournament ({error!r})"
                ) from None
        self._journal.lines.clear()
        return int(np.count_nonzero(self.finished))

    def _keep(self, chunk: Chunk, arrays: Sequence[np.ndarray], thinking: Mapping[str, tuple[int, float]]) -> None:
        """Put a chunk's results in their places."""
        pairing, first, last = chunk.key
        places = self._places[pairing][first:last].reshape(-1)
        for name, array in zip(OUTCOMES, arrays, strict=True):
            getattr(self.result, name)[places] = array
        self.finished[places] = True
        for name, (decisions, seconds) in thinking.items():
            self.result.asked[name] += decisions
            self.result.thought[name] += seconds

    def _take(self, chunk: Chunk, played: Played) -> None:
        """A chunk that was played: replays first, then the journal, then memory."""
        for k, document in enumerate(played.replays):
            deal, seating = divmod(k, len(chunk.seatings))
            self._save_replay(chunk.pairing, chunk.first + deal, seating, document)
        result = played.result
        arrays = [getattr(result, name) for name in OUTCOMES]
        if self._journal:
            named = zip(OUTCOMES, arrays, strict=True)
            self._journal.add(
                {"chunk": chunk.key, **{name: array.tolist() for name, array in named}, "thinking": result.thinking}
            )
        self._keep(chunk, arrays, result.thinking)

    def _save_replay(self, pairing: int, deal: int, seating: int, document: Mapping[str, Any]) -> None:
        assert self.replays is not None
        self.replays.mkdir(parents=True, exist_ok=True)
        path = replay_path(self.replays, pairing, deal, seating)
        write_atomically(path, (json.dumps(document, indent=1) + "\n").encode())

    def deals_complete(self) -> int:
        """Deals of which all games are finished, from the first on without a gap."""
        if self.finished.all():
            return len(self.plan.deal_seeds)
        return int(self.plan.schedule.deal[np.argmin(self.finished)])

    def _settled(self) -> bool:
        """Look at the deals that have become complete, in order."""
        if not self._watch:
            return False
        question, deal = self._watch.question, self.plan.schedule.deal
        first, second = self._names.index(question.first), self._names.index(question.second)
        complete = self.deals_complete()
        while not self._watch.answer.settled and self._watch.answer.deals < complete:
            number = self._watch.answer.deals
            games = slice(*np.searchsorted(deal, (number, number + 1)).tolist())
            self._watch.see(deal_number(self.result.lineups[games], self.result.ranks[games], first, second))
        return self._watch.answer.settled != 0

    def play(
        self, workers: Workers, progress: Progress | None = None, notice: Callable[[], None] | None = None
    ) -> Outcome:
        """Play what is not finished yet.

        With a journal, the first Ctrl-C lets the chunks that are being played come to their end.

        Args:
            workers: who plays; they are closed at the end.
            progress: called as chunks finish.
            notice: called at the first Ctrl-C.

        Returns:
            What was played: not all of it after Ctrl-C.

        Raises:
            WrongAnswerError: an agent's answer is not legal.
            AgentFailedError: an agent raised something.
        """
        left = (chunk for chunk in self.chunks() if not self._has(chunk))
        running = 0
        stop = threading.Event()

        def tell() -> None:
            if progress:
                progress(int(np.count_nonzero(self.finished)), len(self))

        try:
            with _patient(stop, notice) if self._journal else _impatient():
                tell()
                while not self._settled():
                    while running < workers.slots and not stop.is_set():
                        chunk = next(left, None)
                        if chunk is None:
                            break
                        workers.submit(chunk)
                        running += 1
                    if not running:
                        break
                    for chunk, played in workers.finished():
                        self._take(chunk, played)
                        running -= 1
                    tell()
        except KeyboardInterrupt as interrupt:
            self._keep_part(interrupt)
        finally:
            workers.close()
            if self._journal:
                self._journal.close()
        return self._outcome()

    def _has(self, chunk: Chunk) -> bool:
        pairing, first, last = chunk.key
        return bool(self.finished[self._places[pairing][first:last]].all())

    def _keep_part(self, interrupt: KeyboardInterrupt) -> None:
        """The finished games of an interrupted chunk count in what is shown; the journal has whole chunks only."""
        chunk = getattr(interrupt, "chunk", None)
        if not isinstance(interrupt, Interrupted) or chunk is None:
            return
        pairing, first, last = chunk.key
        done = np.flatnonzero(interrupt.finished)
        places = self._places[pairing][first:last].reshape(-1)[done]
        for name in OUTCOMES:
            getattr(self.result, name)[places] = getattr(interrupt.result, name)[done]
        self.finished[places] = True

    def _outcome(self) -> Outcome:
        settled = self._settled()
        answer = self._watch.answer if self._watch else None
        deals = answer.deals if answer and settled else self.deals_complete()
        part = None
        if deals:
            plan = replace(self.plan, schedule=self.plan.schedule.first_deals(deals))
            part = Evaluation(plan, self.result[: len(plan.schedule)])
        return Outcome(part, answer, self.result.thinking, settled or bool(self.finished.all()))

    def remove_journal(self) -> None:
        """Delete the journal: its results are kept elsewhere."""
        if self._journal:
            self._journal.remove()


@contextmanager
def _impatient() -> Iterator[None]:
    yield


@contextmanager
def _patient(stop: threading.Event, notice: Callable[[], None] | None) -> Iterator[None]:
    """The first Ctrl-C sets ``stop``, the second interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def first(number: int, frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)
        if notice:
            notice()

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
