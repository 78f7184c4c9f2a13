"""Search guided by a trained policy: the same tree, with a network's chances and values in place of ``game.value``.

Leaves are gathered and judged in batches: several of one tree, and those of many decisions together. A simulation that
waits for its leaf counts as visited and lost, so that the next one of its tree goes elsewhere.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from agents.look_ahead import columns_of, width
from agents.policy import PolicyAgent
from agents.tree import (
    BIAS,
    MAX_DEPTH,
    MAX_NODES,
    UNIFORM,
    Settings,
    add_child,
    add_node,
    choose_child,
    credit,
    judge_end,
    most_visited,
    new_room,
    promise,
    root_counts,
    rules_of,
)
from northsea_envs.agent import Decisions
from northsea_envs.game import Game
from northsea_envs.jit import compiled, mix_seed

# Rows of observations that are judged together, roughly: more is no quicker.
ROWS = 256
# Nodes for all trees of a group; memory is touched as they are used.
MAX_GROUP_NODES = 1 << 22
# Tuned by play (docs/search.md).
EXPLORATION = 2.5


class Leaves(NamedTuple):
    """Simulations that wait for their leaf to be judged, one a row.

    Attributes:
        tree: int64, the number of its decision in the group.
        seat: int64, who decides at the leaf, -1 where the game is over.
        node: int64, the leaf.
        length: int64, of the path.
        path: int32 (n, MAX_DEPTH), nodes from below the root to the leaf.
        masks: int8 (n, actions), what is legal there.
        inputs: float32 (n, seats, size), what the network reads: of the seat that decides, and with more than two
            players of the next seats, in turn.
        outcomes: float64 (n, players), every seat's result.
    """

    tree: np.ndarray
    seat: np.ndarray
    node: np.ndarray
    length: np.ndarray
    path: np.ndarray
    masks: np.ndarray
    inputs: np.ndarray
    outcomes: np.ndarray


@compiled
def all_known(tree, node, seat, legal):
    """Whether ``node`` has a child for each legal action of ``seat``."""
    missing = 0
    for action in range(len(legal)):
        missing += legal[action] != 0
    child = tree.first[node]
    while child >= 0:
        missing -= tree.actor[child] == seat and legal[tree.action[child]] != 0
        child = tree.next[child]
    return missing == 0


@compiled
def read(rules, tables, room, seat, decides, size, inputs):
    """Fill ``inputs`` with what a network reads in ``games[0]`` for ``seat``; ``size`` is that of its observation.

    What is longer holds the columns of a look ahead, which are known of the seat that ``decides``; of others only the
    last, which is the value as it stands.
    """
    rules.look(tables, room.games, 0, seat, inputs[:size])
    if len(inputs) > size:
        values = np.full(len(room.legal), -1.0)
        for action in range(len(room.legal)):
            if decides and room.legal[action]:
                values[action] = promise(rules, tables, room, seat, action)
        columns_of(values, inputs[size:])
        if not decides:
            inputs[len(inputs) - 1] = rules.value(tables, room.games, 0, seat)


@compiled
def walk(rules, tables, roots, row, seat, seed, root, room, settings, size, leaves, at):
    """One simulation from ``roots[row]`` down the tree at node ``root``, to the leaf that row ``at`` describes."""
    tree = room.tree
    room.games[0] = roots[row]
    rules.redraw(tables, room.games, 0, seat, seed)
    decider = rules.legal(tables, room.games, 0, room.legal)
    node, length = root, 0
    tree.visits[root] += 1
    while decider >= 0 and length < len(room.path) and all_known(tree, node, decider, room.legal):
        node = choose_child(tree, node, decider, room.legal, settings)
        tree.visits[node] += 1
        leaves.path[at, length] = node
        length += 1
        decider = rules.play(tables, room.games, 0, tree.action[node], room.legal)
    leaves.tree[at] = row
    leaves.seat[at] = decider
    leaves.node[at] = node
    leaves.length[at] = length
    if decider < 0:
        judge_end(rules, tables, room)
        leaves.outcomes[at] = room.outcome
        return
    leaves.masks[at] = room.legal
    players = len(room.outcome)
    for k in range(leaves.inputs.shape[1]):
        read(rules, tables, room, (decider + k) % players, k == 0, size, leaves.inputs[at, k])


@compiled
def walk_many(rules, tables, roots, seats, seeds, number, each, room, settings, size, leaves):
    """``each`` simulations for each decision of a group, beginning with number ``number`` of each tree.

    Tree k is rooted at node k. Simulation i plays in the game redrawn for its seat with ``mix_seed(seed, 2 * i)``.
    """
    if number == 0:
        room.tree.size[0] = 0
        for _ in range(len(seats)):
            add_node(room.tree, -1, -1, 0.0, 0.0)
    for k in range(len(seats)):
        for i in range(each):
            seed = mix_seed(seeds[k], 2 * (number + i))
            walk(rules, tables, roots, k, seats[k], seed, k, room, settings, size, leaves, k * each + i)


@compiled
def judge(values, leaves, at):
    """Outcomes from the network's ``values`` (seats,) in -1 .. 1; places are shared out, so they sum to half the seats.

    The network has learnt to judge its own decisions: the deciding seat's word counts, the others share what is left.
    """
    outcome = leaves.outcomes[at]
    players = len(outcome)
    left = 0.5 * players
    for k in range(players):
        seat = (leaves.seat[at] + k) % players
        outcome[seat] = min(max(0.5 + 0.5 * values[k], 0.0), 1.0) if k < len(values) else 0.5
        left -= outcome[seat]
    for k in range(1, players):
        seat = (leaves.seat[at] + k) % players
        outcome[seat] = min(max(outcome[seat] + left / (players - 1), 0.0), 1.0)


@compiled
def absorb(tree, leaves, count, waiting, logits, values):
    """Grow the leaves by what the network said, and count every result; row ``waiting[at]`` of it is leaf ``at``'s."""
    for at in range(count):
        seat = leaves.seat[at]
        if seat >= 0:
            row = waiting[at]
            judge(values[row], leaves, at)
            grow(tree, leaves.node[at], seat, leaves.masks[at], logits[row], leaves.outcomes[at, seat])
        credit(tree, leaves.path[at], leaves.length[at], leaves.outcomes[at])


@compiled
def grow(tree, node, seat, legal, logits, hope):
    """Give ``node`` a child for each action of ``legal`` that has none, with its chance among them."""
    top = -np.inf
    for action in range(len(legal)):
        if legal[action]:
            top = max(top, np.float64(logits[action]))
    total = 0.0
    for action in range(len(legal)):
        if legal[action]:
            total += np.exp(logits[action] - top)
    child = tree.first[node]
    while child >= 0:
        if tree.actor[child] == seat:
            legal[tree.action[child]] = 0
        child = tree.next[child]
    if tree.size[0] + len(legal) > len(tree.first):
        return
    for action in range(len(legal)):
        if legal[action]:
            add_child(tree, node, action, seat, hope, np.exp(logits[action] - top) / total)


@compiled
def root_weights(tree, root, weights):
    """Write the weights of the actions at node ``root`` into ``weights``, float64 (actions,)."""
    child = tree.first[root]
    while child >= 0:
        weights[tree.action[child]] = tree.weight[child]
        child = tree.next[child]


class GuidedSearchAgent:
    """Takes the action that most simulations tried, in a tree guided by a policy's network (PUCT).

    The first simulation judges the position itself; where no other follows, the action is the policy's most likely.

    Args:
        game: the game.
        players: at how many seats.
        policy: whose network judges; trained with rewards by rank or win.
        simulations: how many a decision; None with ``seconds``.
        seconds: processor time a decision, of all threads, in place of a number of simulations.
        exploration: weight of the policy's chances against results so far.
        uniform: part of the exploration, 0 .. 1, that goes to all actions alike.
        bias: for how many simulations the value before an action counts in its result.
        leaves: simulations of one tree that are judged together.
    """

    needs_observation = False

    def __init__(
        self,
        game: Game,
        players: int,
        policy: PolicyAgent,
        simulations: int | None = 100,
        seconds: float | None = None,
        exploration: float = EXPLORATION,
        uniform: float = UNIFORM,
        bias: float = BIAS,
        leaves: int = 8,
    ):
        self.game = game
        self.policy = policy
        self._observation_size = game.observation_size(players)
        self.simulations, self.seconds, self.leaves = simulations, seconds, leaves
        self.reproducible = seconds is None
        self._settings = Settings(float(exploration), float(uniform), float(bias), 1.0, 0, 0)
        self._rules = rules_of(game)
        self._tables = game.tables if policy.look_ahead is None else policy.look_ahead.tables
        # With two players one seat's value says the other's.
        looked_at = 1 if players == 2 else players
        actions = game.num_actions(players)
        self._group = max(1, ROWS // (leaves * looked_at))
        nodes = MAX_NODES
        if simulations is not None:
            # No tree takes another's room, so that a choice does not depend on who is in the group.
            nodes = min(MAX_NODES, 1 + simulations * actions)
            self._group = max(1, min(self._group, MAX_GROUP_NODES // nodes))
        rows = self._group * leaves
        looks = width(actions) if policy.network.look_ahead else 0
        self._room = new_room(game, players, min(MAX_GROUP_NODES, self._group * nodes))
        self._leaves = Leaves(
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
            np.zeros((rows, MAX_DEPTH), np.int32),
            np.zeros((rows, actions), np.int8),
            np.zeros((rows, looked_at, game.observation_size(players) + looks), np.float32),
            np.zeros((rows, players)),
        )
        if seconds is not None:
            # Compiled before the clock runs.
            self._round(game.new_states(players, [0]), np.zeros(1, np.int64), np.zeros(1, np.int64), 0, 1)

    def act(self, decisions: Decisions) -> np.ndarray:
        """The actions tried most, int64 (n,)."""
        count, actions = decisions.masks.shape
        visits, totals = np.zeros((2, count, actions))
        roots = decisions.draw(decisions.seeds)
        for first in range(0, count, self._group):
            part = slice(first, first + self._group)
            self._search(roots[part], decisions.seats[part], decisions.seeds[part])
            for tree in range(len(visits[part])):
                root_counts(self._room.tree, tree, visits[first + tree], totals[first + tree])
                if not visits[first + tree].any():
                    root_weights(self._room.tree, tree, totals[first + tree])
        return most_visited(decisions.masks, visits, totals)

    def _search(self, roots: np.ndarray, seats: np.ndarray, seeds: np.ndarray) -> None:
        """One tree for each of a group of decisions, the roots being the first nodes."""
        began, done = time.process_time(), 0
        while self._goes_on(done, time.process_time() - began, len(roots)):
            # The first meets the bare root, and so would all that are with it.
            each = 1 if done == 0 else self.leaves
            if self.simulations is not None:
                each = min(each, self.simulations - done)
            self._round(roots, seats, seeds, done, each)
            done += each

    def _goes_on(self, done: int, used: float, trees: int) -> bool:
        if self.seconds is None:
            return done < (self.simulations or 0)
        return done == 0 or used < self.seconds * trees

    def _round(self, roots: np.ndarray, seats: np.ndarray, seeds: np.ndarray, done: int, each: int) -> None:
        leaves, count, size = self._leaves, len(roots) * each, self._observation_size
        walk_many(self._rules, self._tables, roots, seats, seeds, done, each, self._room, self._settings, size, leaves)
        open_ = np.flatnonzero(leaves.seat[:count] >= 0)
        waiting = np.zeros(count, np.int64)
        waiting[open_] = np.arange(len(open_))
        seen = leaves.inputs[open_]
        seats_seen, size = seen.shape[1:]
        logits, values = self.policy.judge(seen.reshape(-1, size))
        # Of the seats seen at a leaf the first decides.
        logits = np.ascontiguousarray(logits[::seats_seen])
        absorb(self._room.tree, leaves, count, waiting, logits, values.reshape(-1, seats_seen))
