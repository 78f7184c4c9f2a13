"""A Ray cluster that plays a tournament's chunks: the same results, on as many machines as there are.

Every machine needs the same checkout at the same place, with the same packages, and what agents are named by (folders
of policies, modules). Ray starts a chunk anew whose worker or machine died.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from typing import Any

from agents.chunks import Chunk, NotPossibleError, Played, Setup, play_chunk_anywhere

# Seconds that a machine has to answer.
PATIENCE = 5


def _check_reachable(address: str) -> None:
    """Raise NotPossibleError where nobody listens at ``host:port``: Ray itself would try for five minutes."""
    host, sign, port = address.removeprefix("ray://").rpartition(":")
    if address in ("auto", "local"):
        return
    if not sign or not port.isdigit():
        raise NotPossibleError(f'cluster address {address!r} is not allowed; write host:port, "auto" or "local"')
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise NotPossibleError(f"there is no Ray cluster at {address!r}: {error}") from error


class RayWorkers:
    """Chunks played on a Ray cluster.

    Args:
        setup: the tournament.
        address: the cluster's, such as ``"10.0.0.1:6379"``; ``"local"`` starts one on this machine, ``"auto"`` finds
            the one that runs here.

    Raises:
        NotPossibleError: Ray is not installed, or there is no cluster at the address.
    """

    def __init__(self, setup: Setup, address: str):
        try:
            import ray
        except ModuleNotFoundError as error:
            raise NotPossibleError('a cluster needs Ray: pip install "northsea-envs[cluster]"') from error
        self._ray = ray
        self._begun_here = not ray.is_initialized()
        if self._begun_here:
            _check_reachable(address)
            # Modules of agents are looked for where this process looks for them.
            paths = os.pathsep.join(path for path in sys.path if path)
            try:
                ray.init(
                    address=address,
                    runtime_env={"env_vars": {"PYTHONPATH": paths}},
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    include_dashboard=False if address == "local" else None,
                )
            except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
                raise NotPossibleError(f"there is no Ray cluster at {address!r}: {error}") from error
        self.slots = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._setup = ray.put(setup)
        # Every death of a worker is an accident of the machine: what an agent raises is an answer, and not tried again.
        self._play = ray.remote(num_cpus=1, max_retries=-1)(play_chunk_anywhere)
        self._running: dict[Any, Chunk] = {}

    def submit(self, chunk: Chunk) -> None:
        """Hand over a chunk."""
        self._running[self._play.remote(self._setup, chunk)] = chunk

    def finished(self) -> list[tuple[Chunk, Played]]:
        """Chunks that were played since the last call; raises what an agent raised."""
        done, _ = self._ray.wait(list(self._running), num_returns=1)
        try:
            return [(self._running.pop(task), self._ray.get(task)) for task in done]
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error

    def close(self) -> None:
        """Call back what is running, and end a cluster that was begun here."""
        for task in self._running:
            self._ray.cancel(task, force=True)
        self._running.clear()
        if self._begun_here:
            self._ray.shutdown()
