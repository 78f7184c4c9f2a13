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


def columns_in(cell: str, rows: dict[str, str], name: str, k: int) -> int:
    """The first column that a cell of a page's table gives for seat k, or for a field of no seat."""
    if match := re.fullmatch(r"seat_0's \+ k \* (\d+)", cell):
        return int(rows[name.replace("seat_k.", "seat_0.")].partition("-")[0]) + k * int(match[1])
    match = re.fullmatch(r"(\d+)(?:-\d+)?(?:, \+ \(k - 1\) \* (\d+))?", cell)
    assert match, cell
    return int(match[1]) + (k - 1) * int(match[2] or 0)


@pytest.mark.parametrize(
    ("name", "variant"),
    [("vikings", {}), ("vikings", {"variant": "advanced"}), ("tiny_epic_vikings", {}), ("raiders", {})],
)
def test_pages_say_where_every_field_lies(name, variant):
    game = get_game(name).with_options(variant)
    page = (ROOT / "docs" / "environments" / f"{name}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| [-\d.e]+ \| [-\d.e]+ \|", page, re.MULTILINE)
    for column, players in enumerate((2, 3, 4), 1):
        cells = {row[0]: row[column].strip() for row in rows}
        place = 0
        for field in game.observation_fields(players):
            shown, k = field.name, 0
            if (match := re.fullmatch(r"seat_(\d+)\.(.+)", field.name)) and match[1] != "0":
                shown, k = f"seat_k.{match[2]}", int(match[1])
            assert columns_in(cells[shown], cells, shown, k) == place, field.name
            place += field.size


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
