"""Several processes on this machine that play a tournament's chunks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from agents.chunks import Chunk, NotPossibleError, Played, Setup, play_chunk_anywhere

_setup: Setup


class WorkerDiedError(RuntimeError):
    """A process ended without an answer."""


def _begin(setup: Setup) -> None:
    """What a process does before its first chunk."""
    global _setup
    _setup = setup
    # Ctrl-C reaches all processes of a terminal; the first one alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Nobody reads results when the first process was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play(chunk: Chunk) -> Played:
    return play_chunk_anywhere(_setup, chunk)


class Processes:
    """Chunks played by ``count`` processes, which begin with the first chunk.

    Args:
        setup: the tournament.
        count: how many.

    Raises:
        NotPossibleError: ``count`` is less than 1.
    """

    def __init__(self, setup: Setup, count: int):
        if count < 1:
            raise NotPossibleError(f"processes={count} is not allowed; it must be at least 1")
        # One chunk more than processes, so that none waits for the next one.
        self.slots = count + 1
        self._pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin, (setup,))
        # Not ours to end.
        self._others = set(multiprocessing.active_children())
        self._running: dict[Future[Played], Chunk] = {}

    def submit(self, chunk: Chunk) -> None:
        """Hand over a chunk; raises WorkerDiedError where a process has ended."""
        try:
            self._running[self._pool.submit(_play, chunk)] = chunk
        except BrokenProcessPool as error:
            raise _died() from error

    def finished(self) -> list[tuple[Chunk, Played]]:
        """Chunks that were played since the last call.

        Raises:
            WorkerDiedError: a process was killed, by the system for want of memory mostly.
            AgentFailedError: an agent raised something; and as :func:`~agents.chunks.play_chunk_anywhere`.
        """
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        try:
            return [(self._running.pop(future), future.result()) for future in done]
        except BrokenProcessPool as error:
            raise _died() from error

    def close(self) -> None:
        """End the processes; chunks that are not finished are dropped."""
        if self._running:
            for child in set(multiprocessing.active_children()) - self._others:
                child.terminate()
        self._pool.shutdown(cancel_futures=True)


def _died() -> WorkerDiedError:
    return WorkerDiedError(
        "a worker process died before its chunk was done, killed for want of memory perhaps; "
        "fewer --processes or a smaller --batch need less"
    )
