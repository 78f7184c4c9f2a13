"""The benchmark against the peers measures what it says it does, with or without the peers."""

import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = str(Path(__file__).parent.parent / "benchmarks")


@pytest.fixture
def peers(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    import peers

    yield peers
    for name in ("peers", "contestants"):
        del sys.modules[name]


@pytest.mark.parametrize("dtype", [np.int8, bool])
def test_sampler_draws_every_legal_action_and_no_other(peers, dtype):
    one = np.array([0, 1, 0, 1, 1], dtype)
    draw = peers.sampler(one, 1)
    assert {draw(one) for _ in range(100)} == {1, 3, 4}
    masks = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 0]], dtype)
    draw = peers.sampler(masks, 1)
    drawn = np.array([draw(masks).copy() for _ in range(50)])
    assert set(drawn[:, 0]) == {1, 2}
    assert set(drawn[:, 1]) == {0}
    assert set(drawn[:, 2]) == {0}, "a game without legal actions ignores the one it is sent"
    draw = peers.sampler(["a", "b"], 1)
    assert {draw(["a", "b"]) for _ in range(50)} == {"a", "b"}


def test_rate_leaves_the_samplers_share_out(peers):
    turn = peers.Turn(decisions=300, wall=2.0, cpu=1.0, sampling=0.5, written=0.0, fill=(0.0, 0.0))
    assert turn.rate("wall") == pytest.approx(200)
    assert turn.rate("wall", sampler=True) == pytest.approx(150)
    # A quarter of the clock's time went to the sampler, and so did a quarter of the processor's.
    assert turn.rate("cpu") == pytest.approx(400)
    assert turn.rate("cpu", sampler=True) == pytest.approx(300)


def test_decisions_are_counted_by_game(peers):
    from contestants import Contestant, Label, play_batch

    def play(batch):
        return play_batch("vikings", 2, 1, batch)

    player = peers.Player(Contestant(Label("ours", "vikings", "batched"), play, (8,)), 8)
    game = player.turn(0.01)
    assert game.decisions > 0
    assert game.decisions % 8 == 0
    observation, legal, _ = player.waiting
    assert game.written == observation[0].nbytes + legal[0].nbytes
    assert min(game.fill) > 0
    player.play.close()
