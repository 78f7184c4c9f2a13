"""The engine against the reference implementation, decision by decision, in random games.

``NORTHSEA_LONG_GAMES`` is the number of games for each number of players.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache

import pytest

from tests.tiny_epic_vikings.changes import changed, constant
from tests.tiny_epic_vikings.lockstep import play_game
from tests.tiny_epic_vikings.positions import read

GAMES = int(os.environ.get("NORTHSEA_LONG_GAMES", "5"))


@cache
def games(players: int) -> Counter[str]:
    """What happened in all games of so many players."""
    happened: Counter[str] = Counter()
    for number in range(GAMES):
        happened += play_game(players, number)
    return happened


@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_reference_agree_at_every_decision(players):
    assert games(players)["DP-3"]


def test_the_rare_cases_came_up():
    # A comparison in which they never come up would say nothing about them.
    happened = games(2) + games(3) + games(4)
    rare = [f"DP-{k}" for k in range(1, 24)]
    rare += sorted({row["rune_action"] for row in read("viking_cards")} - {"NONE"})
    rare += [f"boon {row['boon_action']}" for row in read("gods")]
    rare += ["take", "steal", "loss", "attack", "boat displaced", "own boat displaced", "two dockings in one SAIL"]
    rare += ["battle won", "battle tied", "steel unpaid", "last competitor", "no competitor", "join"]
    rare += ["Invader won", "Invader lost", "Invader tied", "battle resolved at the end of an era"]
    rare += ["reshuffle", "gain lost", "draw with an empty hand", "fewest Island Runes tied"]
    if GAMES >= 40:
        rare += ["attack on E", "smite E", "rune goes back because of E", "deploy from an Island"]
        rare += ["Dedication space full", *(f"dedicated {row['space_id']}" for row in read("dedication_spaces"))]
    assert not [case for case in rare if not happened[case]], happened


SWITCHES = [
    ("chieftain_rule", "MOST_ISLAND_RUNES"),
    ("two_player_enemy", 0),
    ("enter_battle_card", "HAND"),
    ("enter_battle_may_start", 0),
    ("deploy_limit_scope", "PER_ACTION"),
    ("own_boat_may_be_displaced", 0),
    ("control_lost_when", "NO_INFLUENCE"),
    ("lone_after_unpaid_steel", "WIN_UNOPPOSED"),
    ("favor_holdings_observable", 0),
]


def test_every_switch_is_known():
    assert {row["key"] for row in read("constants") if row["type"] != "INT"} == {key for key, _ in SWITCHES}


@pytest.mark.parametrize(("key", "value"), SWITCHES)
def test_they_agree_with_each_switch_in_its_other_position(key, value, tmp_path):
    rules = changed(tmp_path, constant(key, value))
    # Without the Enemy two players are of interest, else one number of players a switch.
    players = 2 if key == "two_player_enemy" else 2 + len(key) % 3
    assert sum((play_game(players, number, rules) for number in range(max(1, GAMES // 5))), Counter())["DP-3"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_they_agree_with_all_switches_in_their_other_positions(players, tmp_path):
    rules = changed(tmp_path, *(constant(key, value) for key, value in SWITCHES))
    assert sum((play_game(players, number, rules) for number in range(max(1, GAMES // 5))), Counter())["DP-3"]
