"""What a network reads and chooses among where it plays at several numbers of players.

Observations and actions of a game have other sizes at another number of players. A network that is to play at several
reads them in one :class:`Layout` that has room for all; a :class:`Fit` puts those of one number of players into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from northsea_envs.game import Field, Game

# The field that says how many play; one float a number of players.
COUNT_FIELD = "num_players"


def counts_of(players: int | Sequence[int]) -> tuple[int, ...]:
    """Numbers of players as a tuple: those of a sequence, or the one."""
    return (players,) if isinstance(players, int) else tuple(players)


@dataclass(frozen=True, eq=False)
class Fit:
    """Where the inputs and actions of one number of players lie in a layout for several.

    Attributes:
        columns: int64 (input size here,), the column of the layout that each column goes to.
        actions: int64 (actions here,), the layout's number of each action.
        others: float32 (input size of the layout,), what the columns hold that are not spoken of here.
        numbers: int64 (actions of the layout,), the number here of each of its actions, -1 where there is none.
    """

    columns: np.ndarray
    actions: np.ndarray
    others: np.ndarray
    numbers: np.ndarray

    def inputs(self, inputs: np.ndarray) -> np.ndarray:
        """Inputs in the layout, new, float32 (n, size of the layout)."""
        out = np.tile(self.others, (len(inputs), 1))
        out[:, self.columns] = inputs
        return out

    def masks(self, masks: np.ndarray) -> np.ndarray:
        """Masks in the layout, of the same dtype (n, actions of the layout)."""
        out = np.zeros((len(masks), len(self.numbers)), masks.dtype)
        out[:, self.actions] = masks
        return out


class Layout:
    """One observation and one set of actions for ``counts`` numbers of players of a game.

    Of one number of players it is the game's own. Of several it holds every field, and every block of actions, that any
    of them has, by name and as long as the longest; a shorter one fills its beginning, and what is missing is 0, or not
    legal. A last field, ``num_players``, says which it is.

    Attributes:
        game: the game.
        counts: numbers of players, ascending.
        fields: the observation's.
        num_actions: how many actions there are.
    """

    def __init__(self, game: Game, players: int | Sequence[int]):
        self.game = game
        self.counts = counts_of(players)
        self._blocks = _longest((b.name, b.size) for n in self._widest_first for b in game.action_blocks(n))
        self.num_actions = sum(self._blocks.values())

    @property
    def _widest_first(self) -> tuple[int, ...]:
        return self.counts[::-1]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the observation, in order."""
        if len(self.counts) == 1:
            return self.game.observation_fields(self.counts[0])
        found: dict[str, Field] = {}
        for count in self._widest_first:
            for field in self.game.observation_fields(count):
                other = found.get(field.name, field)
                found[field.name] = Field(
                    field.name,
                    max(field.size, other.size),
                    min(field.low, other.low, 0.0),
                    max(field.high, other.high, 0.0),
                    other.meaning,
                )
        which = Field(COUNT_FIELD, len(self.counts), 0, 1, "one of " + ", ".join(map(str, self.counts)))
        return (*found.values(), which)

    @property
    def observation_size(self) -> int:
        """Floats of an observation."""
        return sum(field.size for field in self.fields)

    def fit(self, players: int, look_ahead: bool) -> Fit | None:
        """How the inputs at ``players`` seats go into the layout; None where they are it.

        Args:
            players: one of ``counts``.
            look_ahead: whether the columns of a look ahead follow the observation.
        """
        if len(self.counts) == 1:
            return None
        size, first = self.observation_size, _starts((f.name, f.size) for f in self.fields)
        here = self.game.observation_fields(players)
        columns = np.concatenate([np.arange(first[f.name], first[f.name] + f.size) for f in here])
        starts = _starts(self._blocks.items())
        blocks = self.game.action_blocks(players)
        actions = np.concatenate([np.arange(starts[b.name], starts[b.name] + b.size) for b in blocks])
        others = np.zeros(size, np.float32)
        others[first[COUNT_FIELD] + self.counts.index(players)] = 1.0
        if look_ahead:
            # As the look ahead itself marks what is not legal.
            others = np.concatenate([others, np.full(self.num_actions, -1, np.float32), np.zeros(1, np.float32)])
            columns = np.concatenate([columns, size + actions, [size + self.num_actions]])
        numbers = np.full(self.num_actions, -1)
        numbers[actions] = np.arange(len(actions))
        return Fit(columns, actions, others, numbers)


def _longest(named: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The largest size of each name, in the order they came."""
    sizes: dict[str, int] = {}
    for name, size in named:
        sizes[name] = max(size, sizes.get(name, 0))
    return sizes


def _starts(named: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Where each begins that follow one another."""
    starts, end = {}, 0
    for name, size in named:
        starts[name], end = end, end + size
    return starts
