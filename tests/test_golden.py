"""Golden games: what is played now must be what the files in tests/golden say, to the letter."""

from __future__ import annotations

import difflib
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import TABLES_OF_PLAYERS, raw_env

_spec = importlib.util.spec_from_file_location("golden_make", Path(__file__).parent / "golden" / "make.py")
assert _spec and _spec.loader
make = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make)

HOW = (
    "If the change is meant: run `python tests/golden/make.py`, read the difference, and bump the version of the "
    "environment with a line in its Version History (words that read differently need no new version)."
)
every_golden_game = pytest.mark.parametrize("golden", make.GAMES, ids=[golden.path.stem for golden in make.GAMES])


def test_every_game_at_every_number_of_players_has_one():
    plain = [(golden.name, golden.players) for golden in make.GAMES if not golden.game.variant]
    assert sorted(plain) == sorted(TABLES_OF_PLAYERS)
    files = {path.name for path in make.FOLDER.glob("*.txt")}
    assert files == {golden.path.name for golden in make.GAMES}, f"golden files missing or left over. {HOW}"


@every_golden_game
def test_is_played_as_written(golden):
    assert golden.path.exists(), f"{golden.path} is missing. {HOW}"
    written = golden.path.read_text(encoding="utf-8").splitlines()
    played = make.text_of(golden).splitlines()
    difference = list(difflib.unified_diff(written, played, "written", "played", lineterm="", n=2))[:40]
    assert not difference, "\n".join([f"{golden.path.name} is not what is played now. {HOW}", *difference])


@every_golden_game
def test_can_be_followed_by_its_numbers(golden):
    """The file alone is enough: its header and its action ids lead through the AEC face to its result."""
    text = golden.path.read_text(encoding="utf-8")
    header = dict(re.findall(r"^(game|tables|players|seed) +(\S+)$", text, re.MULTILINE))
    game = golden.game
    assert header == {
        "game": game.id,
        "tables": game.fingerprint,
        "players": str(golden.players),
        "seed": str(golden.seed),
    }
    env = raw_env(golden.name, golden.players, **golden.options)
    env.reset(seed=golden.seed)
    decisions = make.DECISION.findall(text)
    for place, (number, seat, legal, action, name, words) in enumerate(decisions):
        assert int(number) == place
        assert env.agent_selection == f"player_{seat}"
        assert env.infos[env.agent_selection]["action_mask"].sum() == int(legal)
        assert game.action_name(golden.players, int(action)) == name
        states = game.restore(env.get_state())
        assert game.action_text(states, 0, int(action)) == words
        env.step(int(action))
    assert f"decisions  {len(decisions)}\n" in text
    results = re.findall(r"^seat (\d) +score (-?\d+), place (\d)$", text, re.MULTILINE)
    told = [(str(seat), f"{env.infos[a]['score']:g}", str(env.infos[a]["rank"])) for seat, a in enumerate(env.agents)]
    assert results == told


@pytest.mark.parametrize("golden", [g for g in make.GAMES if g.drawn], ids=lambda golden: golden.path.stem)
def test_is_the_game_that_the_kernel_plays(golden):
    """The rule by which the decisions were drawn is that of kernels.random_game."""
    game = golden.game
    states = game.new_states(golden.players, [golden.seed], golden.options)
    legal = np.zeros(game.num_actions(golden.players), np.int8)
    length = game.kernels.random_game(game.tables, states, 0, golden.seed, legal, True)
    written = golden.path.read_text(encoding="utf-8")
    assert f"decisions  {length}\n" in written
    assert "\n".join(line.rstrip() for line in game.text(states, 0, None).splitlines()) in written
