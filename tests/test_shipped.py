"""The policies that come along: whole, small, of the games as they are, and as good as is said."""

from __future__ import annotations

import hashlib
import json
import shutil
import warnings
from pathlib import Path

import pytest

import agents
import evaluate as script
import northsea_envs
from agents.config import read_config
from agents.evaluation import evaluate
from agents.layout import Layout
from agents.policy import read_about
from agents.ship import MAX_SIZE, STRENGTH_FILE
from agents.shipped import FOLDER, folder_of

SHIPPED = sorted(path.parent for path in FOLDER.glob("*/*/policy.json"))
by_folder = pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: str(folder.relative_to(FOLDER)))


def game_of(folder: Path) -> tuple[northsea_envs.game.Game, int]:
    config = read_config(folder / "config.yaml")
    return northsea_envs.get_game(config.game).with_options(config.options), config.players


def test_each_game_has_one_at_two_and_at_four_players():
    wanted = {folder_of(northsea_envs.get_game(game), players) for game in northsea_envs.GAMES for players in (2, 4)}
    assert wanted <= set(SHIPPED)


@by_folder
def test_a_policy_is_whole_and_of_the_game_as_it_is(folder):
    game, players = game_of(folder)
    assert folder_of(game, players) == folder
    about = read_about(folder)
    with warnings.catch_warnings():
        # A policy of other tables warns.
        warnings.simplefilter("error")
        agent = agents.load(game, "pretrained", players)
    assert agent.network == read_config(folder / "config.yaml").network.build(Layout(game, players))
    assert (folder / "policy.safetensors").stat().st_size <= MAX_SIZE
    strength = json.loads((folder / STRENGTH_FILE).read_text())
    assert strength["decisions"] == about["steps"] <= strength["run"]["decisions"]
    assert strength["minutes"] <= strength["run"]["minutes"] <= 90
    assert all("train.py" in command for command in strength["commands"])
    opponents = {against["opponent"]: against for against in strength["against"]}
    assert "greedy" in opponents
    for against in opponents.values():
        assert against["games"] >= 1000
        share = against["win_share"]
        assert share["low"] <= share["mean"] <= share["high"]
    assert (folder / "curve.svg").stat().st_size


@by_folder
def test_a_policy_is_about_as_good_as_is_said(folder):
    game, players = game_of(folder)
    result = evaluate(game, players=players, agents={"policy": "pretrained", "greedy": "greedy"}, games=200, seed=77)
    first = next(iter(result.summary.values())).agents["policy"]
    (said,) = (a for a in json.loads((folder / STRENGTH_FILE).read_text())["against"] if a["opponent"] == "greedy")
    # Four standard deviations of 200 games and of 1,000.
    spread = (said["win_share"]["mean"] * (1 - said["win_share"]["mean"]) * (1 / 200 + 1 / 1000)) ** 0.5
    assert first.win_share.mean == pytest.approx(said["win_share"]["mean"], abs=4 * spread)


def test_results_say_which_policy_it_was(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("agents.shipped.FOLDER", tmp_path)
    folder = tmp_path / "vikings" / "2p"
    shutil.copytree(FOLDER / "vikings" / "2p", folder)
    out = tmp_path / "out.json"
    asked = ["vikings", "--agents", "pretrained", "greedy", "random", "--games", "2"]
    assert script.main([*asked, "--json", str(out)]) == 0
    results = json.loads(out.read_text())
    assert results["players"] == 2
    versions = {agent["name"]: agent["version"] for agent in results["agents"]}
    assert versions["greedy"] == versions["random"] == northsea_envs.__version__
    contents = (folder / "policy.json").read_bytes() + (folder / "policy.safetensors").read_bytes()
    assert versions["pretrained"] == "sha256:" + hashlib.sha256(contents).hexdigest()[:16]
    assert script.main(["verify", str(out)]) == 0
    # Another policy is another agent.
    about = json.loads((folder / "policy.json").read_text())
    (folder / "policy.json").write_text(json.dumps(about | {"steps": 1}))
    capsys.readouterr()
    with pytest.raises(SystemExit):
        script.main(["verify", str(out)])
    assert f"agent 'pretrained' was version '{versions['pretrained']}'" in capsys.readouterr().err
