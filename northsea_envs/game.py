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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from northsea_envs.jit import MAX_SEED, compiled, mix_seed, random_legal, random_seed

OVER = -1
ILLEGAL = -2


class Field(NamedTuple):
    """A named slice of the flat observation: its size, bounds of each of its floats, and what it means."""

    name: str
    size: int
    low: float
    high: float
    meaning: str


class ActionBlock(NamedTuple):
    """Consecutive action ids of one meaning: first id, how many, name, and meaning."""

    first: int
    size: int
    name: str
    meaning: str


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
        """16 hex digits over every component value that the rules read, the variant's among them, and its layout."""
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
            fields = self.observation_fields(players)
            low = np.concatenate([np.full(f.size, f.low, np.float32) for f in fields])
            high = np.concatenate([np.full(f.size, f.high, np.float32) for f in fields])
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
        record = states[index].tobytes()
        header = {
            "format": _STATE_FORMAT,
            "game": self.id,
            **({"variant": dict(self.variant)} if self.variant else {}),
            "tables": self.fingerprint,
            "bytes": len(record),
            "sha256": hashlib.sha256(record).hexdigest(),
        }
        return json.dumps(header).encode() + b"\n" + record

    def restore(self, data: bytes) -> np.ndarray:
        """The game that :meth:`save` wrote, as a new structured array of one element.

        Raises:
            SaveError: damaged bytes, or a game of another kind, version, variant or set of component tables.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise SaveError(f"a saved game is bytes, not {type(data).__name__}")
        line, newline, record = bytes(data).partition(b"\n")
        try:
            header = json.loads(line) if newline else None
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict) or header.get("format") != _STATE_FORMAT:
            raise SaveError(f"not a saved game: it does not begin with a {_STATE_FORMAT} header")
        if header.get("game") != self.id:
            raise SaveError(f"a saved game of {header.get('game')!r}, not of {self.id!r}")
        if header.get("variant", {}) != self.variant:
            raise SaveError(f"a saved game of the variant {header.get('variant', {})!r}, not of {self.described}")
        if header.get("tables") != self.fingerprint:
            raise SaveError(
                f"saved under other component tables: fingerprint {header.get('tables')!r}, here {self.fingerprint!r}"
            )
        size = self.state_dtype.itemsize
        if len(record) != size:
            raise SaveError(f"damaged: {len(record)} bytes of state where {size} are needed")
        if hashlib.sha256(record).hexdigest() != header.get("sha256"):
            raise SaveError("damaged: the state does not match its checksum")
        states = np.frombuffer(record, self.state_dtype).copy()
        broken = self.kernels.check(self.tables, states, 0)
        if broken:
            raise SaveError(f"not a position of {self.title}: invariant {broken} does not hold")
        self._check_playable(states)
        return states

    def _check_playable(self, states: np.ndarray) -> None:
        """Raise SaveError where the faces could not show the position, whatever the game's own invariants say."""
        players = int(states[0].players)
        legal = np.zeros(self.num_actions(players), np.int8)
        if self.kernels.legal(self.tables, states, 0, legal) >= 0 and np.count_nonzero(legal) < 2:
            raise SaveError(f"not a position of {self.title}: the game is not over, and there is nothing to decide")
        low, high = self.observation_bounds(players)
        observation = np.empty(len(low), np.float32)
        for seat in range(players):
            self.kernels.look(self.tables, states, 0, seat, observation)
            # Rounding aside: this looks for nonsense.
            if not np.all((low - 0.01 <= observation) & (observation <= high + 0.01)):
                raise SaveError(f"not a position of {self.title}: what seat {seat} sees is out of bounds")


_STATE_FORMAT = "northsea-state-1"


class SaveError(ValueError):
    """A saved game is damaged or of another kind."""


def _fingerprint(tables: np.ndarray) -> str:
    layout = repr(tables.dtype.descr).encode()
    return hashlib.sha256(layout + tables.tobytes()).hexdigest()[:16]


def _restore_game(name: str, tables: np.ndarray, variant: dict[str, Any]) -> Game:
    game: Game = importlib.import_module("northsea_envs").get_game(name)
    printed = game.tables if game.unbound_tables is None else game.unbound_tables
    if _fingerprint(printed) != _fingerprint(tables):
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
        begin_many: (tables, states, rows int64[:], players, options, seeds int64[:], deciders, legal, observations,
            want) -> None. ``begin`` for the games in ``rows``, with outputs as in ``step_many``.
        step_many: (tables, states, rows int64[:], actions int64[:], deciders int8[:], legal int8[:, :],
            observations float32[:, :], want uint8[:, :]) -> -1, or the first k whose ``actions[k]`` is not legal in
            game ``rows[k]``; then nothing has changed. One ``play`` for each of ``rows``; writes at the game's row
            the new decider, its legal actions, and its observation where ``want[row, decider]`` is set.
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
    step_many: Callable
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
    def begin_many(tables, states, rows, players, options, seeds, deciders, legal, observations, want):
        blank = np.zeros_like(states[:1])
        for k in range(len(rows)):
            row = rows[k]
            states[row] = blank[0]
            seat = begin(tables, states, row, players, options, seeds[k], legal[row])
            deciders[row] = seat
            if seat >= 0 and want[row, seat]:
                observe(tables[0], states[row], seat, observations[row])

    @compiled
    def step_many(tables, states, rows, actions, deciders, legal, observations, want):
        for k in range(len(rows)):
            row, action = rows[k], actions[k]
            if deciders[row] < 0 or action < 0 or action >= legal.shape[1] or legal[row, action] == 0:
                return k
        for k in range(len(rows)):
            row = rows[k]
            seat = play(tables, states, row, actions[k], legal[row])
            deciders[row] = seat
            if seat >= 0 and want[row, seat]:
                observe(tables[0], states[row], seat, observations[row])
        return -1

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
        step_many=step_many,
        redraw_many=redraw_many,
        random_game=random_game,
    )


def rank_rewards(ranks: np.ndarray) -> np.ndarray:
    """Zero-sum reward of every seat by place: first +1, last -1, evenly between; tied seats share equally."""
    seats = len(ranks)
    # Divided last, so that opposite places get exactly opposite rewards.
    by_place = seats - 1.0 - 2.0 * np.arange(seats)
    return np.array([by_place[r - 1 : r - 1 + int(np.sum(ranks == r))].mean() / (seats - 1) for r in ranks])


def win_rewards(ranks: np.ndarray) -> np.ndarray:
    """Zero-sum reward of every seat by victory: a sole winner +1, each loser -1 / (seats - 1); winners share."""
    seats = len(ranks)
    share = (ranks == 1) / np.sum(ranks == 1)
    return (share * seats - 1.0) / (seats - 1)


def score_rewards(scores: np.ndarray) -> np.ndarray:
    """Zero-sum reward of every seat in points: own score less the mean of the other seats' scores."""
    return scores - (scores.sum() - scores) / (len(scores) - 1)
