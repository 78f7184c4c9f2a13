"""Who takes part in ``peers.py`` and how each one plays: generators that wait for actions, and the fields they form."""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from northsea_envs import GAMES, make, make_vec
from northsea_envs.aec import GameEnv

OURS = "northsea-envs"

# What a contestant's play yields whenever it waits for decisions: what was observed, what is legal (a mask, a mask for
# each game of a batch, or a list) and how many decisions that makes. It is sent the action or the actions.
Play = Iterator[tuple[Any, Any, int]]


class Label(NamedTuple):
    """Who a contestant is; ``batch`` is 1 for those that play one game at a time."""

    field: str
    game: str
    form: str
    threads: int = 1
    batch: int = 1

    def __str__(self) -> str:
        batch = f", batch {self.batch:,}" if self.batch > 1 else ""
        return f"{self.field} {self.game}, {self.form}, {threads_text(self.threads)}{batch}"


def threads_text(threads: int) -> str:
    """``threads`` for people."""
    return "1 thread" if threads == 1 else f"{threads} threads"


@dataclass
class Contestant:
    """A contestant, how it plays, and the batches to choose the best of."""

    label: Label
    play: Callable[[int], Play]
    batches: tuple[int, ...] = (1,)


def play_aec(make_env: Callable[[], Any], batch: int) -> Play:
    """A PettingZoo environment, ours or theirs."""
    env = make_env()
    env.reset(seed=1)
    while True:
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset()
            continue
        action = yield observation["observation"], observation["action_mask"], 1
        env.step(action)


def play_batch(game: str, players: int, threads: int, batch: int) -> Play:
    """Our batched environment; games that end are followed by others in the same step."""
    env = make_vec(f"{game}_v0", batch, players, num_threads=threads, seed=1)
    shown = env.reset()
    try:
        while True:
            actions = yield shown.observations, shown.masks, batch
            shown = env.step(actions)
    finally:
        env.close()


def play_open_spiel(game: Any, form: str, batch: int) -> Play:
    """Observation and mask in numpy (``observer`` or ``numpy``), or as the lists that the states give (``lists``)."""
    from open_spiel.python.observation import make_observation

    observer = make_observation(game) if form == "observer" else None
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    draw = random.Random(1).random
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                left = draw()
                for action, probability in state.chance_outcomes():  # noqa: B007, the last one is kept
                    left -= probability
                    if left < 0:
                        break
                state.apply_action(action)
                continue
            if form == "numpy":
                shown = np.asarray(state.observation_tensor(), np.float32)
                action = yield shown, np.asarray(state.legal_actions_mask(), np.int8), 1
            elif observer is None:
                action = yield state.observation_tensor(), state.legal_actions(), 1
            else:
                # The quickest way there is: the observer writes into its array, and the mask is set from the list.
                observer.set_from(state, state.current_player())
                mask[:] = 0
                mask[state.legal_actions()] = 1
                action = yield observer.tensor, mask, 1
            state.apply_action(action)


def play_envpool(envpool: Any, task: str, threads: int, batch: int) -> Play:
    """Every step gives both players' observations and the mask of the one who decides."""
    env = envpool.make(task, env_type="gymnasium", num_envs=batch, num_threads=threads, seed=1)
    observations, infos = env.reset()
    decisions = batch
    try:
        while True:
            actions = yield observations, infos["legal_action_mask"], decisions
            observations, _, terminated, truncated, infos = env.step(actions)
            # The next action of a game that has ended is ignored and begins another.
            decisions = batch - int(np.count_nonzero(terminated | truncated))
    finally:
        env.close()


def play_catanatron(catanatron: Any, turns_limit: int, batch: int) -> Play:
    """The engine alone: it gives a list of actions and no observation."""
    players = [catanatron.Player(color) for color in (catanatron.Color.RED, catanatron.Color.BLUE)]
    while True:
        game = catanatron.Game(players)
        while game.winning_color() is None and game.state.num_turns < turns_limit:
            action = yield None, game.state.playable_actions, 1
            game.execute(action)


def play_rlcard(rlcard: Any, game: str, batch: int) -> Play:
    """Observation in numpy, legal actions as a list."""
    env = rlcard.make(game, config={"seed": 1})
    state, _ = env.reset()
    while True:
        action = yield state["obs"], list(state["legal_actions"]), 1
        state, _ = env.step(action)
        if env.is_over():
            state, _ = env.reset()


def play_pgx(pgx: Any, game: str, batch: int) -> Play:
    """One jitted call a step; observation and mask are looked at as numpy arrays, which waits for them."""
    import jax
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def advance(state: Any, actions: Any, key: Any) -> Any:
        keys = jax.random.split(key, batch + 1)
        return step(state, actions, keys[1:]), keys[0]

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    while True:
        actions = yield np.asarray(state.observation), np.asarray(state.legal_action_mask), batch
        state, key = advance(state, actions, key)


# --- the fields -----------------------------------------------------------------------------------


def our_contestants() -> list[Contestant]:
    """Each game at 2 players, through both AEC environments and in batches."""
    found = []
    for game in GAMES:
        found += [
            Contestant(Label(OURS, game, "AEC bare"), partial(play_aec, partial(GameEnv, game))),
            Contestant(Label(OURS, game, "AEC wrapped"), partial(play_aec, partial(make, game))),
        ]
        for threads in (1, 2):
            for batch in (1, 64, 1024, 16384):
                play = partial(play_batch, game, 2, threads)
                found.append(Contestant(Label(OURS, game, "batched", threads, batch), play, (batch,)))
    return found


def pettingzoo_contestants() -> list[Contestant]:
    """Their classic games, without and with their wrappers."""
    with warnings.catch_warnings():
        # PettingZoo announces that its game modules will move.
        warnings.simplefilter("ignore")
        from pettingzoo.classic import chess_v6, connect_four_v3, hanabi_v5, texas_holdem_v4, tictactoe_v3
    return [
        Contestant(Label("PettingZoo", module.__name__.rpartition(".")[2], form), partial(play_aec, make_env))
        for module in (tictactoe_v3, connect_four_v3, hanabi_v5, texas_holdem_v4, chess_v6)
        for form, make_env in (("AEC bare", module.raw_env), ("AEC wrapped", module.env))
    ]


def open_spiel_contestants() -> list[Contestant]:
    """Each game with numpy arrays, got in two ways, and with lists."""
    import pyspiel

    found = []
    for name in ("backgammon", "hanabi", "gin_rummy", "chess"):
        game = pyspiel.load_game(name)
        for form in ("numpy", "observer", "lists"):
            found.append(Contestant(Label("OpenSpiel", name, form), partial(play_open_spiel, game, form)))
    return found


def envpool_contestants() -> list[Contestant]:
    """The tasks of theirs that are named like the peers' games, at their best batch."""
    import envpool

    return [
        Contestant(
            Label("EnvPool", task, "batched", threads),
            partial(play_envpool, envpool, task, threads),
            (64, 256, 1024, 4096),
        )
        for task in ("Backgammon-v1", "ConnectFour-v1", "Chess-v1")
        for threads in (1, 2)
    ]


def catanatron_contestants() -> list[Contestant]:
    """Two players."""
    import catanatron
    from catanatron.game import TURNS_LIMIT

    play = partial(play_catanatron, catanatron, TURNS_LIMIT)
    return [Contestant(Label("Catanatron", "catan", "list only"), play)]


def rlcard_contestants() -> list[Contestant]:
    """Card games for two."""
    import rlcard

    return [
        Contestant(Label("RLCard", game, "numpy + list"), partial(play_rlcard, rlcard, game))
        for game in ("limit-holdem", "gin-rummy", "uno")
    ]


def pgx_contestants(threads: int) -> list[Contestant]:
    """At their best batch. XLA's threads belong to the process, hence a field for one thread and one for all."""
    import pgx

    return [
        Contestant(Label("Pgx", game, "batched", threads), partial(play_pgx, pgx, game), batches)
        for game, batches in (
            ("backgammon", (64, 1024, 4096)),
            ("connect_four", (64, 1024, 16384)),
            ("chess", (16, 64, 256)),
        )
    ]


class Field(NamedTuple):
    """Contestants that share a process: nothing of theirs runs, or is even imported, in another field's."""

    name: str
    contestants: Callable[[], list[Contestant]]
    cores: int | None = None


FIELDS = (
    Field(OURS, our_contestants),
    Field("PettingZoo", pettingzoo_contestants),
    Field("OpenSpiel", open_spiel_contestants),
    Field("EnvPool", envpool_contestants),
    Field("Catanatron", catanatron_contestants),
    Field("RLCard", rlcard_contestants),
    Field("Pgx", partial(pgx_contestants, 1), cores=1),
    Field("Pgx on all cores", partial(pgx_contestants, os.cpu_count() or 1)),
)
