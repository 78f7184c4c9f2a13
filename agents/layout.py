"""What a network reads and chooses among where it plays at several numbers of players.

Observations and actions of a game have other sizes at another number of players. A network that is to play at several
reads them in one :class:`Layout` that has room for all; a :class:`Fit` puts those of one number of players into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

import numpy as np

from northsea_envs.game import ActionBlock, Field, Game, seat_of

# The field that says how many play; one float a number of players.
COUNT_FIELD = "num_players"

Shape = tuple[int, ...]


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
    """One observation and one set of actions for one or several numbers of players of a game.

    Of one number of players it is the game's own. Of several it holds every field, and every block of actions, that any
    of them has, by name and with the longest of each dimension of their shapes; what is smaller fills the beginning of
    each, and what is missing is 0, or not legal. What belongs to a seat is as long for every seat. A last field,
    ``num_players``, says which it is.

    Attributes:
        game: the game.
        counts: numbers of players, ascending.
        num_actions: how many actions there are.

    Raises:
        ValueError: a number of players comes twice, or there is none.
    """

    def __init__(self, game: Game, players: int | Sequence[int]):
        self.game = game
        self.counts = (players,) if isinstance(players, int) else tuple(sorted(players))
        if not self.counts or len(set(self.counts)) < len(self.counts):
            raise ValueError(f"players={players!r} is not allowed; give each number of players once")
        self._blocks = _largest((b.name, _shape(b)) for n in self.counts[::-1] for b in game.action_blocks(n))
        self.num_actions = sum(_size(shape) for shape in self._blocks.values())

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the observation, in order."""
        if len(self.counts) == 1:
            return self.game.observation_fields(self.counts[0])
        found: dict[str, Field] = {}
        every = [field for count in self.counts[::-1] for field in self.game.observation_fields(count)]
        shapes = _largest((_kind(field.name), _shape(field)) for field in every)
        for field in every:
            other, shape = found.get(field.name, field), shapes[_kind(field.name)]
            found[field.name] = Field(
                field.name,
                _size(shape),
                min(field.low, other.low, 0.0),
                max(field.high, other.high, 0.0),
                other.meaning,
                shape,
            )
        which = Field(COUNT_FIELD, len(self.counts), 0, 1, f"one-hot: {', '.join(map(str, self.counts))} players")
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
        size = self.observation_size
        room = {field.name: _shape(field) for field in self.fields}
        columns = _places(room, self.game.observation_fields(players))
        actions = _places(self._blocks, self.game.action_blocks(players))
        others = np.zeros(size, np.float32)
        # The last field says how many play.
        others[size - len(self.counts) + self.counts.index(players)] = 1.0
        if look_ahead:
            # As the look ahead itself marks what is not legal.
            others = np.concatenate([others, np.full(self.num_actions, -1, np.float32), np.zeros(1, np.float32)])
            columns = np.concatenate([columns, size + actions, [size + self.num_actions]])
        numbers = np.full(self.num_actions, -1)
        numbers[actions] = np.arange(len(actions))
        return Fit(columns, actions, others, numbers)


def _shape(part: Field | ActionBlock) -> Shape:
    return part.shape or (part.size,)


def _size(shape: Shape) -> int:
    return int(np.prod(shape))


def _kind(name: str) -> str:
    """The name of a field without the number of its seat."""
    seat, rest = seat_of(name)
    return name if seat is None else f"seat.{rest}"


def _largest(named: Iterable[tuple[str, Shape]]) -> dict[str, Shape]:
    """The largest of each dimension of each name, in the order they came."""
    shapes: dict[str, Shape] = {}
    for name, shape in named:
        shapes[name] = tuple(map(max, zip_longest(shape, shapes.get(name, ()), fillvalue=0)))
    return shapes


def _places(room: dict[str, Shape], parts: Sequence[Field] | Sequence[ActionBlock]) -> np.ndarray:
    """Where the floats or actions of ``parts`` lie, int64, in what has ``room`` for each, name after name."""
    starts, end = {}, 0
    for name, shape in room.items():
        starts[name], end = end, end + _size(shape)
    places = []
    for part in parts:
        numbers = np.arange(_size(room[part.name])).reshape(room[part.name])
        places.append(starts[part.name] + numbers[tuple(map(slice, _shape(part)))].ravel())
    return np.concatenate(places)
