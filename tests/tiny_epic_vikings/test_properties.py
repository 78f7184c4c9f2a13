"""Section 18's invariants, the information of section 20.5 and the bounds of section 20 in random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

from northsea_envs.game import ILLEGAL
from northsea_envs.games.tiny_epic_vikings import state as fields
from tests.tiny_epic_vikings.changes import changed, constant
from tests.tiny_epic_vikings.memory import Memory
from tests.tiny_epic_vikings.positions import (
    PRINTED,
    Position,
    Rules,
    boats_placed,
    eagerness,
    fresh,
    idle,
    position,
    seat,
    walk,
)

PLAYERS = (2, 3, 4)
NO, YES = "STOP", "YES"


# --- the invariants, read off the record ----------------------------------------------------------


def clans(p: Position) -> list:
    return [*range(p.players), *(["E"] if p.s["enemy"] else [])]


def influence(p: Position, clan, island: str) -> int:
    """T-CTRL-1."""
    docked = [place for place in (p.boats(clan) if clan != "E" else []) if place in p.t.docks]
    boats = sum(p.t.docks[place]["island_id"] == island for place in docked)
    return p.settlers(island).get(clan, 0) + 4 * p.temples(island).get(clan, 0) + 2 * boats


def boots(p: Position, clan, island: str) -> bool:
    return clan in p.settlers(island) or clan in p.temples(island)


def broken(p: Position) -> list[int]:
    """Numbers of the statements of section 18 that do not hold; those about whole games are left out."""
    t, seats = p.t, range(p.players)
    found = []
    piles = [p.deck(), [*p.discard()], [*p.invaders()], [*p.enemy_pack()]]
    for s in seats:
        piles += [[*p.hand(s)], [card.strip("()") for card in p.row(s)], [*p.pack(s)]]
    if sorted(card for pile in piles for card in pile) != sorted(t.cards):
        found.append(1)
    contested = 1 if p.s["contested"] else 0
    held = [len(p.favors(s)) for s in seats]
    all_favors = [*p.top(), *p.bottom(), *(favor for s in seats for favor in p.favors(s))]
    if len(set(all_favors)) != len(all_favors):
        found.append(2)
    if sum(map(len, (p.top(), p.bottom()))) + contested + sum(held) != 2 * t.side["favor_row_size"]:
        found.append(2)
    if max(held) > 3 + (p.point == "DP-23"):
        found.append(2)
    for s in seats:
        on_map = sum(p.settlers(island).get(s, 0) for island in p.islands)
        temples = sum(p.temples(island).get(s, 0) for island in p.islands)
        boats = sum(place is not None for place in p.boats(s)[1:])
        built = Counter(slot[:4] for slot in p.built(s))
        being_placed = p.point == "DP-15" and p.seat == s
        if on_map + p.on_mat(s) != 6 or p.on_mat(s) < 0:
            found.append(3)
        if built["BOAT"] + built["TEMP"] - boats - temples != being_placed or built["TEMP"] > 2:
            found.append(3)
        if p.point != "DP-1" and p.boats(s)[0] is None:
            found.append(3)
        if not all(0 <= number <= 7 for number in p.resources(s)):
            found.append(4)
    if min(p.fury) < 0:
        found.append(4)
    docked = Counter(place for s in seats for place in p.boats(s) if place in t.docks)
    if p.point != "DP-9" and docked and max(docked.values()) > 1:
        found.append(5)
    if p.point in ("DP-1", "DP-2", "DP-3", "DP-20", "OVER"):
        for island in p.islands:
            h = p.holder(island)
            if h is None:
                continue
            others = [clan for clan in clans(p) if clan != h and boots(p, clan, island)]
            if not boots(p, h, island) or any(influence(p, c, island) > influence(p, h, island) for c in others):
                found.append(6)
    villages = len(p.docks_with_village()) + sum(p.villages(s) for s in seats) + sum(p.spaces().values())
    if villages != t.side["villages_on_map"] or max(p.spaces().values(), default=0) > p.players:
        found.append(7)
    facedown = [sum("(" in card for card in p.row(s)) for s in seats]
    battle = p.s["starter"] >= 0 and not p.s["revealed"]
    if max(facedown) > 1 or (any(facedown) and not battle):
        found.append(8)
    if any(p.holder(island) not in (None, *seats) for island in p.islands):
        found.append(10)
    return found


@pytest.mark.rules(
    "T-INVAR-1", "T-INVAR-2", "T-INVAR-3", "T-INVAR-4", "T-INVAR-5", "T-INVAR-6", "T-INVAR-7", "T-INVAR-8", "T-INVAR-10"
)
@pytest.mark.parametrize("players", PLAYERS)
def test_invariants_in_random_games(players):
    for p in walk(players, seed=20 + players, decisions=900):
        assert broken(p) == []
        assert p.check() == 0


@pytest.mark.rules("T-INVAR-9", "T-ERA-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_plays_fifteen_cards_and_the_game_ends(players):
    chooser = random.Random(players)
    for number in range(3):
        p, played = fresh(players, seed=number), Counter()
        decisions = 0
        while p.seat is not None:
            names = sorted(p.legal())
            name = chooser.choices(names, [eagerness(name) for name in names])[0]
            played[p.seat] += name.split()[0] in ("UP", "DOWN")
            p.apply(name)
            decisions += 1
        assert played == dict.fromkeys(range(players), 15)
        assert decisions <= min(5000, p.game.longest_game(players))
        assert sorted(p.ranks())[0] == 1


# --- bounds ---------------------------------------------------------------------------------------


def test_action_ids_are_those_of_section_20_3():
    game = PRINTED.game
    for players in PLAYERS:
        assert game.num_actions(players) == 316
        blocks = [(block.first, block.first + block.size - 1) for block in game.action_blocks(players)]
        assert blocks == [
            (0, 0), (1, 48), (49, 96), (97, 144), (145, 148), (149, 166), (167, 170), (171, 210), (211, 219),
            (220, 220), (221, 221), (222, 224), (225, 248), (249, 284), (285, 289), (290, 295), (296, 302),
            (303, 309), (310, 315),
        ]  # fmt: skip
        names = [game.action_name(players, action) for action in range(316)]
        assert len(set(names)) == 316
    p = fresh(3)
    known = {"STOP": 0, "PICK V48": 48, "UP V01": 49, "DOWN V48": 144, "BOTTOM LEFT": 147, "FAVOR F18": 166}
    known |= {"BOAT 3": 170, "TO AF10": 180, "TO AD01": 181, "TO AD21": 201, "ISLAND A6": 216, "MAT": 220, "YES": 221}
    known |= {"STEEL": 224, "A1>A2": 225, "A2>A1": 226, "A4>A6": 241, "SMITE A2 +1": 253, "SMITE A6 E": 272}
    known |= {"BUILD TEMPLE_2": 289, "WOOD>STEEL": 291, "STEEL>FOOD": 295, "AMOUNT 7": 302, "SPACE G3": 309}
    known |= {"FEHU -": 311, "PERTHO +": 314}
    assert {name: p.ids[name] for name in known} == known


# Section 20.2; the sum of both kinds of options where there are two.
MOST = {1: 8, 2: 6, 3: 12, 4: 4, 5: 2, 6: 2, 7: 5, 8: 13, 9: 2, 10: 9, 11: 2, 12: 25, 13: 4, 14: 6, 15: 12, 16: 25}
MOST |= {17: 28, 18: 7, 19: 6, 20: 8, 21: 2, 22: 7, 23: 4}


@pytest.mark.parametrize("players", PLAYERS)
def test_bounds_of_section_20(players):
    low, high = PRINTED.game.observation_bounds(players)
    seen_points = set()
    for number, p in enumerate(walk(players, seed=60 + players, decisions=900)):
        if p.seat is None:
            continue
        seen_points.add(p.point)
        assert 1 <= len(p.legal()) <= MOST[int(p.point[3:])], p.point
        assert len(p.invaders()) <= 15
        assert len(p.deck()) + len(p.discard()) >= 9 or p.point == "DP-2"
        if number % 5 == 0:
            for s in range(players):
                seen = p.view(s)
                assert (seen >= low).all()
                assert (seen <= high).all()
    assert len(seen_points) > 15


def test_the_observation_is_compact():
    assert PRINTED.game.observation_size(4) <= 900


# --- check() finds what is broken -----------------------------------------------------------------


@cache
def mid_games(players: int) -> tuple[Position, ...]:
    """Starts of turns in the midst of random games."""
    return tuple(p.copy() for p in walk(players, seed=4, decisions=2500) if p.point == "DP-3" and p.era > 1)


def some_position(wanted: Callable[[Position], bool] = lambda p: True, players: int = 3) -> Position:
    """A sound position in the midst of a game that is as wanted, in a state of its own."""
    p = next(p for p in mid_games(players) if wanted(p)).copy()
    assert p.check() == 0
    assert broken(p) == []
    return p


@pytest.mark.rules("T-INVAR-1")
@pytest.mark.parametrize("place", ["hand", "row", "deck", "discard"])
def test_check_finds_a_card_in_the_wrong_place(place):
    p = some_position(lambda p: len(p.hand(1)) > 0 and len(p.row(1)) > 0 and len(p.discard()) > 0 and len(p.deck()) > 1)
    s = p.s
    if place == "hand":
        s["place"][p.cards.index(min(p.hand(1)))] = fields.IN_HAND + 2
    elif place == "row":
        s["row"][1][0] = p.cards.index(min(p.discard())) + 1
    elif place == "deck":
        s["deck"][0] = s["deck"][1]
    elif place == "discard":
        s["place"][p.cards.index(min(p.discard()))] = fields.IN_INVADERS
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-2")
def test_check_finds_a_favor_card_too_many_or_too_few():
    p = some_position(lambda p: len(p.top()) > 1)
    p.s["favor_row_size"][0] -= 1
    assert p.check() != 0
    p = some_position(lambda p: len(p.top()) > 1)
    p.s["favor_row"][0][0] = p.s["favor_row"][0][1]
    assert p.check() != 0
    p = some_position(lambda p: len(p.top()) > 1)
    p.s["favor_owner"][p.favor_names.index(p.top()[0])] = 1
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-3")
@pytest.mark.parametrize("what", ["settler", "boat", "temple", "built"])
def test_check_finds_a_piece_too_many(what):
    p = some_position(lambda p: p.boats(0)[3] is None and not p.temples("A1").get(0))
    if what == "settler":
        p.s["settlers"][0, 0] += p.on_mat(0) + 1
    elif what == "boat":
        p.s["boat_at"][0, 3] = 0
    elif what == "temple":
        p.s["temples"][0, 0] += 1
    elif what == "built":
        p.s["built"][0][p.t.mat_slots.index("BOAT_3")] = 1
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-4")
@pytest.mark.parametrize(("name", "value"), [("resources", 8), ("resources", -1), ("fury", -1)])
def test_check_finds_amounts_out_of_bounds(name, value):
    p = some_position()
    if name == "fury":
        p.s["fury"][1] = value
    else:
        p.s["resources"][1, 1] = value
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-5")
def test_check_finds_two_boats_in_a_dock():
    p = some_position()
    dock = len(p.t.fjords) + 3
    p.s["boat_at"][0, 0] = p.s["boat_at"][1, 0] = dock
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-6")
def test_check_finds_a_holder_without_boots_and_a_stronger_rival():
    def lonely(p: Position) -> bool:
        return any(p.holder(i) is not None and not p.temples(i) and len(p.settlers(i)) == 1 for i in p.islands)

    p = some_position(lonely)
    k = next(
        k for k, i in enumerate(p.islands) if p.holder(i) is not None and not p.temples(i) and len(p.settlers(i)) == 1
    )
    h = p.holder(p.islands[k])
    p.s["holder"][k] = (h + 1) % 3
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-7")
def test_check_finds_a_village_too_many():
    p = some_position()
    p.s["villages"][0] += 1
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-8")
def test_check_finds_a_facedown_card_without_a_battle():
    p = some_position(lambda p: p.battle is None and p.row(1))
    p.s["battle_card"][1] = p.s["row"][1][len(p.row(1)) - 1]
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-9")
def test_check_finds_a_hand_that_is_too_small():
    p = some_position(lambda p: len(p.hand(1)) > 1)
    card = p.cards.index(min(p.hand(1)))
    p.s["place"][card] = fields.IN_DISCARD
    p.s["hand_size"][1] -= 1
    assert p.check() != 0


@pytest.mark.rules("T-INVAR-10")
def test_check_finds_a_rune_in_nobody_s_hands():
    p = some_position()
    p.s["holder"][0] = 3  # of three players
    assert p.check() != 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("seat", 5), ("phase", 99), ("turn_seat", 9), ("players", 7), ("players", 1), ("era", 0), ("era", 4), ("side", 2),
     ("chieftain", 3), ("deck_size", 60), ("god", 6), ("generation", -1), ("pick_number", 40), ("starter", 4)],
)  # fmt: skip
def test_check_finds_a_record_that_makes_no_sense(name, value):
    p = some_position()
    p.s[name] = value
    assert p.check() != 0


# --- hidden information ---------------------------------------------------------------------------


def public(p: Position) -> dict:
    """What everybody sees (section 20.5)."""
    seats = range(p.players)
    return {
        "who": (p.seat, p.turn, p.point, p.era, p.chieftain),
        "players": [(p.resources(s), p.boats(s), p.built(s), p.villages(s), p.favors(s)) for s in seats],
        "rows": [[card if "(" not in card or p.s["battle_public"][s] else "?" for card in p.row(s)] for s in seats],
        "sizes": ([len(p.hand(s)) for s in seats], [len(p.pack(s)) for s in seats], len(p.deck())),
        "enemy": (len(p.enemy_pack()), len(p.at(fields.IN_ENEMY_DISCARD))),
        "discard": p.at(fields.IN_DISCARD),
        "invaders": p.invaders(),
        "pieces": [(p.settlers(i), p.temples(i), p.holder(i)) for i in p.islands],
        "villages": p.docks_with_village(),
        "favors": (p.top(), p.bottom(), p.battle),
        "fury": (p.fury, p.gods, p.spaces()),
    }


def watched(players: int, seed: int, decisions: int, rules: Rules = PRINTED) -> Iterator[tuple[Position, Memory]]:
    """Positions of random games with what each seat knows; many draws, joins and entries into battles."""
    chooser = random.Random(seed)
    p = fresh(players, seed=seed, rules=rules)
    memory = Memory(p)
    for _ in range(decisions):
        if p.seat is None:
            p = fresh(players, seed=chooser.randrange(2**63), rules=rules)
            memory = Memory(p)
        yield p, memory
        names = sorted(p.legal())
        draws = [
            f"UP {card}" for card, row in p.t.cards.items() if row["rune_action"] in ("DRAW_REPLACE", "ENTER_BATTLE")
        ]
        weights = [5.0 if name in draws or name == YES else 2.0 if name.startswith("DOWN") else 1.0 for name in names]
        memory.play(chooser.choices(names, weights)[0])


def check_secrets(players: int, seed: int, decisions: int, every: int, rules: Rules = PRINTED) -> Counter[str]:
    """Law 3 in random games: nobody sees, or can draw anew, what they may not, and what they know stays so."""
    points: Counter[str] = Counter()
    for number, (p, memory) in enumerate(watched(players, seed, decisions, rules)):
        if number % every and p.point not in ("DP-19", "DP-2", "DP-4", "DP-23"):
            continue
        points[p.point] += 1
        mask, seen_by_all = p.mask(), public(p)
        for who in range(players):
            other = p.redrawn(who, seed=number)
            assert (other.view(who) == p.view(who)).all(), p.point
            assert public(other) == seen_by_all
            assert (other.hand(who), other.pack(who), other.row(who)) == (p.hand(who), p.pack(who), p.row(who))
            assert other.s["picked"][who] == p.s["picked"][who]
            assert other.check() == 0
            assert broken(other) == []
            assert memory.contradictions(who, p) == []
            assert memory.contradictions(who, other) == []
            if p.seat == who:
                assert (other.mask() == mask).all()
            # What is drawn depends on nothing that is hidden: from another game that looks the same, the same comes.
            assert other.redrawn(who, seed=7).s.tobytes() == p.redrawn(who, seed=7).s.tobytes()
            # And the drawn game is as good as any: somebody else's view of it can be drawn anew, too.
            onlooker = (who + 1) % players
            again = other.redrawn(onlooker, seed=number)
            assert (again.view(onlooker) == other.view(onlooker)).all()
            assert again.check() == 0
    return points


@pytest.mark.rules("T-DRAFT-4", "T-DRAFT-5", "T-ENTER-3", "T-FAVOR-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_sees_what_they_may_not(players):
    points = check_secrets(players, seed=players, decisions=700, every=9)
    assert points["DP-2"]
    assert points["DP-19"]


@pytest.mark.parametrize(
    ("key", "value", "players"),
    [("two_player_enemy", 0, 2), ("enter_battle_card", "HAND", 3), ("favor_holdings_observable", 0, 4)],
)
def test_nobody_sees_what_they_may_not_under_other_switches(key, value, players, tmp_path):
    rules = changed(tmp_path, constant(key, value))
    assert check_secrets(players, seed=3, decisions=300, every=9, rules=rules)


@pytest.mark.parametrize("players", PLAYERS)
def test_hidden_things_are_drawn_anew(players):
    p = picked(boats_placed(fresh(players, seed=5)), 1)
    drawn = [p.redrawn(0, seed) for seed in range(40)]
    for hidden in (
        lambda q: sorted(q.hand(1)),
        lambda q: sorted(q.pack(players - 1)),
        lambda q: q.deck(),
        lambda q: q.s["rng"].tolist(),
    ):
        assert len({repr(hidden(q)) for q in drawn}) > 10
    p = some_position(lambda p: len(p.hand(1)) > 1, players=players)
    assert len({repr(sorted(p.redrawn(0, seed).hand(1))) for seed in range(40)}) > 5


# --- what follows from the packs one has passed on ------------------------------------------------


def picked(p: Position, number: int) -> Position:
    """Every seat takes the lowest card of its pack, ``number`` times."""
    for _ in range(number * p.players):
        p.do(f"PICK {min(p.legal('PICK'))}")
    return p


@pytest.mark.rules("T-DRAFT-2")
def test_a_pack_just_passed_on_is_known():
    p = picked(boats_placed(fresh(3, seed=2)), 1)
    for seed in range(20):
        q = p.redrawn(0, seed)
        assert q.pack(1) == p.pack(1)  # seat 0 passed it clockwise
        assert q.kept(0) == p.kept(0)
    assert len({tuple(sorted(p.redrawn(0, seed).pack(2))) for seed in range(20)}) == 20


@pytest.mark.rules("T-DRAFT-2", "T-DRAFT-3")
def test_of_a_pack_passed_on_each_taker_has_one_card():
    start = boats_placed(fresh(3, seed=2))
    p = picked(start.copy(), 1)
    passed = p.pack(1)
    p = picked(p, 1)
    taken: Counter[str] = Counter()
    for seed in range(300):
        q = p.redrawn(0, seed)
        (card,) = q.kept(1) & passed
        assert q.pack(2) == passed - {card}
        taken[card] += 1
    # Each of the three alike: 100, with a standard deviation of 8.2.
    assert set(taken) == passed
    assert max(abs(n - 100) for n in taken.values()) < 33


@pytest.mark.rules("T-DRAFT-3")
def test_after_the_draft_each_hand_has_its_card_of_every_pack():
    p = boats_placed(fresh(3, seed=2))
    passed = []
    for _ in range(3):
        picked(p, 1)
        passed.append(p.pack(1) or None)
    # Seat 0 passed 3, 2 and 1 cards to seat 1; the last of the 3 came back.
    first, second = passed[0] - p.hand(0), passed[1]
    assert (len(first), len(second), passed[2]) == (2, 2, None)
    joint: Counter[tuple] = Counter()
    for seed in range(400):
        q = p.redrawn(0, seed)
        one, two = q.hand(1), q.hand(2)
        assert len(one & first) == len(two & first) == len(one & second) == len(two & second) == 1
        joint[tuple(sorted(one & (first | second)))] += 1
    # Four ways, all alike: 100 each, with a standard deviation of 8.7.
    assert len(joint) == 4
    assert max(abs(n - 100) for n in joint.values()) < 35


@pytest.mark.rules("T-DRAFT-3")
def test_the_last_card_passed_on_is_known_to_be_in_that_hand():
    p = picked(boats_placed(fresh(3, seed=2)), 2)
    last = {}
    for s in range(3):
        name = min(p.pack(s))
        (last[s],) = p.pack(s) - {name}
    p = picked(p, 1)
    assert p.point == "DP-3"
    for s in range(3):
        assert all(last[s] in p.redrawn(s, seed).hand((s + 1) % 3) for seed in range(20))


@pytest.mark.rules("T-DRAFT-3")
def test_a_card_that_is_shown_settles_who_has_the_other():
    p = boats_placed(fresh(3, seed=2))
    picked(p, 1)
    passed = p.pack(1)
    picked(p, 2)
    first = passed - p.hand(0)
    while p.turn != 1:
        idle(p)
    (mine,) = first & p.hand(1)
    other = first - {mine}
    assert any(not other <= p.redrawn(0, seed).hand(2) for seed in range(20))
    p.do(f"UP {mine}")
    assert all(other <= p.redrawn(0, seed).hand(2) for seed in range(20))


@pytest.mark.rules("T-DRAFT-6")
def test_two_players_know_what_a_pack_may_have_lost_to_the_enemy():
    p = boats_placed(fresh(2, seed=2))
    picked(p, 1)
    # Seat 0 passed three cards to the Enemy, which discarded one of them; seat 1 passed to seat 0 directly.
    left, gone = p.enemy_pack(), p.discard()
    three = left | gone
    assert (len(left), len(gone)) == (2, 1)
    for seed in range(30):
        q = p.redrawn(0, seed)
        assert q.enemy_pack() | q.discard() == three
    assert len({tuple(p.redrawn(0, seed).discard()) for seed in range(60)}) == 3
    # Seat 1 knows that the pack of seat 0 is what it passed, and nothing of the Enemy's.
    assert all(p.redrawn(1, seed).pack(0) == p.pack(0) for seed in range(20))
    assert len({tuple(p.redrawn(1, seed).discard()) for seed in range(60)}) > 15


@pytest.mark.rules("T-DRAFT-1", "T-DRAFT-6")
def test_discards_of_the_enemy_that_follow_are_known_in_the_next_era():
    p = boats_placed(fresh(2, seed=2))
    memory = Memory(p)
    while p.era == 1:
        memory.play(NO if NO in p.legal() else min(p.legal()))
    # Everything that the players had has been seen, so that seat 0 knows what the Enemy took of the packs it saw.
    assert memory.enemy_known[0]
    for seed in range(20):
        assert memory.enemy_known[0] <= p.redrawn(0, seed).discard()
        assert memory.enemy_known[1] <= p.redrawn(1, seed).discard()


@pytest.mark.rules("T-DRAFT-1")
def test_what_is_left_of_an_old_deck_is_dealt_first():
    # 5 cards are left for packs of 5: seat 0 has exactly these. All others lay openly on the discard pile.
    deck = "V30 V31 V32 V33 V34"
    own = [" ".join(f"V{k:02}" for k in range(1 + 4 * s, 4 + 4 * s)) for s in range(3)]
    p = position(
        seat(row=own[0] + " V13", hand=""), seat(row=own[1] + " V14", hand=""), seat(row=own[2], hand="V15"), turn=2,
        chieftain=0, deck=deck, invaders=" ".join(f"V{k:02}" for k in range(35, 49)),
        discard=" ".join(f"V{k}" for k in range(16, 30)),
    )  # fmt: skip
    idle(p)
    for seed in range(20):
        assert p.redrawn(1, seed).pack(0) == set(deck.split())
    assert len({tuple(sorted(p.redrawn(1, seed).pack(2))) for seed in range(20)}) > 15


@pytest.mark.rules("T-DRAFT-1")
def test_a_pack_dealt_from_two_decks():
    # 3 cards are left: seat 0 has them and two of the new deck.
    deck = "V30 V31 V32"
    own = [" ".join(f"V{k:02}" for k in range(1 + 4 * s, 4 + 4 * s)) for s in range(3)]
    p = position(
        seat(row=own[0] + " V13", hand=""), seat(row=own[1] + " V14", hand=""), seat(row=own[2], hand="V15"), turn=2,
        chieftain=0, deck=deck, invaders=" ".join(f"V{k:02}" for k in range(33, 49)),
        discard=" ".join(f"V{k:02}" for k in (4, 8, 12, *range(16, 30))),
    )  # fmt: skip
    idle(p)
    old = set(deck.split())
    for who in (1, 2):
        packs = [p.redrawn(who, seed).pack(0) for seed in range(40)]
        assert all(old <= pack for pack in packs)
        assert len({tuple(sorted(pack - old)) for pack in packs}) > 20
    # Seat 1 takes one of the pack that seat 0 passes on; seat 2 does not know whether it was an old card.
    picked(p, 1)


@pytest.mark.parametrize("who", [0, 2])
def test_unknown_hands_are_drawn_evenly(who):
    # 16 unseen cards: two hands of 2, and 12 in the deck.
    hands = ["V01 V02", "V17 V18", "V33 V34"]
    seen = [card for card in (f"V{k:02}" for k in range(1, 49)) if card not in " ".join(hands)]
    deck, away = seen[:12], seen[12:]
    p = position(*[seat(hand=hand) for hand in hands], deck=" ".join(deck), discard=" ".join(away))
    in_hand, on_top = Counter(), Counter()
    for seed in range(800):
        q = p.redrawn(who, seed)
        in_hand.update(q.hand(1))
        on_top[q.deck()[0]] += 1
    unknown = {*deck, *(card for s, hand in enumerate(hands) if s != who for card in hand.split())}
    assert set(in_hand) == set(on_top) == unknown
    # 2 x 800 / 16 = 100 and 800 / 16 = 50, with standard deviations of 9.4 and 6.8.
    assert max(abs(n - 100) for n in in_hand.values()) < 40
    assert max(abs(n - 50) for n in on_top.values()) < 30


@pytest.mark.rules("T-ENTER-3")
def test_a_card_seen_before_it_was_turned_facedown_is_known():
    battle = {"starter": 2, "favor": "F01", "end": "TOP LEFT"}
    p = position(seat(hand="V08 V03", row="V33 V34"), seat(), seat(row="(V02)"), battle=battle)
    p.do("UP V08", NO, YES)
    for seed in range(20):
        q = p.redrawn(1, seed)
        assert q.row(0) == ["V33", "V34", "(V08)"]
    assert len({q.row(2)[0] for q in (p.redrawn(1, seed) for seed in range(30))}) > 15
    assert all(p.redrawn(2, seed).row(2) == ["(V02)"] for seed in range(10))


@pytest.mark.rules("T-DRAW-1")
def test_a_drawn_card_is_known_to_its_owner_only():
    p = position(seat(hand="V04 V03 V05", row="V17"), seat(), seat(), deck="V30").do("UP V04", NO, YES)
    assert all("V30" in p.redrawn(0, seed).hand(0) for seed in range(10))
    assert len({tuple(sorted(p.redrawn(1, seed).hand(0))) for seed in range(30)}) > 20
    # Another draw would have looked the same to the others.
    other = position(seat(hand="V04 V03 V05", row="V17"), seat(), seat(), deck="V31").do("UP V04", NO, YES)
    assert (p.view(1) == other.view(1)).all()
    assert (p.view(0) != other.view(0)).any()


def test_hands_of_others_are_not_in_the_observation():
    one = position(seat(hand="V01 V02"), seat(hand="V17 V18"), seat(hand="V33 V34"), deck="V40 V41")
    two = position(seat(hand="V01 V02"), seat(hand="V40 V41"), seat(hand="V33 V34"), deck="V17 V18")
    for who in (0, 2):
        assert (one.view(who) == two.view(who)).all()
    assert (one.view(1) != two.view(1)).any()


def test_a_facedown_card_is_not_in_the_observation_of_others():
    battle = {"starter": 1, "favor": "F01", "end": "TOP LEFT"}
    one = position(seat(hand="V01 V02"), seat(hand="V17", row="(V18)"), seat(hand="V33"), battle=battle, deck="V40")
    two = position(seat(hand="V01 V02"), seat(hand="V17", row="(V40)"), seat(hand="V33"), battle=battle, deck="V18")
    for who in (0, 2):
        assert (one.view(who) == two.view(who)).all()
    assert (one.view(1) != two.view(1)).any()


@pytest.mark.parametrize(
    "change",
    [
        {"wood": 3},
        {"food": 1},
        {"steel": 1},
        {"settlers": "A1"},
        {"temples": "A2"},
        {"boats": "AF02"},
        {"boats": "AD01"},
        {"boats": "AF01 AF01"},
        {"row": "V20"},
        {"villages": 1},
        {"favors": "F09"},
        {"hand": "V17 V19"},
    ],
)
def test_what_is_public_is_in_everybody_s_observation(change):
    board = {"raided": "AD03", "top": "F01", "bottom": "F02", "holders": {}}
    base = {"hand": "V17"}
    one = position(seat(hand="V01"), seat(**base), seat(hand="V33"), **board)
    two = position(seat(hand="V01"), seat(**(base | change)), seat(hand="V33"), **board)
    for who in range(3):
        assert (one.view(who) != two.view(who)).any(), who


@pytest.mark.parametrize(
    "board",
    [
        {"fury": (1, 0, 0)},
        {"gods": ("THOR", "ODIN", "TYR")},
        {"gods": ("ODIN", "THOR", "FRIGG")},
        {"holders": {"A1": 0}},
        {"top": "F03"},
        {"top": "F01 F03"},
        {"bottom": "F03"},
        {"discard": "V20"},
        {"invaders": "V20"},
        {"raided": "AD01"},
        {"spaces": {"D1": 1}},
        {"era": 2},
        {"turn": 1},
        {"chieftain": 1},
        {"battle": {"starter": 2, "favor": "F05", "end": "TOP LEFT"}},
    ],
)
def test_the_table_is_in_everybody_s_observation(board):
    common = {"top": "F01", "bottom": "F02", "chieftain": 0}
    row = "(V34)" if "battle" in board else ""
    one = position(seat(hand="V01 V02"), seat(hand="V17 V18"), seat(hand="V33"), **common)
    two = position(seat(hand="V01 V02"), seat(hand="V17 V18"), seat(hand="V33", row=row), **(common | board))
    for who in range(3):
        assert (one.view(who) != two.view(who)).any(), who


# --- laws 4 and 5 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_seed_is_the_same_game(players):
    def played(seed: int) -> bytes:
        chooser, p = random.Random(7), fresh(players, seed=seed)
        for _ in range(150):
            if p.seat is None:
                break
            p.apply(chooser.choice(sorted(p.legal())))
        return p.s.tobytes()

    assert played(11) == played(11)
    assert played(11) != played(12)


@pytest.mark.parametrize("players", PLAYERS)
def test_an_illegal_action_changes_nothing(players):
    game = PRINTED.game
    seen = np.zeros(game.observation_size(players), np.float32)
    scratch = np.zeros(game.num_actions(players), np.int8)
    for number, p in enumerate(walk(players, seed=9, decisions=120)):
        if number % 6 or p.seat is None:
            continue
        before, legal = p.states.tobytes(), p.mask()
        for action in (*np.flatnonzero(legal == 0)[::25].tolist(), -1, game.num_actions(players)):
            assert game.kernels.step(game.tables, p.states, 0, action, legal, seen, scratch) == ILLEGAL
            assert p.states.tobytes() == before
        # Asking, looking, drawing anew and counting change nothing either.
        p.redrawn(0, 1), p.view(0), p.scores(), p.ranks(), p.check(), p.mask()
        assert p.states.tobytes() == before
