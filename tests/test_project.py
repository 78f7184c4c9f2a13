"""The documents say what the code does."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

from northsea_envs import GAMES, get_game

ROOT = Path(__file__).parent.parent


def make_docs():
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "docs" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", GAMES)
def test_environment_page_is_current(name):
    page = ROOT / "docs" / "environments" / f"{name}.md"
    assert page.read_text(encoding="utf-8") == make_docs().page(name), "run: python docs/make.py"


def test_page_of_the_values_is_current():
    page = ROOT / "docs" / "values.md"
    assert page.read_text(encoding="utf-8") == make_docs().values_page(), "run: python docs/make.py"


@pytest.mark.parametrize("name", GAMES)
def test_action_blocks_cover_every_action_once(name):
    game = get_game(name)
    for players in range(game.min_players, game.max_players + 1):
        place = 0
        for block in game.action_blocks(players):
            assert block.first == place
            place += block.size
            assert game.action_name(players, block.first).startswith(block.name)
        assert place == game.num_actions(players)
        with pytest.raises(ValueError, match=f"0 to {place - 1}"):
            game.action_name(players, place)


def test_ci_runs_the_second_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    (python3 -m venv .*)$", readme, re.MULTILINE)
    assert len(commands) == 2
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for part in commands[1].split(" && "):
        # CI prints less and says so; everything else is the same words.
        assert part in ci.replace(" --quiet --disable-pip-version-check", "")


def test_configs_named_in_the_readme_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"configs/\S+\.yaml", readme))
    assert named
    for path in named:
        assert (ROOT / path).is_file()


def test_every_table_is_package_data():
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    shipped = {
        path
        for package, globs in patterns.items()
        for glob in globs
        for path in (ROOT / package.replace(".", "/")).glob(glob)
    }
    assert shipped >= set((ROOT / "northsea_envs" / "games").rglob("*.csv"))
    assert shipped
