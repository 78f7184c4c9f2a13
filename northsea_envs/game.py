"""The contract of a game: one record, a handful of plain functions over it, and nothing of any one game.

A game is one element of a numpy structured array (the *state*), the component tables are another, read-only one,
and the functions below are its rules. Every face (AEC, batches, search, replays) is written once against
:class:`Game`. Compiled functions take the two records; the kernels take the two *arrays* and an index, because
entering compiled code with arrays is cheaper than with single records.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from northsea_envs.jit import MAX_SEED, compiled, mix_seed, prefetch, random_legal, random_seed
from northsea_envs.tables import WEIGHTS_FIELD

OVER = -1
ILLEGAL = -2

# What step_many does with a game that is over: refuse to play in it, leave it as it is, or begin another in its row.
REFUSE, LEAVE, RENEW = range(3)


class Field(NamedTuple):
    """A named slice of the flat observation: its size, bounds of each of its floats, and what it means.

    ``shape`` says how the floats lie where they are rows of something, as of an array in C order; else it is empty.
    """

    name: str
    size: int
    low: float
    high: float
    meaning: str
    shape: tuple[int, ...] = ()


def seat_of(name: str) -> tuple[int | None, str]:
    """The seat that a field speaks of by its name, None for one of no seat, and the rest of the name."""
    match = re.fullmatch(r"seat_(\d+)\.(.+)", name)
    return (int(match[1]), match[2]) if match else (None, name)


def bounds_of(fields: Sequence[Field]) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest value of each float of ``fields``, one after the other; float32."""
    low = np.concatenate([np.full(f.size, f.low, np.float32) for f in fields])
    high = np.concatenate([np.full(f.size, f.high, np.float32) for f in fields])
    return low, high


class ActionBlock(NamedTuple):
    """Consecutive action ids of one meaning: first id, how many, name, meaning, and shape as of a :class:`Field`."""

    first: int
    size: int
    name: str
    meaning: str
    shape: tuple[int, ...] = ()


class Option(NamedTuple):
    """A keyword of a game: the values it takes (in the order of their codes), the default, what it means.

    A value is handed to the compiled ``setup`` as its index in ``choices``. With ``is_seat`` the integers among the
    choices name seats, and those that a game of fewer players lacks are not allowed in it.
    """

    name: str
    choices: tuple[Any, ...]
    default: Any
    meaning: str
    is_seat: bool = False

    def code(self, value: Any, players: int) -> int:
        """Index of ``value`` in ``choices``; raises ValueError where it is not one of them."""
        allowed = [c for c in self.choices if not (self.is_seat and isinstance(c, int) and c >= players)]
        for index, choice in enumerate(self.choices):
            if type(choice) is type(value) and choice == value and choice in allowed:
                return index
        raise ValueError(f"{self.name}={value!r} is not allowed; choose from {', '.join(map(repr, allowed))}")


@compiled
def never_truncated(tables, state):
    """``truncated`` of a game that always ends by its rules."""
    return False


@dataclass(frozen=True, eq=False)
class Game:
    """The parts of one game, bound to one set of component tables.

    Compiled members take the tables' record first and the state's record second. ``seat`` is 0 .. players - 1.

    Attributes:
        name: folder name of the game, such as ``"vikings"``.
        version: version suffix of its environments, such as ``"v0"``; bumped on every change of behaviour.
        title: the game's name for people.
        min_players: fewest seats.
        max_players: most seats.
        tables: read-only structured array of one element: every component value.
        state_dtype: structured dtype of one game, hidden cards and random-number state included.
        options: the keywords that ``setup`` understands.
        variants: further keywords, by which the game is another one: with other sizes, observation fields or rules.
            They are bound into the game by :meth:`with_options`.
        variant: the values of ``variants`` here, in their canonical form; empty for the game as ``get_game`` gives it.
        rebind: (variant, options) -> the game with the same component values in which ``options``, a mapping of names
            in ``variants``, replace what ``variant`` says. Equal variants are the same object. None without variants.
        longest_game: (players) -> no game has more decisions than this, forced ones included.
        num_actions: (players) -> size of the flat ``Discrete`` action space.
        observation_fields: (players) -> named slices of the flat observation, in order.
        action_blocks: (players) -> the action ids by meaning, in order, without gaps.
        setup: (tables, state, players, options int64[:], seed) -> None. ``state`` arrives all zeros. Chance included.
        legal_actions: (tables, state, mask int8[:]) -> number of legal actions; fills the whole mask for the decider.
        apply_decision: (tables, state, action) -> None. One legal decision and what follows from it by itself.
            Forced decisions are played by :func:`play`, not here.
        decider: (tables, state) -> seat that decides now, or -1 at the end.
        observe: (tables, state, seat, out float32[:]) -> None. What that seat may know, own seat first.
        scores: (tables, state, out float64[:]) -> None. One score a seat, by the game's own count.
        ranks: (tables, state, out int64[:]) -> None. Places from 1, ties shared (1, 2, 2, 4).
        resample_hidden: (tables, state, seat, seed) -> None. Draws anew everything that seat may not know,
            uniformly; the outcome depends on what the seat knows and on ``seed``, on nothing that is hidden.
        value: (tables, state, seat) -> float in 0 .. 1, how good the position looks, from what the seat may see.
        check: (tables, state) -> number of the first broken invariant, 0 if none.
        action_name: (players, action) -> the action's name, such as ``"BUY 3"``.
        action_text: (states, index, action) -> the decision in words, for people.
        text: (states, index, seat or None) -> the position drawn in text, from that seat's knowledge.
        truncated: (tables, state) -> whether a game that is over was cut short by a limit on its length instead of
            ending by its rules. Most games never are.
        unbound_tables: the component values of all variants, from which each takes its ``tables``; None without
            variants.
        weights: names of the numbers that ``value`` weighs by, in the order of the float64 field ``weights`` of
            ``tables``; empty for a game that has neither.
    """

    name: str
    version: str
    title: str
    min_players: int
    max_players: int
    tables: np.ndarray
    state_dtype: np.dtype
    options: tuple[Option, ...]
    longest_game: Callable[[int], int]
    num_actions: Callable[[int], int]
    observation_fields: Callable[[int], tuple[Field, ...]]
    action_blocks: Callable[[int], tuple[ActionBlock, ...]]
    setup: Callable
    legal_actions: Callable
    apply_decision: Callable
    decider: Callable
    observe: Callable
    scores: Callable
    ranks: Callable
    resample_hidden: Callable
    value: Callable
    check: Callable
    action_name: Callable[[int, int], str]
    action_text: Callable[[np.ndarray, int, int], str]
    text: Callable[[np.ndarray, int, int | None], str]
    truncated: Callable = never_truncated
    variants: tuple[Option, ...] = ()
    variant: Mapping[str, Any] = field(default_factory=dict)
    rebind: Callable[[Mapping[str, Any], Mapping[str, Any]], Game] | None = None
    unbound_tables: np.ndarray | None = None
    weights: tuple[str, ...] = ()

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict) -> Game:
        return self

    def __reduce__(self) -> tuple:
        # By name and table values: compiled code cannot be pickled, and a folder may not exist elsewhere.
        tables = self.tables if self.unbound_tables is None else self.unbound_tables
        return _restore_game, (self.name, tables, dict(self.variant))

    @property
    def id(self) -> str:
        """Name and version, such as ``"vikings_v0"``."""
        return f"{self.name}_{self.version}"

    @property
    def described(self) -> str:
        """Id and variant for people, such as ``"vikings_v0"`` or ``"vikings_v0 (auction=True, ...)"``."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.variant.items())
        return f"{self.id} ({values})" if values else self.id

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits over every component value that the rules read, the variant's among them, and its layout.

        The weights of ``value`` are none: games that differ in them alone take each other's saves.
        """
        return _fingerprint(self.tables)

    @cached_property
    def kernels(self) -> Kernels:
        """The compiled loops of this game (see :class:`Kernels`), made at first use."""
        return _kernels(self)

    def observation_size(self, players: int) -> int:
        """Length of the flat observation."""
        return sum(f.size for f in self.observation_fields(players))

    def observation_bounds(self, players: int) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of each float of the flat observation; float32, read-only."""
        if players not in self._bounds:
            low, high = bounds_of(self.observation_fields(players))
            low.flags.writeable = high.flags.writeable = False
            self._bounds[players] = low, high
        return self._bounds[players]

    @cached_property
    def _bounds(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        return {}

    def check_players(self, players: Any) -> int:
        """``players`` as an int; raises ValueError where the game is not played by so many."""
        try:
            number = operator.index(players)
        except TypeError:
            number = -1
        if isinstance(players, bool) or not self.min_players <= number <= self.max_players:
            raise ValueError(
                f"num_players={players!r} is not allowed; {self.title} takes {self.min_players} to {self.max_players}"
            )
        return number

    def with_options(self, options: Mapping[str, Any]) -> Game:
        """This game with what ``options`` say about its variants bound into it.

        Variants that they do not name stay as they are here, and names that are not among ``variants`` are left to
        :meth:`option_codes`. Games of equal variants and tables are one object.

        Raises:
            ValueError: a value that a variant does not take.
        """
        bound = {}
        for variant in self.variants:
            if variant.name in options:
                variant.code(options[variant.name], self.max_players)
                bound[variant.name] = options[variant.name]
        return self.rebind(self.variant, bound) if bound and self.rebind else self

    def option_codes(self, players: int, options: Mapping[str, Any]) -> np.ndarray:
        """Codes of the options in the order of ``self.options``, defaults filled in; int64.

        Raises:
            ValueError: an unknown option, a value that the option does not take, or a variant that is not this game's.
        """
        known = {option.name: option for option in self.options + self.variants}
        for name in options:
            if name not in known:
                raise ValueError(f"unknown option {name!r} of {self.id}; known: {', '.join(known)}")
        if self.with_options(options) is not self:
            named = ", ".join(f"{v.name}={options[v.name]!r}" for v in self.variants if v.name in options)
            raise ValueError(f"{named} makes another game than {self.described}; bind it with with_options")
        return np.array([o.code(options.get(o.name, o.default), players) for o in self.options], np.int64)

    def new_states(
        self, players: int, seeds: Sequence[int] | np.ndarray, options: Mapping[str, Any] = {}
    ) -> np.ndarray:
        """Fresh games, one a seed, as a structured array; forced first decisions already played.

        Raises:
            ValueError: wrong number of players, unknown option, or a seed outside 0 .. 2**63 - 1.
        """
        players = self.check_players(players)
        codes = self.option_codes(players, options)
        for seed in seeds:
            check_seed(seed)
        states = np.zeros(len(seeds), self.state_dtype)
        scratch = np.zeros(self.num_actions(players), np.int8)
        for index, seed in enumerate(seeds):
            self.kernels.begin(self.tables, states, index, players, codes, int(seed), scratch)
        return states

    def save(self, states: np.ndarray, index: int) -> bytes:
        """One game as bytes that :meth:`restore` takes back: a line of JSON that says what it is, then the record."""
        return self.seal(_STATE_FORMAT, states[index].tobytes())

    def restore(self, data: bytes) -> np.ndarray:
        """The game that :meth:`save` wrote, as a new structured array of one element.

        Raises:
            SaveError: damaged bytes, or a game of another kind, version, variant or set of component tables.
        """
        _, record = self.unseal(_STATE_FORMAT, data)
        size = self.state_dtype.itemsize
        if len(record) != size:
            raise SaveError(f"damaged: {len(record)} bytes of state where {size} are needed")
        states = np.frombuffer(record, self.state_dtype).copy()
        self.check_states(states)
        return states

    def seal(self, format_name: str, contents: bytes, **facts: Any) -> bytes:
        """``contents`` behind a line of JSON: format, game, variant, tables, ``facts``, size and checksum."""
        header = {
            "format": format_name,
            "game": self.id,
            **({"variant": dict(self.variant)} if self.variant else {}),
            "tables": self.fingerprint,
            **facts,
            "bytes": len(contents),
            "sha256": hashlib.sha256(contents).hexdigest(),
        }
        return json.dumps(header).encode() + b"\n" + contents

    def unseal(self, format_name: str, data: bytes) -> tuple[dict[str, Any], bytes]:
        """Header and contents of what :meth:`seal` gave, known to be whole and of this game; facts are not checked.

        Raises:
            SaveError: damaged bytes, or a game of another kind, version, variant or set of component tables.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise SaveError(f"a saved game is bytes, not {type(data).__name__}")
        line, newline, contents = bytes(data).partition(b"\n")
        try:
            header = json.loads(line) if newline else None
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict) or header.get("format") != format_name:
            raise SaveError(f"not a saved game: it does not begin with a {format_name} header")
        if header.get("game") != self.id:
            raise SaveError(f"a saved game of {header.get('game')!r}, not of {self.id!r}")
        if header.get("variant", {}) != self.variant:
            raise SaveError(f"a saved game of the variant {header.get('variant', {})!r}, not of {self.described}")
        if header.get("tables") != self.fingerprint:
            raise SaveError(
                f"saved under other component tables: fingerprint {header.get('tables')!r}, here {self.fingerprint!r}"
            )
        if len(contents) != header.get("bytes"):
            raise SaveError(f"damaged: {len(contents)} bytes of state where {header.get('bytes')} are needed")
        if hashlib.sha256(contents).hexdigest() != header.get("sha256"):
            raise SaveError("damaged: the state does not match its checksum")
        return header, contents

    def check_states(self, states: np.ndarray) -> None:
        """Raise SaveError where a record breaks an invariant, or the faces could not show it.

        The faces need a decision with at least two legal actions or the end, and observations within their bounds.
        """
        for index in range(len(states)):
            where = f"game {index} is " if len(states) > 1 else ""
            broken = self.kernels.check(self.tables, states, index)
            if broken:
                raise SaveError(f"{where}not a position of {self.title}: invariant {broken} does not hold")
            players = int(states[index].players)
            legal = np.zeros(self.num_actions(players), np.int8)
            if self.kernels.legal(self.tables, states, index, legal) >= 0 and np.count_nonzero(legal) < 2:
                raise SaveError(
                    f"{where}not a position of {self.title}: the game is not over, and there is nothing to decide"
                )
            low, high = self.observation_bounds(players)
            observation = np.empty(len(low), np.float32)
            for seat in range(players):
                self.kernels.look(self.tables, states, index, seat, observation)
                # Rounding aside: this looks for nonsense.
                if not np.all((low - 0.01 <= observation) & (observation <= high + 0.01)):
                    raise SaveError(f"{where}not a position of {self.title}: what seat {seat} sees is out of bounds")


_STATE_FORMAT = "northsea-state-1"


class SaveError(ValueError):
    """A saved game is damaged or of another kind."""


def _fingerprint(tables: np.ndarray) -> str:
    fields = [field for field in tables.dtype.descr if field[0] != WEIGHTS_FIELD]
    components = np.zeros(tables.shape, fields)
    for name, *_ in fields:
        components[name] = tables[name]
    return hashlib.sha256(repr(fields).encode() + components.tobytes()).hexdigest()[:16]


def _restore_game(name: str, tables: np.ndarray, variant: dict[str, Any]) -> Game:
    game: Game = importlib.import_module("northsea_envs").get_game(name)
    printed = game.tables if game.unbound_tables is None else game.unbound_tables
    # The weights too: a copy of a game plays as the game does.
    if (printed.dtype, printed.tobytes()) != (tables.dtype, tables.tobytes()):
        tables.flags.writeable = False
        game = importlib.import_module(f"northsea_envs.games.{name}").bind(tables)
    return game.with_options(variant)


def check_seed(seed: Any) -> int:
    """``seed`` as an int; raises ValueError where it is no integer in 0 .. 2**63 - 1."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if isinstance(seed, bool) or not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed={seed!r} is not allowed; give an integer from 0 to 2**63 - 1")
    return number


@compiled
def next_seed(seed):
    """The seed of the game that follows one of ``seed`` where none is given, in every face."""
    return mix_seed(seed, 0)


# How a game's result becomes rewards, zero-sum over the seats; kernels know them by their index.
REWARDS = ("rank", "win", "score")
_RANK, _WIN, _SCORE = range(3)


def reward_index(reward: str) -> int:
    """Index in ``REWARDS``; raises ValueError for anything else."""
    if reward not in REWARDS:
        raise ValueError(f"reward={reward!r} is not allowed; choose from {', '.join(map(repr, REWARDS))}")
    return REWARDS.index(reward)


@compiled
def seat_rewards(reward, scores, ranks, out):
    """Write every seat's reward at the end of a game into ``out``; ``reward`` is an index in ``REWARDS``.

    ``"rank"``: first +1, last -1, evenly between, tied seats share equally. ``"win"``: a sole winner +1, each loser
    -1 / (seats - 1), winners share. ``"score"``: own score less the mean of the other seats' scores.
    """
    seats = len(ranks)
    total = 0.0
    winners = 0
    for seat in range(seats):
        total += scores[seat]
        winners += ranks[seat] == 1
    for seat in range(seats):
        if reward == _RANK:
            tied = 0
            for other in range(seats):
                tied += ranks[other] == ranks[seat]
            # The mean of the tied places, divided last, so that opposite places get exactly opposite rewards.
            out[seat] = (seats - 2.0 * ranks[seat] + 2.0 - tied) / (seats - 1)
        elif reward == _WIN:
            share = 1.0 / winners if ranks[seat] == 1 else 0.0
            out[seat] = (share * seats - 1.0) / (seats - 1)
        else:
            out[seat] = scores[seat] - (total - scores[seat]) / (seats - 1)


@compiled
def first_illegal(rows, actions, over, deciders, legal):
    """The first k whose ``actions[k]`` cannot be played in game ``rows[k]``, or -1."""
    for k in range(len(rows)):
        row, action = rows[k], actions[k]
        if deciders[row] < 0:
            if over == REFUSE:
                return k
        elif action < 0 or action >= legal.shape[1] or legal[row, action] == 0:
            return k
    return -1


class BatchArrays(NamedTuple):
    """What the kernels of many games read and write, one row a game; nothing else of a batch does.

    Attributes:
        players: number of seats.
        options: int64 codes of the game's options.
        blank: structured array of one record of zeros.
        reward: index in ``REWARDS``.
        want: uint8 (n, players), the seats whose observations are wanted.
        seeds: int64 (n,), the seed of each game.
        decisions_made: int64 (n,), decisions since each game began.
        deciders: int8 (n,), the deciding seat, -1 where the game is over.
        legal: int8 (n, actions), what the decider may do; all zeros where the game is over.
        observations: float32 (n, size), what the decider sees; written only where ``want[row, decider]`` is set.
        rewards: float32 (n, players), what the last step brought to each seat.
        terminated: bool (n,), the last step ended the game by its rules.
        truncated: bool (n,), the last step ended the game by a limit on its length.
        scores: float64 (n, players), result of the last game that ended in the row.
        ranks: int64 (n, players), its places from 1, ties shared.
        final_seeds: int64 (n,), its seed.
        final_decisions: int64 (n,), how many decisions it had.
    """

    players: int
    options: np.ndarray
    blank: np.ndarray
    reward: int
    want: np.ndarray
    seeds: np.ndarray
    decisions_made: np.ndarray
    deciders: np.ndarray
    legal: np.ndarray
    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray
    final_seeds: np.ndarray
    final_decisions: np.ndarray


class Kernels(NamedTuple):
    """Compiled loops that every game has, written once.

    ``tables`` and ``states`` are structured arrays, ``legal`` is int8 scratch of ``num_actions`` entries that holds
    the legal actions of the position after the call. ``step``, ``look``... never allocate.

    Attributes:
        begin: (tables, states, index, players, options, seed, legal) -> decider. A fresh game.
        legal: (tables, states, index, legal) -> decider; fills ``legal`` (all zeros at the end).
        step: (tables, states, index, action, legal, observation, mask) -> decider, or OVER, or ILLEGAL.
            Plays ``action`` if ``legal`` (as the last call left it) allows it, then every forced decision; writes the
            next decider's observation, and its mask into both ``legal`` and ``mask``. At the end the mask is all
            zeros and the observation is untouched. An illegal action changes nothing.
        play: (tables, states, index, action, legal) -> decider. As ``step``, unchecked and without observation.
        look: (tables, states, index, seat, observation) -> None. ``observe``.
        redraw: (tables, states, index, seat, seed) -> None. ``resample_hidden``.
        result: (tables, states, index, scores float64[:], ranks int64[:]) -> whether the game was truncated.
        value: (tables, states, index, seat) -> float.
        check: (tables, states, index) -> int.
        begin_many: (tables, states, rows int64[:], new_seeds int64[:], batch) -> None. A fresh game in each of ``rows``
            of ``batch`` (see :class:`BatchArrays`).
        show_many: (tables, states, rows, batch) -> None. Everything in ``batch`` that follows from the records alone.
        step_many: (tables, states, rows, actions int64[:], over, batch) -> -1, or the first k whose ``actions[k]`` is
            not legal in game ``rows[k]``; then nothing has changed. One ``play`` for each of ``rows``, with all that
            follows: the new decider, its legal actions, its observation where it is wanted, and at the end of a game
            its result, and a new game where ``over`` says so (REFUSE, LEAVE or RENEW).
        look_many: (tables, states, rows, seats int64[:], out float32[:, :]) -> None. ``out[k]`` becomes what
            ``seats[k]`` sees in game ``rows[k]``.
        redraw_many: (tables, states, rows int64[:], seats, seeds int64[:], out) -> None. ``out[k]`` becomes the game
            ``rows[k]`` redrawn for ``seats[k]`` with ``seeds[k]``.
        random_game: (tables, states, index, seed, legal, checked) -> decisions made, or minus the number of the
            broken invariant. Plays uniformly random legal actions to the end, with ``check`` after each if ``checked``.
    """

    begin: Callable
    legal: Callable
    step: Callable
    play: Callable
    look: Callable
    redraw: Callable
    result: Callable
    value: Callable
    check: Callable
    begin_many: Callable
    show_many: Callable
    step_many: Callable
    look_many: Callable
    redraw_many: Callable
    random_game: Callable


NO_LEGAL_ACTION = 98
TOO_LONG = 99


def _kernels(game: Game) -> Kernels:
    setup, legal_actions, apply_decision = game.setup, game.legal_actions, game.apply_decision
    decider_of, observe, resample_hidden = game.decider, game.observe, game.resample_hidden
    scores_of, ranks_of, value_of, check_of = game.scores, game.ranks, game.value, game.check
    truncated_of = game.truncated

    @compiled
    def settle(tables, state, legal):
        """Play forced decisions until a real one, or the end."""
        while True:
            seat = decider_of(tables, state)
            if seat < 0:
                legal[:] = 0
                return seat
            if legal_actions(tables, state, legal) != 1:
                return seat
            for action in range(len(legal)):
                if legal[action]:
                    apply_decision(tables, state, action)
                    break

    @compiled
    def begin(tables, states, index, players, options, seed, legal):
        setup(tables[0], states[index], players, options, seed)
        return settle(tables[0], states[index], legal)

    @compiled
    def legal_of(tables, states, index, legal):
        seat = decider_of(tables[0], states[index])
        if seat < 0:
            legal[:] = 0
        else:
            legal_actions(tables[0], states[index], legal)
        return seat

    @compiled
    def play(tables, states, index, action, legal):
        apply_decision(tables[0], states[index], action)
        return settle(tables[0], states[index], legal)

    @compiled
    def step(tables, states, index, action, legal, observation, mask):
        if action < 0 or action >= len(legal) or legal[action] == 0:
            return ILLEGAL
        seat = play(tables, states, index, action, legal)
        mask[:] = legal
        if seat >= 0:
            observe(tables[0], states[index], seat, observation)
        return seat

    @compiled
    def look(tables, states, index, seat, observation):
        observe(tables[0], states[index], seat, observation)

    @compiled
    def redraw(tables, states, index, seat, seed):
        resample_hidden(tables[0], states[index], seat, seed)

    @compiled
    def result(tables, states, index, scores, ranks):
        scores_of(tables[0], states[index], scores)
        ranks_of(tables[0], states[index], ranks)
        return truncated_of(tables[0], states[index])

    @compiled
    def value(tables, states, index, seat):
        return value_of(tables[0], states[index], seat)

    @compiled
    def check(tables, states, index):
        return check_of(tables[0], states[index])

    @compiled
    def show_position(tables, states, row, seat, batch):
        batch.deciders[row] = seat
        if seat >= 0 and batch.want[row, seat]:
            observe(tables[0], states[row], seat, batch.observations[row])

    @compiled
    def show_result(tables, states, row, batch):
        scores_of(tables[0], states[row], batch.scores[row])
        ranks_of(tables[0], states[row], batch.ranks[row])
        truncated = truncated_of(tables[0], states[row])
        batch.truncated[row] = truncated
        batch.terminated[row] = not truncated
        batch.final_seeds[row] = batch.seeds[row]
        batch.final_decisions[row] = batch.decisions_made[row]

    @compiled
    def forget_result(row, batch):
        batch.rewards[row, :] = 0
        batch.terminated[row] = False
        batch.truncated[row] = False

    @compiled
    def begin_row(tables, states, row, seed, batch):
        states[row] = batch.blank[0]
        batch.seeds[row] = seed
        batch.decisions_made[row] = 0
        seat = begin(tables, states, row, batch.players, batch.options, seed, batch.legal[row])
        show_position(tables, states, row, seat, batch)

    @compiled
    def begin_many(tables, states, rows, new_seeds, batch):
        for k in range(len(rows)):
            forget_result(rows[k], batch)
            begin_row(tables, states, rows[k], new_seeds[k], batch)

    @compiled
    def show_many(tables, states, rows, batch):
        for k in range(len(rows)):
            row = rows[k]
            forget_result(row, batch)
            seat = legal_of(tables, states, row, batch.legal[row])
            show_position(tables, states, row, seat, batch)
            if seat < 0:
                show_result(tables, states, row, batch)

    @compiled
    def step_many(tables, states, rows, actions, over, batch):
        bad = first_illegal(rows, actions, over, batch.deciders, batch.legal)
        if bad >= 0:
            return bad
        for k in range(len(rows)):
            row = rows[k]
            if k + 1 < len(rows):
                prefetch(states, rows[k + 1])
            if batch.deciders[row] < 0 and over == LEAVE:
                batch.rewards[row, :] = 0
                continue
            forget_result(row, batch)
            if batch.deciders[row] >= 0:
                seat = play(tables, states, row, actions[k], batch.legal[row])
                batch.decisions_made[row] += 1
                show_position(tables, states, row, seat, batch)
            # A game that was over as it began ends here too.
            if batch.deciders[row] < 0:
                show_result(tables, states, row, batch)
                seat_rewards(batch.reward, batch.scores[row], batch.ranks[row], batch.rewards[row])
                if over == RENEW:
                    begin_row(tables, states, row, next_seed(batch.seeds[row]), batch)
        return -1

    @compiled
    def look_many(tables, states, rows, seats, out):
        for k in range(len(rows)):
            observe(tables[0], states[rows[k]], seats[k], out[k])

    @compiled
    def redraw_many(tables, states, rows, seats, seeds, out):
        for k in range(len(rows)):
            out[k] = states[rows[k]]
            resample_hidden(tables[0], out[k], seats[k], seeds[k])

    @compiled
    def random_game(tables, states, index, seed, legal, checked):
        rng = np.empty(4, np.uint32)
        random_seed(rng, mix_seed(seed, 1))
        decisions = 0
        seat = legal_of(tables, states, index, legal)
        while seat >= 0:
            any_legal = False
            for action in range(len(legal)):
                any_legal = any_legal or legal[action] != 0
            if not any_legal:
                return -NO_LEGAL_ACTION
            seat = play(tables, states, index, random_legal(rng, legal), legal)
            decisions += 1
            if checked:
                broken = check_of(tables[0], states[index])
                if broken:
                    return -broken
            if decisions > 100_000:
                return -TOO_LONG
        return decisions

    return Kernels(
        begin=begin,
        legal=legal_of,
        step=step,
        play=play,
        look=look,
        redraw=redraw,
        result=result,
        value=value,
        check=check,
        begin_many=begin_many,
        show_many=show_many,
        step_many=step_many,
        look_many=look_many,
        redraw_many=redraw_many,
        random_game=random_game,
    )
