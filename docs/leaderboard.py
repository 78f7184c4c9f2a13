"""Write docs/leaderboard.md: agents rated against each other on every game at 2, 3 and 4 players.

    python docs/leaderboard.py --agents random greedy --games 2000

Games and numbers of players are cut to those asked for with --only, such as ``--only vikings:2 raiders:3``; the others
keep what the page said. Policies play one game at one number of players: add them for one table with ``--also
vikings:2=runs/vikings/two_players``.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import evaluate  # noqa: E402
import northsea_envs  # noqa: E402
from agents.results import Results, load  # noqa: E402
from agents.texts import agents_table  # noqa: E402
from northsea_envs.files import write_atomically  # noqa: E402

PAGE = ROOT / "docs" / "leaderboard.md"
HEAD = """# Leaderboard

Agents of the suite against each other, all seatings equally often with the same deals. `random` has 0 points; 400 are
odds of ten to one of finishing ahead; "at least" stands where one never finished behind the other. Intervals hold 95%.
Two agents at more seats hold half of them over all games, so that one that always wins has a win share of 2 / players.
[evaluation.md](evaluation.md) says more.

The command below each table plays it again; docs/leaderboard.py, which wrote this page, plays all with new seeds.
"""


def _tables() -> list[tuple[str, int]]:
    games = [northsea_envs.get_game(name) for name in northsea_envs.GAMES]
    return [(game.name, players) for game in games for players in range(game.min_players, game.max_players + 1)]


def _parsed(text: str) -> tuple[str, int]:
    name, _, players = text.partition(":")
    table = (name, int(players) if players.isdigit() else 0)
    if table not in _tables():
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(f'{n}:{p}' for n, p in _tables())}")
    return table


def _also(text: str) -> tuple[tuple[str, int], str]:
    table, sign, agent = text.partition("=")
    if not sign or not agent:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form game:players=agent")
    return _parsed(table), agent


def _section(name: str, players: int, command: Sequence[str], results: Results) -> str:
    title = northsea_envs.get_game(name).title
    deals = max(pairing.deals for pairing in results.schedule)
    return (
        f"## {title}, {players} players\n\n{agents_table(results)}\n"
        f"{len(results.games):,} games of {deals:,} deals, northsea-envs {results.package_version}, "
        f"tables {results.tables_fingerprint}:\n\n    {shlex.join(command)}\n"
    )


def _kept() -> dict[str, str]:
    """The sections that the page has now, by heading."""
    if not PAGE.exists():
        return {}
    parts = re.split(r"^(?=## )", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: part.rstrip() + "\n" for part in parts}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and write the page; returns the code of the first tournament that fails, else 0."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agents", nargs="+", default=["random", "greedy"], help="who plays at every table")
    parser.add_argument("--also", nargs="+", type=_also, default=[], metavar="TABLE=AGENT", help="who plays at one")
    parser.add_argument("--games", type=int, default=2000, help="games of each pairing (default %(default)s)")
    parser.add_argument("--only", nargs="+", type=_parsed, metavar="GAME:PLAYERS", help="tables that are made anew")
    parser.add_argument("--processes", type=int, default=1, help="processes that play (default %(default)s)")
    given = parser.parse_args(arguments)
    sections = _kept()
    for name, players in given.only or _tables():
        agents = [*given.agents, *(agent for table, agent in given.also if table == (name, players))]
        command = [name, "--players", str(players), "--agents", *agents, "--games", str(given.games)]
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "out.json")
            code = evaluate.main([*command, "--processes", str(given.processes), "--json", path])
            if code:
                return code
            seed = json.loads(Path(path).read_text(encoding="utf-8"))["seed"]
            shown = ["python", "evaluate.py", *command, "--seed", str(seed), "--json", "out.json"]
            section = _section(name, players, shown, load(path))
        sections[section.partition("\n")[0]] = section
        order = [f"## {northsea_envs.get_game(n).title}, {p} players" for n, p in _tables()]
        body = "\n".join(sections[heading] for heading in order if heading in sections)
        # After each table, so that a long run leaves what it has.
        write_atomically(PAGE, f"{HEAD}\n{body}".encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
