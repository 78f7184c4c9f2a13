"""Replays: recorded, saved, loaded, verified; and what is wrong with damaged ones."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import FrozenInstanceError, asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from northsea_envs import get_game
from northsea_envs.replay import FORMAT, Replay, ReplayError
from tests.conftest import both_faces, every_game, over, play, raw_env, wrapped_env


def recorded(name: str, players: int, seed: int = 5, decisions: int = 10**9, **options: Any) -> Replay:
    env = raw_env(name, players, **options)
    env.reset(seed=seed)
    play(env, np.random.default_rng(seed), decisions)
    return env.replay()


class TestRecord:
    @every_game
    @both_faces
    def test_round_trip(self, make, name, players, tmp_path):
        for seed in (0, 7, 2**63 - 1):
            env = make(name, players)
            env.reset(seed=seed)
            actions = play(env, np.random.default_rng(1))
            replay = env.unwrapped.replay()
            assert replay.actions == actions
            assert (replay.game, replay.players, replay.seed) == (get_game(name).id, players, seed)
            path = tmp_path / f"{seed}.json"
            replay.save(path)
            loaded = Replay.load(path)
            assert loaded == replay
            final = loaded.verify()
            assert final.shape == (1,)
            record = env.unwrapped.get_state().partition(b"\n")[2]
            assert final.tobytes() == record
            assert replay.sha256 == hashlib.sha256(record).hexdigest()

    @every_game
    def test_positions_are_those_of_the_game(self, name, players):
        env = raw_env(name, players)
        env.reset(seed=3)
        rng = np.random.default_rng(3)
        records = [env.get_state().partition(b"\n")[2]]
        while not over(env):
            play(env, rng, 1)
            records.append(env.get_state().partition(b"\n")[2])
        found = list(env.replay().positions())
        assert [states.tobytes() for states in found] == records
        # Each is its own: writing into one changes no other.
        found[0].view(np.uint8)[:] = 0
        assert found[1].tobytes() == records[1]

    @every_game
    def test_every_option_is_kept(self, name, players):
        game = get_game(name)
        for option in game.options:
            for choice in option.choices:
                if option.is_seat and choice is not None and choice >= players:
                    continue
                replay = recorded(name, players, **{option.name: choice})
                assert replay.options == {option.name: choice}
                assert json.loads(json.dumps(asdict(replay))) == asdict(replay)
                replay.verify()

    @every_game
    def test_a_game_under_way_and_one_just_begun(self, name, players):
        for decisions in (0, 1, 17):
            replay = recorded(name, players, decisions=decisions)
            assert len(replay.actions) == decisions
            replay.verify()

    @every_game
    def test_after_an_illegal_end(self, name, players):
        env = wrapped_env(name, players)
        env.reset(seed=1)
        actions = play(env, np.random.default_rng(1), 9)
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
        assert env.unwrapped.replay().actions == actions
        env.unwrapped.replay().verify()

    @every_game
    def test_of_checks_actions_and_takes_numpy_integers(self, name, players, tmp_path):
        game = get_game(name)
        first = recorded(name, players, decisions=1)
        replay = Replay.of(game, np.int64(players), np.int64(first.seed), {}, np.array(first.actions))
        assert replay == first
        replay.save(tmp_path / "r.json")
        assert Replay.load(tmp_path / "r.json") == first
        with pytest.raises(ReplayError, match="decision 1, action 9999, is not legal there"):
            Replay.of(game, players, first.seed, {}, [*first.actions, 9999])
        with pytest.raises(ReplayError, match="num_players=9 is not allowed"):
            Replay.of(game, 9, 0, {}, [])
        with pytest.raises(ReplayError, match="seed=-1 is not allowed"):
            Replay.of(game, players, -1, {}, [])

    def test_cannot_be_changed(self):
        with pytest.raises(FrozenInstanceError):
            recorded("vikings", 2, decisions=1).seed = 6  # type: ignore[misc]

    def test_no_replay_before_the_first_game(self):
        with pytest.raises(RuntimeError, match="did not begin with reset"):
            raw_env("vikings", 2).replay()


class TestDamage:
    """Every kind of damage is a ReplayError that names it."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "game.json"
        recorded("vikings", 3, start_seat=1).save(path)
        return path

    def change(self, path: Path, **fields: Any) -> Path:
        document = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(document | fields), encoding="utf-8")
        return path

    def test_cut_at_every_kind_of_place(self, path):
        text = path.read_bytes()
        for length in sorted({0, 1, 2, len(text) // 3, len(text) // 2, len(text) - 4, len(text) - 3}):
            path.write_bytes(text[:length])
            with pytest.raises(ReplayError, match="not JSON"):
                Replay.load(path)

    @pytest.mark.parametrize(
        "text",
        [b"", b"\xff\xfe", b"northsea", b"{", b"[" * 200_000, b'{"a":' * 200_000, b"1" * 5000, b"\x00"],
        ids=["empty", "no text", "word", "brace", "deep list", "deep dictionary", "long number", "zero byte"],
    )
    def test_not_json(self, path, text):
        path.write_bytes(text)
        with pytest.raises(ReplayError, match="not JSON"):
            Replay.load(path)

    @pytest.mark.parametrize(
        "document", [None, [], 1, "replay", {}, {"format": "northsea-replay-0"}, {"format": [FORMAT]}]
    )
    def test_not_a_replay(self, path, document):
        path.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(ReplayError, match="not a replay: its format is not 'northsea-replay-1'"):
            Replay.load(path)

    @pytest.mark.parametrize("field", ["game", "tables", "players", "seed", "options", "actions", "sha256"])
    def test_a_field_missing_or_of_another_type(self, path, field):
        original = json.loads(path.read_text(encoding="utf-8"))
        for wrong in (None, True, False, 1.5, "x", 3, [], {}, [[]]):
            if type(wrong) is type(original[field]):
                continue
            with pytest.raises(ReplayError, match=f"damaged: '{field}' must be a JSON"):
                Replay.load(self.change(path, **{field: wrong}))
        without = {name: value for name, value in original.items() if name != field}
        path.write_text(json.dumps(without), encoding="utf-8")
        with pytest.raises(ReplayError, match=f"damaged: '{field}' must be a JSON"):
            Replay.load(path)

    @pytest.mark.parametrize("wrong", [True, False, None, "1", 1.0, [1], -1, 2**31, 10**30])
    def test_an_action_that_is_no_action_id(self, path, wrong):
        actions = json.loads(path.read_text(encoding="utf-8"))["actions"]
        actions[4] = wrong
        with pytest.raises(ReplayError, match=r"damaged: decision 4 is .*, not an action id"):
            Replay.load(self.change(path, actions=actions))

    def test_an_altered_action(self, path):
        replay = Replay.load(path)
        game = get_game("vikings")
        illegal = legal = 0
        for place, states in zip(range(len(replay.actions)), replay.positions(), strict=False):
            mask = np.zeros(game.num_actions(3), np.int8)
            game.kernels.legal(game.tables, states, 0, mask)
            actions = replay.actions[:]
            if illegal < 20:
                actions[place] = int(np.flatnonzero(mask == 0)[-1])
                with pytest.raises(ReplayError, match=f"decision {place}, action {actions[place]}, is not legal there"):
                    replace(replay, actions=actions).verify()
                illegal += 1
            # Another legal one: some later decision becomes impossible, or the end is another.
            others = np.flatnonzero(mask)
            actions[place] = int(others[others != replay.actions[place]][0])
            with pytest.raises(ReplayError, match=r"is not legal there|another checksum"):
                replace(replay, actions=actions).verify()
            legal += 1
        assert illegal == 20
        assert legal == len(replay.actions)

    def test_actions_left_out_added_or_swapped(self, path):
        replay = Replay.load(path)
        with pytest.raises(ReplayError, match="does not end as recorded"):
            replace(replay, actions=replay.actions[:-1]).verify()
        with pytest.raises(ReplayError, match=f"decision {len(replay.actions)}, action 0, is not legal there"):
            replace(replay, actions=[*replay.actions, 0]).verify()
        with pytest.raises(ReplayError, match=r"is not legal there|another checksum"):
            replace(replay, actions=replay.actions[1:]).verify()

    def test_another_seed_player_count_or_option(self, path):
        replay = Replay.load(path)
        for changed in (
            {"seed": replay.seed + 1},
            {"players": 2},
            {"players": 4},
            {"options": {}},
            {"options": {"start_seat": 0}},
            {"options": replay.options | {"ship_opening_mode": "any_of_first_three"}},
        ):
            with pytest.raises(ReplayError, match=r"is not legal there|another checksum"):
                replace(replay, **changed).verify()
        with pytest.raises(ReplayError, match="another checksum"):
            replace(replay, sha256="0" * 64).verify()

    @pytest.mark.parametrize(
        ("changed", "words"),
        [
            ({"seed": -1}, "seed=-1 is not allowed"),
            ({"seed": 2**63}, "seed=9223372036854775808 is not allowed"),
            ({"seed": 10**400}, "is not allowed; give an integer from 0 to"),
            ({"players": 0}, "num_players=0 is not allowed"),
            ({"players": -3}, "num_players=-3 is not allowed"),
            ({"players": 5}, "num_players=5 is not allowed"),
            ({"players": 2**70}, "takes 2 to 4"),
            ({"options": {"start_seat": 3}}, "start_seat=3 is not allowed"),
            ({"options": {"start_seat": True}}, "start_seat=True is not allowed"),
            ({"options": {"start_seat": 1.0}}, "start_seat=1.0 is not allowed"),
            ({"options": {"start_seat": [1]}}, "is not allowed"),
            ({"options": {"colour": 1}}, "unknown option 'colour'"),
            ({"game": "chess_v0"}, "there is no game 'chess_v0'"),
            ({"game": "vikings_v9"}, "there is no 'vikings_v9'"),
            ({"game": "vikings"}, "a replay of 'vikings', not of 'vikings_v0'"),
            ({"game": ""}, "there is no game ''"),
            ({"game": "../vikings_v0"}, "there is no game"),
            ({"tables": "0123456789abcdef"}, "recorded under other component tables: fingerprint '0123456789abcdef'"),
            ({"actions": [2**31 - 1]}, "decision 0, action 2147483647, is not legal there"),
        ],
    )
    def test_values_that_no_game_has(self, path, changed, words):
        replay = Replay.load(self.change(path, **changed))
        with pytest.raises(ReplayError) as raised:
            replay.verify()
        assert words in str(raised.value)

    def test_against_another_game_object(self, path):
        replay = Replay.load(path)
        assert replay.verify(get_game("vikings")).shape == (1,)
        with pytest.raises(ReplayError, match="a replay of 'raiders_v0', not of 'vikings_v0'"):
            replace(replay, game="raiders_v0").verify(get_game("vikings"))

    def test_no_such_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            Replay.load(tmp_path / "none.json")

    def test_more_fields_are_ignored(self, path):
        replay = Replay.load(path)
        assert Replay.load(self.change(path, players_names=["a", "b", "c"], __class__="os.system")) == replay


class TestWriting:
    def test_the_old_file_stays_where_writing_fails(self, tmp_path, monkeypatch):
        path = tmp_path / "game.json"
        replay = recorded("vikings", 2, decisions=5)
        replay.save(path)
        before = path.read_bytes()

        def fail(*_: Any) -> None:
            raise OSError("disk full")

        for call in ("fsync", "replace"):
            with monkeypatch.context() as patch:
                patch.setattr(os, call, fail)
                with pytest.raises(OSError, match="disk full"):
                    replace(replay, seed=1).save(path)
            assert path.read_bytes() == before
            assert os.listdir(tmp_path) == ["game.json"]

    def test_a_reader_may_read_it(self, tmp_path):
        path = tmp_path / "game.json"
        recorded("vikings", 2, decisions=5).save(path)
        assert path.stat().st_mode & 0o777 == 0o644
        assert path.read_text(encoding="utf-8").endswith("}\n")
        recorded("vikings", 2, decisions=6).save(str(path))
        assert len(Replay.load(str(path)).actions) == 6

    def test_a_folder_that_is_missing(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            recorded("vikings", 2, decisions=1).save(tmp_path / "none" / "game.json")
