"""The tree of a search and its compiled loop, written once for all games. ``search.py`` says what the search does.

Nodes are rows of flat arrays. Node 0 is the root; any other node stands for an action of its ``actor`` after the
actions on the way to it, whatever cards and chance came between. Who decides after them, and what is legal, may differ
from one drawn game to the next, so that a node's children are those that *some* game had.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from northsea_envs.game import REWARDS, Game, seat_rewards
from northsea_envs.jit import compiled, mix_seed, pointer, random_below, random_legal, random_seed

# What plays on from a leaf before it is judged; kernels know them by their index.
LEAVES = ("value", "random", "greedy")
_VALUE, _RANDOM, _GREEDY = range(3)
_RANK = REWARDS.index("rank")

# Tuned by play (docs/search.md).
EXPLORATION = 1.0
GROWTH = 200
LEAST_SPREAD = 0.02
UNIFORM = 0.25
BIAS = 1.0
TEMPERATURE = 0.03

MAX_NODES = 1 << 20
# A path this deep ends in a leaf.
MAX_DEPTH = 1024


class Tree(NamedTuple):
    """A search tree, one row a node; only the first ``size[0]`` rows mean something.

    Attributes:
        size: int64 (1,), nodes in use.
        first: int32, the first child, -1 where there is none.
        next: int32, the next child of the same parent, -1 at the last.
        action: int32, the action that leads here.
        actor: int8, the seat that takes it.
        visits: int32, simulations that came through.
        available: int32, simulations that came through the parent while the action was legal for its actor.
        total: float64, the actor's results over all visits.
        squares: float64, the sum of their squares.
        hope: float64, the actor's result that is expected before the action is tried.
        weight: float64, how much it is worth trying before it is tried, in proportion to its siblings.
    """

    size: np.ndarray
    first: np.ndarray
    next: np.ndarray
    action: np.ndarray
    actor: np.ndarray
    visits: np.ndarray
    available: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    hope: np.ndarray
    weight: np.ndarray


def new_tree(nodes: int) -> Tree:
    """Room for so many nodes; memory is touched as they are used."""
    return Tree(
        np.zeros(1, np.int64),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int8),
        np.empty(nodes, np.int32),
        np.empty(nodes, np.int32),
        np.empty(nodes),
        np.empty(nodes),
        np.empty(nodes),
        np.empty(nodes),
    )


@compiled
def add_node(tree, action, actor, hope, weight):
    """Append a node without parent; its number, or -1 where there is no room."""
    node = tree.size[0]
    if node == len(tree.first):
        return -1
    tree.size[0] = node + 1
    tree.first[node] = -1
    tree.next[node] = -1
    tree.action[node] = action
    tree.actor[node] = actor
    tree.visits[node] = 0
    tree.available[node] = 0
    tree.total[node] = 0.0
    tree.squares[node] = 0.0
    tree.hope[node] = hope
    tree.weight[node] = weight
    return node


@compiled
def add_child(tree, parent, action, actor, hope, weight):
    """Append a child in front of ``parent``'s others; its number, or -1 where there is no room."""
    node = add_node(tree, action, actor, hope, weight)
    if node >= 0:
        tree.next[node] = tree.first[parent]
        tree.first[parent] = node
    return node


class Settings(NamedTuple):
    """How a tree is grown.

    Attributes:
        exploration: what weights count for against results so far, in standard deviations of these.
        uniform: part of the exploration that goes to all actions alike, whatever their weights.
        bias: for how many simulations a node's hope counts in its result.
        temperature: difference of values that makes one action e times as worth trying as another.
        leaf: index in LEAVES.
        depth: how often a simulation passes to another seat before it is judged, in the tree and after its leaf; -1 for
            all to the end of the game.
    """

    exploration: float
    uniform: float
    bias: float
    temperature: float
    leaf: int
    depth: int


@compiled
def choose_child(tree, node, seat, legal, settings):
    """The child of ``node`` to try next among those of ``seat`` that are legal, -1 if none; counts them available.

    PUCT (Rosin 2011, in the form of AlphaZero), with availability in place of the parent's visits, and exploration in
    proportion to the standard deviation of the results here, each action's counting alike: values of positions lie
    closer together than places do. Exploration grows with the logarithm of the visits, as AlphaZero's does: few
    simulations are not scattered, and many do not settle on what looked best at first.
    """
    weights, siblings, tried, means, squares = 0.0, 0, 0, 0.0, 0.0
    child = tree.first[node]
    while child >= 0:
        if tree.actor[child] == seat and legal[tree.action[child]]:
            weights += tree.weight[child]
            siblings += 1
            if tree.visits[child]:
                tried += 1
                means += tree.total[child] / tree.visits[child]
                squares += tree.squares[child] / tree.visits[child]
        child = tree.next[child]
    spread = LEAST_SPREAD
    if tried:
        spread = max(spread, np.sqrt(max(0.0, squares / tried - (means / tried) ** 2)))
    exploration = settings.exploration * (1 + np.log(1 + tree.visits[node] / GROWTH)) * spread
    best, chosen = -1.0, -1
    child = tree.first[node]
    while child >= 0:
        if tree.actor[child] == seat and legal[tree.action[child]]:
            tree.available[child] += 1
            visits = tree.visits[child]
            score = (tree.total[child] + settings.bias * tree.hope[child]) / (visits + settings.bias)
            share = (1 - settings.uniform) * tree.weight[child] / weights + settings.uniform / siblings
            score += exploration * share * np.sqrt(tree.available[child]) / (1 + visits)
            if score > best:
                best, chosen = score, child
        child = tree.next[child]
    return chosen


@compiled
def credit(tree, path, length, outcome):
    """Add a simulation's results to the nodes it came through, each that of the seat that acts there."""
    for k in range(length):
        node = path[k]
        result = outcome[tree.actor[node]]
        tree.total[node] += result
        tree.squares[node] += result * result


@compiled
def root_counts(tree, root, visits, totals):
    """Add the visits and results of the actions at node ``root`` to ``visits`` and ``totals``, float64 (actions,)."""
    child = tree.first[root]
    while child >= 0:
        visits[tree.action[child]] += tree.visits[child]
        totals[tree.action[child]] += tree.total[child]
        child = tree.next[child]


def most_visited(masks: np.ndarray, visits: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """The legal action tried most, of equals the one with the best results, int64 (n,); all are (n, actions)."""
    counts = np.where(masks != 0, visits, -1)
    results = np.where(counts == counts.max(axis=1, keepdims=True), totals, -1)
    return results.argmax(axis=1) if len(masks) else np.empty(0, np.int64)


class Rules(NamedTuple):
    """Kernels of a game (see ``game.Kernels``) to be called by address, so that the loops here compile in seconds."""

    play: Any
    legal: Any
    redraw: Any
    value: Any
    result: Any
    look: Any


@cache
def rules_of(game: Game) -> Rules:
    """The kernels of ``game`` as the functions below take them."""
    kernels, tables, states = game.kernels, game.tables, np.zeros(1, game.state_dtype)
    legal = np.zeros(1, np.int8)
    return Rules(
        pointer(kernels.play, tables, states, 0, 0, legal),
        pointer(kernels.legal, tables, states, 0, legal),
        pointer(kernels.redraw, tables, states, 0, 0, 0),
        pointer(kernels.value, tables, states, 0, 0),
        pointer(kernels.result, tables, states, 0, np.zeros(1), np.zeros(1, np.int64)),
        pointer(kernels.look, tables, states, 0, 0, np.zeros(1, np.float32)),
    )


class Room(NamedTuple):
    """What one thread needs to grow a tree; contents mean nothing between calls.

    Attributes:
        tree: the tree.
        games: structured array (2,), the game that is played and one for trying actions.
        legal: int8 (actions,), what is legal in the game.
        scratch: int8 (actions,).
        path: int32, nodes from below the root to the leaf.
        outcome: float64 (players,), every seat's result of a simulation.
        rewards: float32 (players,).
        scores: float64 (players,).
        ranks: int64 (players,).
        rng: uint32 (4,).
    """

    tree: Tree
    games: np.ndarray
    legal: np.ndarray
    scratch: np.ndarray
    path: np.ndarray
    outcome: np.ndarray
    rewards: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray
    rng: np.ndarray


def new_room(game: Game, players: int, nodes: int) -> Room:
    """Room for searches in ``game`` with trees of up to ``nodes`` nodes."""
    actions = game.num_actions(players)
    return Room(
        new_tree(nodes),
        np.zeros(2, game.state_dtype),
        np.zeros(actions, np.int8),
        np.zeros(actions, np.int8),
        np.zeros(MAX_DEPTH, np.int32),
        np.zeros(players),
        np.zeros(players, np.float32),
        np.zeros(players),
        np.zeros(players, np.int64),
        np.zeros(4, np.uint32),
    )


@compiled
def promise(rules, tables, room, seat, action):
    """The value for ``seat`` after ``action`` in ``games[0]``."""
    room.games[1] = room.games[0]
    rules.play(tables, room.games, 1, action, room.scratch)
    return rules.value(tables, room.games, 1, seat)


@compiled
def grow(rules, tables, room, node, seat, settings):
    """Give ``node`` a child for each legal action of ``seat`` that has none, while there is room."""
    tree, legal = room.tree, room.legal
    child = tree.first[node]
    while child >= 0:
        if tree.actor[child] == seat and legal[tree.action[child]]:
            legal[tree.action[child]] = 2
        child = tree.next[child]
    if tree.size[0] + len(legal) > len(tree.first):
        return
    for action in range(len(legal)):
        if legal[action] == 1:
            hope = promise(rules, tables, room, seat, action)
            add_child(tree, node, action, seat, hope, np.exp((hope - 0.5) / settings.temperature))


@compiled
def descend(rules, tables, room, seat, settings):
    """Play in ``games[0]`` down the tree to a leaf.

    Returns the path's length, the seat that decides at the leaf, and how often play passed to another seat.
    """
    tree, node, length, passed, known = room.tree, 0, 0, 0, True
    tree.visits[0] += 1
    while seat >= 0 and known and length < len(room.path):
        grow(rules, tables, room, node, seat, settings)
        child = choose_child(tree, node, seat, room.legal, settings)
        if child < 0:
            break
        node, known = child, tree.visits[child] > 0
        tree.visits[node] += 1
        room.path[length] = node
        length += 1
        decider = seat
        seat = rules.play(tables, room.games, 0, tree.action[node], room.legal)
        passed += seat != decider
    return length, seat, passed


@compiled
def most_promising(rules, tables, room, seat):
    """The legal action of the highest value for ``seat``, one of equals by lot."""
    best, tied, chosen = -1.0, 0, -1
    for action in range(len(room.legal)):
        if room.legal[action]:
            looks = promise(rules, tables, room, seat, action)
            if looks > best:
                best, tied, chosen = looks, 1, action
            elif looks == best:
                tied += 1
                if random_below(room.rng, tied) == 0:
                    chosen = action
    return chosen


@compiled
def judge_end(rules, tables, room):
    """Write into ``room.outcome`` what a game that is over brought each seat: first 1, last 0, evenly between."""
    rules.result(tables, room.games, 0, room.scores, room.ranks)
    seat_rewards(_RANK, room.scores, room.ranks, room.rewards)
    for seat in range(len(room.outcome)):
        room.outcome[seat] = 0.5 + 0.5 * room.rewards[seat]


@compiled
def judge(rules, tables, room, seat, passed, settings):
    """Play on in ``games[0]``, in which ``seat`` decides, as the settings say, and write ``room.outcome``.

    All leaves nearer than ``settings.depth`` are judged where play has ``passed`` to another seat equally often: what a
    value says of a seat changes over its turn.
    """
    left = max(0, settings.depth - passed) if settings.depth >= 0 else -1
    while seat >= 0 and left != 0:
        if settings.leaf == _RANDOM:
            action = random_legal(room.rng, room.legal)
        else:
            action = most_promising(rules, tables, room, seat)
        decider = seat
        seat = rules.play(tables, room.games, 0, action, room.legal)
        left -= seat != decider
    if seat < 0:
        judge_end(rules, tables, room)
    else:
        for k in range(len(room.outcome)):
            room.outcome[k] = rules.value(tables, room.games, 0, k)


@compiled
def simulate(rules, tables, roots, row, seat, seed, first, last, room, settings):
    """Play simulations ``first`` to ``last - 1`` of a search from game ``roots[row]``, in which ``seat`` decides.

    Simulation i plays in the game redrawn for ``seat`` with ``mix_seed(seed, 2 * i)``. The first begins a new tree.
    """
    if first == 0:
        room.tree.size[0] = 0
        add_node(room.tree, -1, -1, 0.0, 0.0)
    for number in range(first, last):
        room.games[0] = roots[row]
        rules.redraw(tables, room.games, 0, seat, mix_seed(seed, 2 * number))
        # Lots of its own, so that playouts do not follow the numbers that the drawn game will use.
        random_seed(room.rng, mix_seed(seed, 2 * number + 1))
        rules.legal(tables, room.games, 0, room.legal)
        length, decider, passed = descend(rules, tables, room, seat, settings)
        judge(rules, tables, room, decider, passed, settings)
        credit(room.tree, room.path, length, room.outcome)
