"""Record a game, save and load it as JSON, and verify that it plays out to the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import northsea_envs
from northsea_envs.files import write_atomically
from northsea_envs.game import ILLEGAL, Game, check_seed

FORMAT = "northsea-replay-1"


class ReplayError(ValueError):
    """A replay is damaged, of another kind, or does not play out as it says."""


@dataclass(frozen=True)
class Replay:
    """A game from its seed and its decisions; forced ones are not listed.

    Attributes:
        game: id of the game with its version.
        tables: fingerprint of the component tables.
        players: number of seats.
        seed: the game's seed.
        options: keywords of the game that were given, and the game's variant.
        actions: the decisions, in order.
        sha256: checksum of the record after the last of them.
    """

    game: str
    tables: str
    players: int
    seed: int
    options: dict[str, Any]
    actions: list[int]
    sha256: str

    @classmethod
    def of(cls, game: Game, players: int, seed: int, options: Mapping[str, Any], actions: Sequence[int]) -> Replay:
        """The replay of a game; raises ReplayError where an action is not legal."""
        if _bound(game, options) is not game:
            raise ReplayError(f"these options are not those of {game.described}")
        # The variant by its canonical names, whatever the options call it.
        others = options.keys() - {variant.name for variant in game.variants}
        named = {**game.variant, **{name: value for name, value in options.items() if name in others}}
        replay = cls(game.id, game.fingerprint, int(players), int(seed), named, [int(a) for a in actions], "")
        for states in replay._positions(game):
            final = states
        return cls(**{**asdict(replay), "sha256": _checksum(final)})

    def positions(self, game: Game | None = None) -> Iterator[np.ndarray]:
        """The position before each decision, then the last one, each a structured array of one element.

        Args:
            game: the game under the right tables, in any variant; None takes the package's.

        Raises:
            ReplayError: another game, version, variant or tables; an illegal action; or another end than the one
                recorded.
        """
        if game is None:
            try:
                game = northsea_envs.get_game(self.game)
            except ValueError as error:
                raise ReplayError(str(error)) from None
        if self.game != game.id:
            raise ReplayError(f"a replay of {self.game!r}, not of {game.id!r}")
        game = _bound(game, self.options)
        if self.tables != game.fingerprint:
            raise ReplayError(
                f"recorded under other component tables: fingerprint {self.tables!r}, here {game.fingerprint!r}"
            )
        for states in self._positions(game):
            yield states
        if _checksum(states) != self.sha256:
            raise ReplayError("the game does not end as recorded: the last position has another checksum")

    def verify(self, game: Game | None = None) -> np.ndarray:
        """Play it out and return the last position; raises ReplayError as :meth:`positions`."""
        *_, final = self.positions(game)
        return final

    def _positions(self, game: Game) -> Iterator[np.ndarray]:
        try:
            players = game.check_players(self.players)
            states = game.new_states(players, [check_seed(self.seed)], self.options)
        except (ValueError, TypeError) as error:
            raise ReplayError(f"damaged: {error}") from None
        legal = np.zeros(game.num_actions(players), np.int8)
        mask = np.zeros_like(legal)
        observation = np.zeros(game.observation_size(players), np.float32)
        game.kernels.legal(game.tables, states, 0, legal)
        yield states.copy()
        for number, action in enumerate(self.actions):
            if game.kernels.step(game.tables, states, 0, action, legal, observation, mask) == ILLEGAL:
                raise ReplayError(f"damaged: decision {number}, action {action}, is not legal there")
            yield states.copy()

    def save(self, path: str | Path) -> None:
        """Write it as JSON; a file that stood there is replaced at once or not at all."""
        document = {"format": FORMAT, **asdict(self)}
        write_atomically(path, (json.dumps(document, indent=1) + "\n").encode())

    @classmethod
    def load(cls, path: str | Path) -> Replay:
        """Read a replay; its contents are checked when it is played (:meth:`positions`, :meth:`verify`).

        Raises:
            ReplayError: not a replay, or a field is missing or of the wrong type.
        """
        try:
            document = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"{path}: not JSON ({error})") from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ReplayError(f"{path}: not a replay: its format is not {FORMAT!r}")
        kinds = {
            "game": str,
            "tables": str,
            "players": int,
            "seed": int,
            "options": dict,
            "actions": list,
            "sha256": str,
        }
        for name, kind in kinds.items():
            if not isinstance(document.get(name), kind) or isinstance(document.get(name), bool):
                raise ReplayError(f"{path}: damaged: {name!r} must be a JSON {kind.__name__}")
        for number, action in enumerate(document["actions"]):
            if type(action) is not int or not 0 <= action < 2**31:
                raise ReplayError(f"{path}: damaged: decision {number} is {action!r}, not an action id")
        return cls(**{name: document[name] for name in kinds})


def _bound(game: Game, options: Mapping[str, Any]) -> Game:
    try:
        return game.with_options(options)
    except ValueError as error:
        raise ReplayError(f"damaged: {error}") from None


def _checksum(states: np.ndarray) -> str:
    return hashlib.sha256(states.tobytes()).hexdigest()
