"""Saving, restoring and copying games in progress: get_state, set_state, clone, deepcopy, pickle, damaged bytes."""

from __future__ import annotations

import contextlib
import copy
import csv
import hashlib
import itertools
import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from northsea_envs import SaveError, get_game
from northsea_envs.game import Game
from tests.conftest import (
    both_faces,
    draw,
    every_game,
    look_closely,
    mask_of,
    over,
    play,
    raw_env,
    same,
    shown,
    view,
    wrapped_env,
)

COPIES = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
every_copy = pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)


def forge(_game: Game, record: bytes, **header: Any) -> bytes:
    """Bytes as ``save`` would write them, with a checksum that fits whatever the record holds."""
    written = {
        "format": "northsea-state-1",
        "game": _game.id,
        "tables": _game.fingerprint,
        "bytes": len(record),
        "sha256": hashlib.sha256(record).hexdigest(),
    }
    return json.dumps(written | header).encode() + b"\n" + record


def finish(env: Any, seed: int) -> list:
    """Play to the end, through the None steps, and into two more games; what was shown on the way."""
    rng = np.random.default_rng(seed)
    seen = [shown(env)]
    steps = 0
    while env.agents:
        ended = over(env)
        env.step(None if ended else draw(env.infos[env.agent_selection]["action_mask"], rng))
        steps += 1
        if ended or (steps % 5 == 0 and look_closely(steps // 5)):
            seen.append(shown(env))
    for _ in range(2):
        env.reset()
        play(env, rng, 3)
        seen.append(shown(env))
    return seen


def stop_at(env: Any, where: str) -> None:
    """Bring a fresh environment to a kind of moment."""
    rng = np.random.default_rng(5)
    if where == "before the first game":
        return
    env.reset(seed=21)
    if where == "after reset":
        return
    if where == "in the middle":
        play(env, rng, 40)
        return
    if where == "after an illegal end":
        play(env, rng, 33)
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
        return
    length = len(play(env, rng))
    if where == "before the last move":
        env.reset(seed=21)
        play(env, np.random.default_rng(5), length - 1)
    elif where == "among the None steps":
        env.step(None)


MOMENTS = (
    "before the first game",
    "after reset",
    "in the middle",
    "before the last move",
    "at the end",
    "among the None steps",
)


# Decisions played from a forged position that was taken: to the end of most games.
PLAYED_ON = 250


class TestCopies:
    @every_game
    @both_faces
    @every_copy
    @pytest.mark.parametrize("where", MOMENTS)
    def test_goes_on_the_same(self, make, name, players, duplicate, where):
        env = make(name, players)
        stop_at(env, where)
        other = duplicate(env)
        if where == MOMENTS[0]:
            for each in (env, other):
                each.reset(seed=4)
        assert type(other) is type(env)
        assert same(finish(other, 1), finish(env, 1))

    @every_game
    @every_copy
    def test_goes_on_the_same_after_an_illegal_end(self, name, players, duplicate):
        env = wrapped_env(name, players)
        stop_at(env, "after an illegal end")
        for _ in range(2):
            other = duplicate(env)
            assert all(other.truncations.values())
            assert same(finish(duplicate(env), 1), finish(duplicate(other), 1))
            env.step(None)

    @every_game
    @both_faces
    @every_copy
    def test_is_independent(self, make, name, players, duplicate):
        env = make(name, players)
        stop_at(env, "in the middle")
        before, state, replay = shown(env), env.get_state(), env.unwrapped.replay()
        other = duplicate(env)
        play(other, np.random.default_rng(2))
        assert same(shown(env), before)
        assert env.get_state() == state
        assert env.unwrapped.replay() == replay
        # And the other way round.
        end, end_state = shown(other), other.get_state()
        play(env, np.random.default_rng(3))
        assert same(shown(other), end)
        assert other.get_state() == end_state

    @every_game
    def test_wrapped_copy_is_one_piece(self, name, players):
        env = wrapped_env(name, players)
        env.reset(seed=1)
        other = env.clone()
        assert other.unwrapped is not env.unwrapped
        assert other.unwrapped is other.env.unwrapped
        state = other.get_state()
        other.step(int(np.flatnonzero(other.infos[other.agent_selection]["action_mask"] == 0)[0]))
        assert all(other.unwrapped.truncations.values())
        assert not any(env.unwrapped.truncations.values())
        assert other.get_state() == state == env.get_state()


class TestSetState:
    @every_game
    @both_faces
    def test_goes_on_the_same(self, make, name, players):
        env = make(name, players)
        other = make(name, players)
        rng = np.random.default_rng(17)
        for seed in range(3):
            env.reset(seed=seed)
            play(env, rng, 13 * seed)
            other.set_state(env.get_state())
            for number in itertools.count():
                if over(env):
                    break
                assert other.get_state() == env.get_state()
                if look_closely(number):
                    assert same(shown(other), shown(env))
                action = draw(env.infos[env.agent_selection]["action_mask"], rng)
                env.step(action)
                other.step(action)
            assert same(shown(other), shown(env))

    @every_game
    @both_faces
    def test_from_any_moment(self, make, name, players):
        source = make(name, players)
        for where in MOMENTS[1:]:
            stop_at(source, where)
            state = source.get_state()
            for begin in MOMENTS:
                env = make(name, players)
                stop_at(env, begin)
                env.set_state(state)
                assert env.get_state() == state
                assert env.agents == env.possible_agents
                ended = where in ("at the end", "among the None steps")
                assert over(env) == ended
                agents = []
                for agent in env.agent_iter():
                    agents.append(agent)
                    _, _, terminated, truncated, info = env.last()
                    env.step(None if terminated or truncated else int(np.flatnonzero(info["action_mask"])[0]))
                assert set(agents) == set(env.possible_agents)

    @every_game
    def test_after_an_illegal_end_the_game_is_open_again(self, name, players):
        env = wrapped_env(name, players)
        stop_at(env, "after an illegal end")
        for dead_steps in range(players):
            state = env.get_state()
            for _ in range(dead_steps):
                env.step(None)
            env.set_state(state)
            assert not any(env.terminations.values()) and not any(env.truncations.values())
            assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0.0}
            play(env, np.random.default_rng(1), 3)
            env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
            assert sum(env.rewards.values()) == -1
        env.set_state(state)
        play(env, np.random.default_rng(1))
        assert sum(env.rewards.values()) == pytest.approx(0)
        # As after an illegal action they would be both.
        assert all(env.truncations[agent] != env.terminations[agent] for agent in env.possible_agents)

    @every_game
    @both_faces
    def test_no_replay_of_a_game_whose_beginning_is_not_known(self, make, name, players):
        env = make(name, players)
        env.reset(seed=1)
        env.set_state(env.get_state())
        with pytest.raises(RuntimeError, match="did not begin with reset"):
            env.unwrapped.replay()
        env.reset(seed=1)
        assert env.unwrapped.replay().seed == 1

    @every_game
    @both_faces
    def test_other_kinds_of_bytes(self, make, name, players):
        env = make(name, players)
        stop_at(env, "in the middle")
        state = env.get_state()
        env.set_state(bytearray(state))
        env.set_state(memoryview(state))
        assert env.get_state() == state

    @every_game
    @both_faces
    def test_bytes_are_the_whole_record(self, make, name, players):
        env = make(name, players)
        stop_at(env, "in the middle")
        header, _, record = env.get_state().partition(b"\n")
        assert json.loads(header)["game"] == get_game(name).id
        assert len(record) == get_game(name).state_dtype.itemsize


def bare_state(name: str, players: int) -> bytes:
    env = raw_env(name, players)
    stop_at(env, "in the middle")
    return env.get_state()


class TestDamage:
    """Whatever is wrong with the bytes: SaveError, and the environment goes on as if nothing had been asked."""

    def refused(self, env: Any, data: Any, words: str = "") -> None:
        before, state = shown(env), env.get_state()
        with pytest.raises(SaveError) as raised:
            env.set_state(data)
        assert words in str(raised.value)
        assert same(shown(env), before)
        assert env.get_state() == state

    @every_game
    @both_faces
    def test_of_another_number_of_players(self, make, name, players):
        game = get_game(name)
        env = make(name, players)
        stop_at(env, "in the middle")
        for other in range(game.min_players, game.max_players + 1):
            if other != players:
                self.refused(env, bare_state(name, other), f"a saved game of {other} players, not of {players}")
                fresh = make(name, players)
                with pytest.raises(SaveError, match="players"):
                    fresh.set_state(bare_state(name, other))
                with pytest.raises(AttributeError):
                    _ = fresh.agents

    @every_game
    def test_of_another_game_version_or_tables(self, name, players):
        game = get_game(name)
        env = raw_env(name, players)
        stop_at(env, "in the middle")
        record = env.get_state().partition(b"\n")[2]
        self.refused(env, forge(game, record, game="chess_v0"), f"of 'chess_v0', not of '{game.id}'")
        self.refused(env, forge(game, record, game=f"{name}_v99"), f"of '{name}_v99', not of '{game.id}'")
        self.refused(env, forge(game, record, game=None), "of None")
        self.refused(
            env, forge(game, record, tables="0" * 16), f"fingerprint '0000000000000000', here '{game.fingerprint}'"
        )
        self.refused(env, forge(game, record, tables=7), "other component tables")
        self.refused(env, forge(game, record, format="northsea-state-0"), "not a saved game")
        self.refused(env, forge(game, record, sha256="0" * 64), "checksum")
        self.refused(env, forge(game, record, sha256=None), "checksum")
        env.set_state(forge(game, record))

    @every_game
    def test_not_bytes_or_not_a_save(self, name, players):
        env = raw_env(name, players)
        stop_at(env, "in the middle")
        for data in (None, 1, "northsea", [1], env):
            self.refused(env, data, "is bytes, not")
        for data in (
            b"",
            b"\n",
            b"{}\n",
            b"[]\n",
            b"null\n",
            b"1\n",
            b"not json\n",
            b"\xff\xfe\x00\n",
            b'{"format": "northsea-state-1"}',
            b"[" * 200_000 + b"\n",
            b'{"a":' * 200_000 + b"\n",
            b"1" * 10_000 + b"\n",
        ):
            self.refused(env, data, "not a saved game")

    @every_game
    @both_faces
    def test_cut_or_prolonged(self, make, name, players):
        env = make(name, players)
        stop_at(env, "in the middle")
        state = env.get_state()
        line = state.index(b"\n")
        lengths = {0, 1, line // 2, line - 1, line, line + 1, line + 2, (line + len(state)) // 2, len(state) - 1}
        for length in sorted(lengths):
            self.refused(env, state[:length])
        self.refused(env, state[line + 1 :])
        self.refused(env, state + b"\0", "damaged")
        self.refused(env, state + state, "damaged")

    @every_game
    def test_every_flipped_bit_is_noticed(self, name, players):
        env = raw_env(name, players)
        stop_at(env, "in the middle")
        state = env.get_state()
        begin = state.index(b"\n")
        rng = np.random.default_rng(2)
        for place in {begin, *rng.integers(begin, len(state), 150).tolist(), len(state) - 1}:
            damaged = bytearray(state)
            damaged[place] ^= 1 << int(rng.integers(8))
            self.refused(env, bytes(damaged))
        for place in rng.integers(0, begin, 60).tolist():
            damaged = bytearray(state)
            damaged[place] ^= 1 << int(rng.integers(8))
            # What the header says beyond the checks (the length, white space) may change; the record may not.
            with contextlib.suppress(SaveError):
                env.set_state(bytes(damaged))
            assert env.get_state() == state

    @every_game
    def test_record_of_zeros_ones_and_noise(self, name, players):
        game = get_game(name)
        env = raw_env(name, players)
        stop_at(env, "in the middle")
        size = game.state_dtype.itemsize
        rng = np.random.default_rng(3)
        self.refused(env, forge(game, b"\0" * size))
        self.refused(env, forge(game, b"\xff" * size))
        for _ in range(200):
            self.refused(env, forge(game, rng.bytes(size)))

    @every_game
    def test_nonsense_in_every_field(self, name, players):
        """A forged record is refused, or it is a position that the faces can show and play on from."""
        game = get_game(name)
        env = raw_env(name, players, render_mode="ansi")
        rng = np.random.default_rng(4)
        refused = dict.fromkeys(game.state_dtype.names, 0)
        for seed in range(12):
            env.reset(seed=seed)
            play(env, rng, int(rng.integers(0, 110)))
            state = env.get_state()
            record = state.partition(b"\n")[2]
            for field in game.state_dtype.names:
                for _ in range(3):
                    forged = np.frombuffer(record, game.state_dtype).copy()
                    values = forged[field].reshape(-1)
                    limits = np.iinfo(values.dtype)
                    place = int(rng.integers(len(values)))
                    nonsense = (
                        limits.min,
                        limits.max,
                        0,
                        int(values[place]) ^ 1,
                        int(rng.integers(limits.min, limits.max)),
                    )
                    values[place] = nonsense[rng.integers(len(nonsense))]
                    try:
                        env.set_state(forge(game, forged.tobytes()))
                    except SaveError:
                        refused[field] += 1
                        assert env.get_state() == state
                        continue
                    shown(env)
                    assert len(play(env, rng, PLAYED_ON)) == PLAYED_ON or over(env)
                    env.set_state(state)
        assert sum(refused.values()) > 400

    @every_game
    def test_one_field_from_another_game(self, name, players):
        """Each field for itself makes sense; together they do not, or they make a position that can be played."""
        game = get_game(name)
        env = raw_env(name, players)
        rng = np.random.default_rng(6)
        for seed in range(6):
            records = []
            for k in range(2):
                env.reset(seed=2 * seed + k)
                play(env, rng, int(rng.integers(0, 110)))
                records.append(np.frombuffer(env.get_state().partition(b"\n")[2], game.state_dtype))
            state = env.get_state()
            for field in game.state_dtype.names:
                forged = records[1].copy()
                forged[field] = records[0][field]
                try:
                    env.set_state(forge(game, forged.tobytes()))
                except SaveError:
                    assert env.get_state() == state
                    continue
                shown(env)
                assert len(play(env, rng, PLAYED_ON)) == PLAYED_ON or over(env)
                env.set_state(state)


# A field of Vikings, the element in it, and a value that no game has there while somebody buys with 3 players, and why.
VIKINGS_NONSENSE = [
    ("rng", slice(None), 0, "a generator of zeros never leaves it, and drawing from it may never end"),
    ("players", 0, 2, "3 players' start tiles and gold"),
    ("players", 0, 4, "3 players' start tiles and gold"),
    ("players", 0, 5, "2 to 4"),
    ("players", 0, -1, "2 to 4"),
    ("opening_mode", 0, 2, "two modes"),
    ("opening_mode", 0, 255, "two modes"),
    ("phase", 0, 0, "no auction in the basic game"),
    ("phase", 0, 2, "no auction in the basic game"),
    ("phase", 0, 12, "no such phase"),
    ("phase", 0, 255, "no such phase"),
    ("phase", 0, 11, "over, while a seat decides"),
    ("phase", 0, 4, "nothing bought that waits for a row"),
    ("phase", 0, 5, "nothing bought that waits for a cell"),
    ("phase", 0, 6, "nothing bought that waits for a column"),
    ("phase", 0, 7, "no viking that waits"),
    ("phase", 0, 10, "trips while sets are left on the wheel"),
    ("seat", 0, -1, "over, in the buying phase"),
    ("seat", 0, 3, "seats 0 to 2"),
    ("seat", 0, 127, "seats 0 to 2"),
    ("seat", 0, -2, "seats 0 to 2"),
    ("start_player", 0, 3, "seats 0 to 2"),
    ("start_player", 0, -1, "seats 0 to 2"),
    ("round_number", 0, 0, "rounds 1 to 6"),
    ("round_number", 0, 7, "rounds 1 to 6"),
    ("round_number", 0, 255, "rounds 1 to 6"),
    ("sets_left", 0, 0, "as many as on the wheel"),
    ("sets_left", 0, 255, "as many as on the wheel"),
    ("zero_space", 0, 127, "beside the first set"),
    ("zero_space", 0, -1, "beside the first set"),
    ("wheel_tile", 11, 255, "no such tile"),
    ("wheel_tile", 11, 0, "a viking without a tile"),
    ("wheel_viking", 11, 255, "no such viking"),
    ("wheel_viking", 11, 0, "a tile without a viking"),
    ("stack", 71, 255, "no such tile"),
    ("bag", 71, 255, "no such viking"),
    ("tile", (0, 0, 24), 255, "no such tile"),
    ("tile", (0, 4, 20), 1, "one tile too many"),
    ("viking", (0, 0, 24), 255, "one figure a tile"),
    ("viking", (0, 0, 24), 1, "a figure in the sea"),
    ("width", 0, 255, "columns 1 to 25"),
    ("width", 0, 26, "columns 1 to 25"),
    ("ship", (0, 13), 255, "no such tile"),
    ("ship", (0, 13), 1, "not a ship"),
    ("ships", 0, 255, "as many as lie there"),
    ("ships", 0, 14, "as many as lie there"),
    ("pool", (0, 0), 255, "13 figures of a colour"),
    ("start_tile_kept", 0, 255, "one start tile"),
    ("start_tile_kept", 0, 1, "laid with the first purchase"),
    ("gold", 0, -1, "never below 0"),
    ("gold", 0, 2**31 - 1, "more gold than scorings can give"),
    ("gold", 0, -(2**31), "never below 0"),
    ("fame", 0, -1, "not before the final scoring"),
    ("fame", 0, 2**31 - 1, "more fame than scorings can give"),
    ("purchases", 0, 255, "as many as were sold"),
    ("bought_tile", 0, 1, "nothing is bought in the buying phase"),
    ("bought_tile", 0, 255, "no such tile"),
    ("bought_viking", 0, 1, "nothing is bought in the buying phase"),
    ("bought_viking", 0, 255, "no such viking"),
    ("placed_row", 0, -1, "rows 0 to 4"),
    ("placed_row", 0, 5, "rows 0 to 4"),
    ("placed_row", 0, 127, "rows 0 to 4"),
    ("placed_column", 0, -1, "columns 0 to 24"),
    ("placed_column", 0, 25, "columns 0 to 24"),
    ("scorings_done", 0, 3, "seats 0 to 2"),
    ("scorings_done", 0, 1, "no large scoring under way"),
    ("trip_moves", 0, 1, "no trip in the buying phase"),
    ("trip_mode", 0, 3, "three modes"),
    ("trip_rows", 0, 32, "five rows"),
    ("trip_column", 0, -1, "columns 0 to 24"),
    ("trip_column", 0, 25, "columns 0 to 24"),
    ("tiles_removed", 0, 255, "76 tiles"),
    ("vikings_removed", 0, 255, "78 vikings"),
    ("final_steps", (0, 2), 10, "no final scoring yet"),
    ("final_steps", (0, 2), -(2**31), "no final scoring yet"),
]


@pytest.mark.parametrize(
    ("field", "place", "value", "why"), VIKINGS_NONSENSE, ids=[f"{f}{p}={v}" for f, p, v, _ in VIKINGS_NONSENSE]
)
def test_nonsense_about_vikings_is_refused(field, place, value, why):
    game = get_game("vikings")
    env = raw_env("vikings", 3)
    env.reset(seed=21)
    rng = np.random.default_rng(5)
    buying = 3
    play(env, rng, 40)
    while True:
        state = env.get_state()
        record = np.frombuffer(state.partition(b"\n")[2], game.state_dtype)[0]
        # Every seat has its homeland begun, the dearest set is left, and somebody buys.
        if record.phase == buying and record.wheel_tile[11] and not record.start_tile_kept.any():
            break
        play(env, rng, 1)
    forged = np.frombuffer(state.partition(b"\n")[2], game.state_dtype).copy()
    values = forged[field] if forged[field].ndim > 1 else forged[field].reshape(1, -1)
    values[0][place] = value
    assert forged.tobytes() != state.partition(b"\n")[2]
    with pytest.raises(SaveError):
        env.set_state(forge(game, forged.tobytes()))
    assert env.get_state() == state, why


class TestTables:
    """Other component tables: another game as far as saves are concerned."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Vikings with 11 gold more at the start for 2 players, as both tables that say so have it."""
        source = Path(__import__("northsea_envs.games.vikings", fromlist=["TABLES"]).TABLES)
        folder = tmp_path / "tables"
        shutil.copytree(source, folder)
        for file, key in (("player_counts.csv", "players"), ("constants.csv", "key")):
            with (folder / file).open(encoding="utf-8", newline="") as text:
                rows = list(csv.DictReader(text))
            for row in rows:
                if row[key] == "2":
                    row["start_gold"] = "41"
                if row[key] == "start_gold_2p":
                    row["value"] = "41"
            with (folder / file).open("w", encoding="utf-8", newline="") as text:
                writer = csv.DictWriter(text, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        return folder

    def test_saves_do_not_mix_and_copies_keep_them(self, folder):
        env, other = raw_env("vikings", 2), raw_env("vikings", 2, tables=folder)
        env.reset(seed=1)
        other.reset(seed=1)
        assert other.game.fingerprint != env.game.fingerprint
        for source, target in ((env, other), (other, env)):
            with pytest.raises(SaveError, match="other component tables"):
                target.set_state(source.get_state())
        shutil.rmtree(folder)
        for duplicate in COPIES.values():
            again = duplicate(other)
            assert again.game.fingerprint == other.game.fingerprint
            again.set_state(other.get_state())
            assert again.get_state() == other.get_state()
            again.reset(seed=1)
            assert again.get_state() == other.get_state()
        with pytest.raises(ValueError, match="read-only"):
            pickle.loads(pickle.dumps(other.game)).tables[0].start_gold[2] = 1

    def test_a_game_with_tables_of_another_size_can_be_pickled(self, folder):
        with (folder / "tiles.csv").open(encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text))
        # A kind of middle tile that nobody has.
        extra = next(row for row in rows if row["piece"] == "middle") | {"tile_id": "T-MID-X", "building": "none"}
        counts = ("count_total", "count_set_aside_at_setup", "count_in_draw_pile")
        rows.append(extra | dict.fromkeys(counts, "0"))
        with (folder / "tiles.csv").open("w", encoding="utf-8", newline="") as text:
            writer = csv.DictWriter(text, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        constants = folder / "constants.csv"
        text = constants.read_text(encoding="utf-8").replace("island_middle_kinds,4,", "island_middle_kinds,5,")
        constants.write_text(text, encoding="utf-8")
        game = get_game("vikings", folder)
        assert game.tables.dtype != get_game("vikings").tables.dtype
        again = pickle.loads(pickle.dumps(game))
        assert again.fingerprint == game.fingerprint
        assert again.tables.tobytes() == game.tables.tobytes()
        assert again.state_dtype == game.state_dtype

    def test_the_printed_game_is_one_object(self):
        game = get_game("vikings")
        assert pickle.loads(pickle.dumps(game)) is copy.deepcopy(game) is copy.copy(game) is game


@every_game
def test_restored_array_is_writable_and_alone(name, players):
    game = get_game(name)
    states = game.new_states(players, [1, 2])
    data = game.save(states, 1)
    restored = game.restore(data)
    assert restored.shape == (1,)
    assert restored.tobytes() == states[1:].tobytes()
    seat, legal = mask_of(game, players, restored)
    before = view(game, players, states[1:], seat)
    game.kernels.play(game.tables, restored, 0, int(np.flatnonzero(legal)[0]), legal)
    assert same(view(game, players, game.restore(data), seat), before)
