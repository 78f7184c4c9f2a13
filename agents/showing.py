"""A saved game in the terminal, step by step, in words and boards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import northsea_envs
from northsea_envs.game import Game
from northsea_envs.replay import Replay, ReplayError


@dataclass(frozen=True)
class Shown:
    """A replay that was checked from its first position to its last.

    Attributes:
        game: the game, in its variant.
        replay: the record.
        seating: who sat where, if the file says so.
        positions: before each decision, then the last one.
        deciders: the seat of each decision.
    """

    game: Game
    replay: Replay
    seating: tuple[str, ...] | None
    positions: list[np.ndarray]
    deciders: list[int]

    def seat(self, seat: int) -> str:
        """A seat in words, with the agent that sat there."""
        return f"seat {seat} ({self.seating[seat]})" if self.seating else f"seat {seat}"


def load(path: str | Path, tables: str | None = None, game: Game | None = None) -> Shown:
    """Read a replay and play it out.

    Args:
        path: the file.
        tables: folder of the component tables that it was played with; None for the package's.
        game: the game itself, in place of what the file and ``tables`` name.

    Raises:
        ReplayError: it cannot be read, is no replay, is damaged, or does not play out as it says.
    """
    try:
        replay = Replay.load(path)
        game = (game or northsea_envs.get_game(replay.game, tables)).with_options(replay.options)
        if game.fingerprint != replay.tables:
            _check_game(replay)
        positions = list(replay.positions(game))
    except OSError as error:
        raise ReplayError(f"{path} cannot be read: {error.strerror}") from None
    except ReplayError as error:
        raise ReplayError(str(error) if str(error).startswith(str(path)) else f"{path}: {error}") from None
    except ValueError as error:
        raise ReplayError(f"{path}: {error}") from None
    legal = np.zeros(game.num_actions(replay.players), np.int8)
    deciders = [game.kernels.legal(game.tables, position, 0, legal) for position in positions[:-1]]
    return Shown(game, replay, _seating(path, replay.players), positions, [int(seat) for seat in deciders])


def _check_game(replay: Replay) -> None:
    """Raise ReplayError where a replay's component tables are those of another game than it says."""
    for name in northsea_envs.GAMES:
        try:
            game = northsea_envs.get_game(name).with_options(replay.options)
        except ValueError:
            continue
        if game.fingerprint == replay.tables and game.id != replay.game:
            raise ReplayError(f"damaged: its component tables are those of {game.id!r}, not of {replay.game!r}")


def _seating(path: str | Path, players: int) -> tuple[str, ...] | None:
    """The agents that a tournament wrote into a replay; None where there are none."""
    seating = json.loads(Path(path).read_text(encoding="utf-8")).get("seating")
    if isinstance(seating, list) and len(seating) == players and all(isinstance(name, str) for name in seating):
        return tuple(_printable(name) for name in seating)
    return None


def _printable(text: str) -> str:
    """Text without what could steer a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def steps(
    shown: Shown, first: int = 1, last: int | None = None, seat: int | None = None, boards: bool = True
) -> Iterator[str]:
    """The game in texts: who plays, then each decision with the board that it was made on, then how it ended.

    Args:
        shown: the game.
        first: first decision that is shown, from 1.
        last: last one; None for all.
        seat: show what this seat sees: its boards, and the words of its own decisions only. None shows everything.
        boards: whether boards are shown beside words.

    Raises:
        ValueError: there are not so many decisions, or no such seat.
    """
    count = len(shown.deciders)
    last = count if last is None else last
    if not 1 <= first <= last <= count and not (count == 0 and first == 1):
        raise ValueError(f"decisions {first} to {last} are not all there; the game has 1 to {count}")
    if seat is not None and not 0 <= seat < shown.replay.players:
        raise ValueError(f"seat {seat} is not there; the game has 0 to {shown.replay.players - 1}")
    return _steps(shown, first, last, seat, boards)


def _steps(shown: Shown, first: int, last: int, seat: int | None, boards: bool) -> Iterator[str]:
    game, replay = shown.game, shown.replay
    seats = ", ".join(shown.seat(k) for k in range(replay.players)) if shown.seating else f"{replay.players} seats"
    yield f"{game.title} ({_printable(game.described)}), seed {replay.seed}: {seats}; {len(shown.deciders)} decisions"
    for number in range(first, last + 1):
        position, decider = shown.positions[number - 1], shown.deciders[number - 1]
        words = "decides"
        if seat is None or seat == decider:
            words = game.action_text(position, 0, replay.actions[number - 1])
        board = f"{game.text(position, 0, seat)}\n\n" if boards else ""
        yield f"{board}{number}. {shown.seat(decider)} {words}"
    if last == len(shown.deciders):
        yield _end(shown, seat, boards)


def _end(shown: Shown, seat: int | None, boards: bool) -> str:
    game, players, final = shown.game, shown.replay.players, shown.positions[-1]
    board = f"{game.text(final, 0, seat)}\n\n" if boards else ""
    legal = np.zeros(game.num_actions(players), np.int8)
    if game.kernels.legal(game.tables, final, 0, legal) >= 0:
        return f"{board}The record ends here; the game is not over."
    scores, ranks = np.zeros(players), np.zeros(players, np.int64)
    game.kernels.result(game.tables, final, 0, scores, ranks)
    places = sorted(range(players), key=lambda k: (ranks[k], k))
    return board + "\n".join(f"place {ranks[k]}: {shown.seat(k)} with {scores[k]:g} points" for k in places)


def print_steps(texts: Iterator[str], wait: Callable[[], bool] | None = None) -> None:
    """Print texts with empty lines between them; after each ``wait`` says whether to go on, if given."""
    for number, text in enumerate(texts):
        print(text if number == 0 else f"\n{text}")
        if wait and not wait():
            return
