"""Write the documentation page of every environment from its docstring and from what the code declares.

``python docs/make.py`` rewrites docs/environments/ and the tables of weights in docs/values.md; a test fails when a
page is not what this would write.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from northsea_envs import GAMES, Game, get_game  # noqa: E402
from northsea_envs.game import seat_of  # noqa: E402
from northsea_envs.tables import read_weights  # noqa: E402

FOLDER = ROOT / "docs" / "environments"
VALUES = ROOT / "docs" / "values.md"


def page(name: str) -> str:
    """The page of one game.

    Marks such as ``[observation]`` in the docstring become tables; ``[observation variant=advanced]`` is the table of
    what that variant adds.
    """
    game = get_game(name)
    makers = {"facts": facts, "arguments": arguments, "observation": observation, "actions": actions}

    def table(mark: re.Match) -> str:
        make = makers[mark[1]]
        return make(game.with_options({mark[2]: mark[3]}), game) if mark[2] else make(game)

    text = importlib.import_module(f"northsea_envs.{game.id}").__doc__ or ""
    text = re.sub(rf"^\[({'|'.join(makers)})(?: (\w+)=(\w+))?\]$", table, text, flags=re.MULTILINE)
    return "<!-- Written by docs/make.py; edit the docstring of the environment's module. -->\n" + text


def _players(game: Game) -> range:
    return range(game.min_players, game.max_players + 1)


def _by_players(game: Game, values: list) -> str:
    if len(set(values)) == 1:
        return str(values[0])
    return " / ".join(map(str, values)) + " with " + " / ".join(map(str, _players(game))) + " players"


def facts(game: Game, without: Game | None = None) -> str:
    """The table at the head of a page; of a variant only what differs from the game ``without`` it."""
    sizes = [game.observation_size(n) for n in _players(game)]
    numbers = [game.num_actions(n) for n in _players(game)]
    rows = [
        (
            "Creation",
            f'`{game.id}.env(num_players=...)` or `pettingzoo.make("aec", "northsea/{game.name}-{game.version}")`',
        ),
        ("Actions", "Discrete"),
        ("Parallel API", "No"),
        ("Manual Control", "No"),
        ("Agents", f"{game.min_players} to {game.max_players}: `player_0`, `player_1`, ..."),
        ("Action Shape", "(1)"),
        ("Action Values", "Discrete(" + _by_players(game, numbers) + ")"),
        ("Observation Shape", "(" + _by_players(game, sizes) + ",)"),
        ("Observation Values", "float32, bounds by field below"),
        ("Longest game", _by_players(game, [game.longest_game(n) for n in _players(game)]) + " decisions at most"),
        ("Tables", f"fingerprint `{game.fingerprint}`"),
    ]
    if without is not None:
        rows = [row for row in rows if f"| {row[0]} | {row[1]} |" not in facts(without)]
    return "| | |\n|---|---|\n" + "\n".join(f"| {a} | {b} |" for a, b in rows)


def arguments(game: Game) -> str:
    """Keywords of the factories."""
    rows = [
        ("num_players", f"{game.min_players} to {game.max_players}", "2", "number of agents"),
        ("reward", "`rank`, `win`, `score`", "`rank`", "see Rewards"),
        ("render_mode", "None, `ansi`, `human`", "None", "`render()` returns text, or prints it after each step"),
        ("tables", "None or a folder", "None", "corrected component tables"),
    ]
    for option in game.options + game.variants:
        choices = ", ".join(f"`{c}`" if isinstance(c, str) else str(c) for c in option.choices)
        default = f"`{option.default}`" if isinstance(option.default, str) else str(option.default)
        rows.append((option.name, choices, default, option.meaning))
    head = "| keyword | values | default | meaning |\n|---|---|---|---|\n"
    return head + "\n".join(f"| `{a}` | {b} | {c} | {d} |" for a, b, c, d in rows)


def observation(game: Game, without: Game | None = None) -> str:
    """Index table of the observation, a column of indices for each number of players."""
    known = {f.name for n in _players(game) for f in without.observation_fields(n)} if without else set()
    starts: dict[str, dict[int, str]] = {}
    meanings: dict[str, tuple[float, float, str]] = {}
    places = {n: _places(game, n) for n in _players(game)}
    for players, begins in places.items():
        for field in game.observation_fields(players):
            if field.name in known:
                continue
            seat, rest = seat_of(field.name)
            if seat:
                # The fields of the other seats repeat those of seat_0, or of seat_1 where that has none.
                name, first = f"seat_k.{rest}", int(f"seat_0.{rest}" not in begins)
                columns = _stride(begins, first, rest, field.size)
            else:
                name, first = field.name, None
                columns = _columns(begins[name], field.size)
            starts.setdefault(name, {})[players] = columns
            low, high = meanings.get(name, (field.low, field.high, ""))[:2]
            meaning = "the same of seat_k, k = 1, 2, ..." if first == 0 else field.meaning
            meanings[name] = (min(low, field.low), max(high, field.high), meaning)
    head = "| field | " + " | ".join(f"{n} players" for n in _players(game)) + " | from | to | meaning |\n|---"
    lines = [head + "|---" * len(_players(game)) + "|---|---|---|"]
    for name, columns in starts.items():
        low, high, meaning = meanings[name]
        cells = " | ".join(columns.get(n, "") for n in _players(game))
        lines.append(f"| `{name}` | {cells} | {low:.4g} | {high:.4g} | {meaning} |")
    return "\n".join(lines)


def _places(game: Game, players: int) -> dict[str, int]:
    """The first column of each field."""
    places, place = {}, 0
    for field in game.observation_fields(players):
        places[field.name] = place
        place += field.size
    return places


def _columns(begin: int, size: int) -> str:
    return str(begin) if size == 1 else f"{begin}-{begin + size - 1}"


def _stride(places: Mapping[str, int], first: int, rest: str, size: int) -> str:
    """Where ``seat_k.<rest>`` lies, from that of the ``first`` seat that has it, 0 or 1."""
    begin = places[f"seat_{first}.{rest}"]
    second = places.get(f"seat_{first + 1}.{rest}")
    if second is None:
        return _columns(begin, size)
    if first == 0:
        return f"seat_0's + k * {second - begin}"
    return f"{_columns(begin, size)}, + (k - 1) * {second - begin}"


def actions(game: Game, without: Game | None = None) -> str:
    """Index table of the actions, a column of ids for each number of players."""
    known = {block.name for block in without.action_blocks(game.min_players)} if without else set()
    columns = [[b for b in game.action_blocks(n) if b.name not in known] for n in _players(game)]
    lines = ["| action | " + " | ".join(f"{n} players" for n in _players(game)) + " | meaning |"]
    lines.append("|---" * (len(columns) + 2) + "|")
    for blocks in zip(*columns, strict=True):
        ids = " | ".join(str(b.first) if b.size == 1 else f"{b.first}-{b.first + b.size - 1}" for b in blocks)
        lines.append(f"| `{blocks[0].name}` | {ids} | {blocks[0].meaning} |")
    return "\n".join(lines)


def weights(name: str) -> str:
    """Table of what the ``value`` of a game weighs by."""
    game = get_game(name)
    folder = importlib.import_module(f"northsea_envs.games.{name}").TABLES
    lines = ["| weight | value | from | to | meaning |", "|---|---|---|---|---|"]
    for w in read_weights(folder, game.weights):
        lines.append(f"| `{w.name}` | {w.value:g} | {w.low:g} | {w.high:g} | {w.meaning} |")
    return "\n".join(lines)


def values_page() -> str:
    """docs/values.md with the tables of weights as they are now, each between its two marks."""
    text = VALUES.read_text(encoding="utf-8")
    for name in GAMES:
        begin, end = f"<!-- weights of {name}, written by docs/make.py -->\n", f"<!-- end of {name} -->\n"
        before, between, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not between or not found:
            raise ValueError(f"{VALUES} lacks the marks {begin.strip()} and {end.strip()}")
        text = f"{before}{begin}\n{weights(name)}\n\n{end}{after}"
    return text


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")
        print(FOLDER / f"{name}.md")
    VALUES.write_text(values_page(), encoding="utf-8")
    print(VALUES)
