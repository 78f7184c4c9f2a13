"""Saved games in the terminal."""

from __future__ import annotations

import json

import pytest

import northsea_envs
from agents import showing
from northsea_envs.replay import Replay, ReplayError
from tests.toy_game import FOLD, KEEP, toy_game

GAME = toy_game()
# A game of two rounds.
SEED = next(seed for seed in range(99) if int(GAME.new_states(2, [seed])[0].rounds_left) == 2)


@pytest.fixture
def path(tmp_path):
    replay = Replay.of(GAME, 2, SEED, {}, [KEEP, FOLD, KEEP, FOLD])
    document = {"format": "northsea-replay-1", **vars(replay), "seating": ["strong", "weak\x1b[2J"]}
    (tmp_path / "game.json").write_text(json.dumps(document))
    return tmp_path / "game.json"


def test_a_game_in_words(path):
    texts = list(showing.steps(showing.load(path, game=GAME), boards=False))
    assert texts == [
        f"Toy (toy_v0), seed {SEED}: seat 0 (strong), seat 1 (weak?[2J); 4 decisions",
        "1. seat 0 (strong) keep",
        "2. seat 1 (weak?[2J) fold",
        "3. seat 0 (strong) keep",
        "4. seat 1 (weak?[2J) fold",
        "place 1: seat 0 (strong) with 2 points\nplace 2: seat 1 (weak?[2J) with 0 points",
    ]


def test_boards_are_those_before_each_decision(path):
    shown = showing.load(path, game=GAME)
    texts = list(showing.steps(shown, first=3, last=3))
    assert len(texts) == 2
    assert texts[1] == f"{GAME.text(shown.positions[2], 0, None)}\n\n3. seat 0 (strong) keep"
    assert shown.positions[2][0].points[:2].tolist() == [1, 0]


def test_a_seat_does_not_read_what_others_decide(path):
    texts = list(showing.steps(showing.load(path, game=GAME), seat=1, boards=False))
    assert texts[1:3] == ["1. seat 0 (strong) decides", "2. seat 1 (weak?[2J) fold"]


def test_a_game_that_was_not_finished(tmp_path):
    Replay.of(GAME, 2, SEED, {}, [KEEP]).save(tmp_path / "game.json")
    texts = list(showing.steps(showing.load(tmp_path / "game.json", game=GAME), boards=False))
    assert texts[1:] == ["1. seat 0 keep", "The record ends here; the game is not over."]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"first": 0}, "decisions 0 to 4 are not all there; the game has 1 to 4"),
        ({"first": 3, "last": 2}, "decisions 3 to 2 are not all there"),
        ({"last": 5}, "decisions 1 to 5 are not all there"),
        ({"seat": 2}, "seat 2 is not there; the game has 0 to 1"),
    ],
)
def test_what_is_not_there(path, where, message):
    with pytest.raises(ValueError, match=message):
        showing.steps(showing.load(path, game=GAME), **where)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actions": [KEEP, 3, KEEP, FOLD]}, "damaged: decision 1, action 3, is not legal there"),
        ({"actions": [KEEP, KEEP, KEEP, FOLD]}, "the game does not end as recorded"),
        ({"game": "chess_v1"}, "a replay of 'chess_v1', not of 'toy_v0'"),
        ({"tables": "0" * 16}, "recorded under other component tables"),
        ({"format": "pgn"}, "not a replay: its format is not"),
        ({"players": "two"}, "damaged: 'players' must be a JSON int"),
    ],
)
def test_damaged_and_foreign_replays_are_refused(path, change, message):
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, **change}))
    with pytest.raises(ReplayError) as error:
        showing.load(path, game=GAME)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_a_replay_that_names_the_wrong_game(path):
    document = json.loads(path.read_text())
    vikings, raiders = (northsea_envs.get_game(name) for name in ("vikings", "raiders"))
    path.write_text(json.dumps({**document, "game": raiders.id, "tables": vikings.fingerprint}))
    with pytest.raises(
        ReplayError, match="damaged: its component tables are those of 'vikings_v0', not of 'raiders_v0'"
    ):
        showing.load(path)


def test_a_replay_of_an_unknown_game_is_refused(path):
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "game": "chess_v1"}))
    with pytest.raises(ReplayError, match="there is no game 'chess_v1'"):
        showing.load(path)
    with pytest.raises(ReplayError, match="cannot be read: No such file"):
        showing.load(path.with_name("none.json"))
