"""Section 12's invariants, hidden information (14.3) and bounds (14.4), in random games, read off the record."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest

from tests.raiders.positions import (
    BOX,
    CARDS,
    COLOURS,
    DECK,
    FREE_HALL,
    IDS,
    KINDS,
    NAMES,
    SETTLEMENTS,
    SPACES,
    Position,
    amounts,
    default_game,
    eagerness,
    fresh,
    observation,
    position,
    seat,
    walk,
)

PLAYERS = (2, 3, 4)
HEROES = {row["key"] for row in CARDS if row["is_hero"]}


# --- the invariants, read off the record ----------------------------------------------------------


def all_cards(p: Position) -> Counter[str]:
    """All cards of the game, wherever they are."""
    found = Counter(p.pile()) + Counter(p.discard())
    for s in range(p.players):
        found += Counter(p.hand(s)) + Counter(p.crew(s))
    return found


def all_tiles(p: Position) -> list[int]:
    """All tiles of the game, in order."""
    owned = [tile for s in range(p.players) for tile in p.tiles(s)]
    return sorted(p.stack() + [tile for tile in p.display() if tile is not None] + owned)


def all_goods(p: Position) -> Counter[str]:
    """Silver, provisions, Plunder and Valkyries over supply, board and players."""
    found = Counter(p.supply())
    for settlement in SETTLEMENTS:
        for tokens in p.sets(settlement):
            found.update(tokens or {})
    for s in range(p.players):
        found.update(p.goods(s))
    return found


def all_workers(p: Position) -> Counter[str]:
    """Workers in the Village, in hands and on the board."""
    found = Counter(p.village().values()) + Counter(w for s in range(p.players) if (w := p.worker(s)))
    for row, left in zip(SPACES, p.s["set_left"].tolist(), strict=True):
        found[row["worker_colour"].lower()] += left
    for settlement in SETTLEMENTS:
        found.update(p.raiders(settlement))
    return found


@pytest.mark.rules("R-INV-1", "R-INV-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_no_card_tile_or_token_is_lost_or_made(players):
    for p in walk(players, seed=20 + players, decisions=1200):
        assert all_cards(p) == DECK
        assert all_tiles(p) == list(range(16))
        assert all_goods(p) == BOX
        assert min(p.supply().values()) >= 0
        assert p.check() == 0


@pytest.mark.rules("R-INV-3", "R-INV-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_no_worker_is_lost_or_made(players):
    for p in walk(players, seed=30 + players, decisions=1200):
        assert all_workers(p) == {"black": 3 + players, "grey": 11, "white": 12}
        village = p.village()
        assert "black" not in (village.get("armoury"), village.get("long_house"))
        for settlement in SETTLEMENTS:
            under_way = p.point in ("DP-REROLL", "DP-SET") and SETTLEMENTS[p.s["settlement"]] == settlement
            taken = sum(tokens is None for tokens in p.sets(settlement))
            assert sum(p.raiders(settlement).values()) == taken + under_way
        if p.at_turn_start:
            assert len(village) == 3
            assert all(p.worker(s) for s in range(players))


@pytest.mark.rules("R-INV-5", "R-INV-6")
@pytest.mark.parametrize("players", PLAYERS)
def test_crew_heroes_and_limits(players):
    last_owner = None
    for p in walk(players, seed=40 + players, decisions=1500):
        for s in range(players):
            crew = p.crew(s)
            assert sum(crew.values()) <= 5
            assert sum(n for kind, n in crew.items() if kind in HEROES) <= 1
        if p.at_turn_start:
            if last_owner is not None:
                assert max(p.silver(last_owner), p.provision(last_owner), p.hand_size(last_owner)) <= 8
            last_owner = p.owner


@pytest.mark.parametrize("players", PLAYERS)
def test_counts_in_the_record_are_those_of_what_they_count(players):
    for p in walk(players, seed=50 + players, decisions=700):
        s = p.s
        assert s["hand_size"].tolist() == s["hand"].sum(axis=1).tolist()
        assert s["crew_size"].tolist() == s["crew"].sum(axis=1).tolist()
        assert s["discard_size"] == s["discard"].sum()
        heroes = [sum(n for kind, n in p.crew(i).items() if kind in HEROES) for i in range(players)]
        assert s["heroes"].tolist()[:players] == heroes
        # What is known to be somewhere is there.
        assert (s["known"] <= s["hand"]).all()
        assert (s["picked"] <= s["hand"]).all()
        block = Counter(p.pile()[len(p.pile()) - int(s["drafted_left"]) :])
        for who in range(players):
            returned = Counter({kind: n for kind, n in zip(KINDS, s["returned"][who].tolist(), strict=True) if n})
            assert not returned - block


# --- bounds ---------------------------------------------------------------------------------------


def test_action_ids_are_those_of_section_14_1():
    game = default_game()
    assert game.num_actions(2) == game.num_actions(4) == 97
    first = {"PASS": 0, "BUILDING": 1, "SETTLEMENT": 9, "HAND": 19, "CREW": 45, "OPPONENT": 71, "DISPLAY": 74}
    first |= {"SET": 77, "RESOURCE": 80, "DIE": 85, "COUNT": 87, "OPTION": 95}
    assert {block.name: block.first for block in game.action_blocks(3)} == first
    for action, name in enumerate(NAMES):
        assert game.action_name(3, action).split()[0] == name.split()[0]


# Section 14.2, last column.
MOST = {
    "DP-DRAFT": 5,
    "DP-MAIN": 12,
    "DP-ACT": 3,
    "DP-TH": 15,
    "DP-TRE": 15,
    "DP-BAR": 21,
    "DP-LONG": 5,
    "DP-PICK": 3,
    "DP-OPP": 3,
    "DP-BLD": 7,
    "DP-RES": 4,
    "DP-CREW": 5,
    "DP-HIRE": 20,
    "DP-SLOT": 3,
    "DP-COUNT": 8,
    "DP-SWAP-A": 15,
    "DP-SWAP-B": 8,
    "DP-PAY": 2,
    "DP-REROLL": 3,
    "DP-SET": 3,
    "DP-KILL": 5,
    "DP-AVENGE-OPP": 3,
    "DP-AVENGE-CREW": 5,
    "DP-LIMIT": 15,
}


@pytest.mark.parametrize("players", PLAYERS)
def test_bounds_of_section_14(players):
    fields = default_game().observation_fields(players)
    low = np.repeat([field.low for field in fields], [field.size for field in fields]).astype(np.float32)
    high = np.repeat([field.high for field in fields], [field.size for field in fields]).astype(np.float32)
    for number, p in enumerate(walk(players, seed=60 + players, decisions=1500)):
        for s in range(players):
            assert max(p.silver(s), p.provision(s)) <= 32
            assert max(p.gold(s), p.iron(s)) <= 18
            assert p.livestock(s) <= 26
            assert min(p.s["goods"][s]) >= 0
            assert p.armour(s) <= 10
            assert p.valkyrie(s) <= 7
            assert 0 <= p.vp(s) <= 255
            assert p.hand_size(s) <= 15
        assert len(p.stack()) <= 13
        assert p.s["turns"].max() <= 150
        if p.seat is not None:
            assert 1 <= len(p.legal()) <= MOST[p.point]
            if number % 7 == 0:
                seen = observation(p, p.seat)
                assert (seen >= low).all()
                assert (seen <= high).all()


def lively_games(players: int, number: int) -> Iterator[tuple[int, np.void]]:
    """Decisions made (forced ones not counted) and final records of games between lively players."""
    game, chooser = default_game(), random.Random(players)
    states, legal = np.zeros(1, game.state_dtype), np.zeros(game.num_actions(players), np.int8)
    weights = np.array([eagerness(name) for name in NAMES])
    for _ in range(number):
        states[:] = np.zeros(1, game.state_dtype)
        codes = game.option_codes(players, {})
        decider = game.kernels.begin(game.tables, states, 0, players, codes, chooser.randrange(2**63), legal)
        decisions = 0
        while decider >= 0:
            actions = np.flatnonzero(legal).tolist()
            action = chooser.choices(actions, weights[actions])[0]
            decider = game.kernels.play(game.tables, states, 0, action, legal)
            decisions += 1
        yield decisions, states[0]


@pytest.mark.rules("R-END-5")
@pytest.mark.parametrize("players", PLAYERS)
def test_between_players_who_want_something_hardly_a_game_is_cut_off(players):
    cut_off = 0
    for decisions, record in lively_games(players, 15):
        assert decisions <= default_game().longest_game(players)
        assert record["turns"].max() <= 150
        cut_off += int(record["truncated"])
    assert cut_off <= 3


@pytest.mark.rules("R-SETUP-11", "R-END-3")
@pytest.mark.parametrize("players", PLAYERS)
def test_without_a_cut_off_turns_differ_by_at_most_one(players):
    for _, record in lively_games(players, 10):
        turns = record["turns"][:players].tolist()
        # The player who triggers the end has the last turn, so that the one before may be a turn ahead.
        assert max(turns) - min(turns) <= 1


# --- check() finds what is broken -----------------------------------------------------------------


def mid_game(p: Position) -> bool:
    return p.at_turn_start and p.s["turns"].max() > 12 and p.s["crew_size"][0] == 5 and p.s["discard_size"] > 2


@cache
def mid_games() -> tuple[Position, ...]:
    """Starts of turns in the midst of random games of three players."""
    return tuple(p.copy() for p in walk(3, seed=3, decisions=8000) if mid_game(p))


def some_position(wanted: Callable[[Position], bool] = lambda p: True) -> Position:
    """A sound position in the midst of a game that is as wanted, in a state of its own."""
    p = next(p for p in mid_games() if wanted(p)).copy()
    assert p.check() == 0
    return p


@pytest.mark.rules("R-INV-1")
@pytest.mark.parametrize("place", ["hand", "crew", "discard", "pile", "tile", "display", "stack"])
def test_check_finds_a_card_or_tile_too_many_or_too_few(place):
    p = some_position()
    s = p.s
    if place == "hand":
        s["hand"][1, 3] += 1
        s["hand_size"][1] += 1
    elif place == "crew":
        kind = np.flatnonzero(s["crew"][0])[0]
        s["crew"][0, kind] -= 1
        s["crew_size"][0] -= 1
        s["heroes"][0] -= KINDS[kind] in HEROES
    elif place == "discard":
        s["discard"][3] += 1
        s["discard_size"] += 1
    elif place == "pile":
        s["pile"][0] = (s["pile"][0] + 1) % len(KINDS)
    elif place == "tile":
        s["tile_owner"][p.stack()[0]] = 1
    elif place == "display":
        s["display"][0] = s["display"][1]
    elif place == "stack":
        s["stack"][0] = s["stack"][1]
    assert p.check() == 1


@pytest.mark.rules("R-INV-2")
@pytest.mark.parametrize("place", ["goods", "supply", "space", "valkyries"])
def test_check_finds_a_token_too_many_or_too_few(place):
    p = some_position()
    s = p.s
    if place == "goods":
        s["goods"][1, 3] += 1
    elif place == "supply":
        s["supply"][4] -= 1
    elif place == "space":
        s["space_tokens"][np.flatnonzero(s["set_left"])[0], 2] += 1
    elif place == "valkyries":
        s["valkyries_gone"] -= 1
    assert p.check() == 2


@pytest.mark.rules("R-INV-3")
@pytest.mark.parametrize("place", ["village", "hand", "board"])
def test_check_finds_a_worker_of_the_wrong_colour_or_none(place):
    p = some_position()
    s = p.s
    if place == "village":
        here = np.flatnonzero(s["building_worker"])[0]
        s["building_worker"][here] = 2 if s["building_worker"][here] != 2 else 3
    elif place == "hand":
        s["worker"][1] = 2 if s["worker"][1] != 2 else 3
    elif place == "board":
        settlement = next(i for i, key in enumerate(SETTLEMENTS) if p.raiders(key))
        colours = s["raiders"][settlement]
        one = int(np.flatnonzero(colours)[0])
        colours[one] -= 1
        colours[one % 3 + 1] += 1
    assert p.check() == 3


@pytest.mark.rules("R-INV-4")
@pytest.mark.parametrize("building", ["armoury", "long_house"])
def test_check_finds_a_black_worker_where_none_may_stand(building):
    p = some_position(lambda p: "black" in p.village().values() and building not in p.village())
    s = p.s
    here = int(np.flatnonzero(s["building_worker"] == COLOURS.index("black"))[0])
    there = IDS[f"BUILDING {building}"] - 1
    s["building_worker"][there], s["building_worker"][here] = s["building_worker"][here], 0
    assert p.check() == 4


@pytest.mark.rules("R-INV-4")
def test_check_finds_workers_at_the_wrong_settlement():
    p = some_position(lambda p: bool(p.raiders("harbour_west")))
    raiders = p.s["raiders"]
    colour = int(np.flatnonzero(raiders[0])[0])
    raiders[0, colour] -= 1
    raiders[1, colour] += 1
    assert p.check() == 4


@pytest.mark.rules("R-INV-5")
def test_check_finds_six_crew_and_two_heroes():
    p = some_position(lambda p: p.hand_size(0) > 0)
    kind = int(np.flatnonzero(p.s["hand"][0])[0])
    for name, change in (("hand", -1), ("crew", 1)):
        p.s[name][0, kind] += change
        p.s[f"{name}_size"][0] += change
    p.s["heroes"][0] += KINDS[kind] in HEROES
    assert p.check() == 5
    # Two heroes who both lie in the pile change places with two of the crew.
    p = some_position(lambda p: len(HEROES & set(p.pile())) >= 2 and not HEROES & set(p.crew(0)))
    s = p.s
    heroes = [k for k, kind in enumerate(KINDS) if kind in HEROES and kind in p.pile()][:2]
    for hero in heroes:
        other = next(k for k in np.flatnonzero(s["crew"][0]).tolist() if KINDS[k] not in HEROES)
        place = s["pile"].tolist().index(hero)
        s["pile"][place] = other
        s["crew"][0, other] -= 1
        s["crew"][0, hero] += 1
    s["heroes"][0] = 2
    assert p.check() == 5


@pytest.mark.rules("R-INV-6")
@pytest.mark.parametrize("good", ["silver", "provision"])
def test_check_finds_too_much_after_a_turn(good):
    p = some_position(lambda p: p.supply()[good] + p.good((p.owner - 1) % 3, good) >= 9)
    last = (p.owner - 1) % 3
    column = {"silver": 3, "provision": 4}[good]
    more = 9 - p.good(last, good)
    p.s["goods"][last, column] += more
    p.s["supply"][column] -= more
    assert p.check() == 6


@pytest.mark.parametrize(("name", "value"), [("seat", 5), ("phase", 99), ("owner", 9), ("players", 7), ("players", 1)])
def test_check_finds_a_record_that_makes_no_sense(name, value):
    p = some_position()
    p.s[name] = value
    assert p.check() != 0


# --- hidden information ---------------------------------------------------------------------------


def public(p: Position) -> dict:
    """What everybody sees (section 14.3)."""
    seats = range(p.players)
    return {
        "who": (p.seat, p.owner, p.point),
        "players": [(p.goods(s), p.crew(s), p.armour(s), p.valkyrie(s), p.vp(s), p.worker(s)) for s in seats],
        "sizes": ([p.hand_size(s) for s in seats], p.pile_size(), len(p.stack())),
        "tiles": ([p.tiles(s) for s in seats], p.display()),
        "discard": p.discard(),
        "village": p.village(),
        "board": [(p.sets(settlement), p.raiders(settlement)) for settlement in SETTLEMENTS],
        "supply": p.supply(),
        "end": (p.triggered, int(p.s["turns_left"]), p.s["turns"].tolist()),
        "dice": p.dice(),
    }


def lively_walk(players: int, seed: int, decisions: int) -> Iterator[Position]:
    """As ``walk``, but the Scout is hired and played whenever that is possible."""
    chooser = random.Random(seed)
    p = fresh(players, seed=seed)
    for _ in range(decisions):
        if p.seat is None:
            p = fresh(players, seed=chooser.randrange(2**63))
        yield p
        names = sorted(p.legal())
        weights = [50.0 if n in ("HAND scout", "BUILDING town_hall") else eagerness(n) for n in names]
        if p.point == "DP-TH" and "HAND scout" not in names:
            weights = [eagerness(n) for n in names]
        if p.point in ("DP-DRAFT", "DP-TRE", "DP-BAR", "DP-LIMIT"):
            weights = [0.1 if n == "HAND scout" else eagerness(n) for n in names]
        p.apply(chooser.choices(names, weights)[0])


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_sees_what_they_may_not(players):
    points: Counter[str] = Counter()
    for number, p in enumerate(lively_walk(players, seed=players, decisions=1600)):
        if number > 12 and number % 11 and p.point not in ("DP-SWAP-A", "DP-SWAP-B", "DP-COUNT"):
            continue
        points[p.point] += 1
        for who in range(players):
            other = p.redrawn(who, seed=number)
            assert (observation(other, who) == observation(p, who)).all()
            assert public(other) == public(p)
            assert other.hand(who) == p.hand(who)
            assert other.check() == 0
            if p.seat == who:
                assert (other.mask() == p.mask()).all()
            # What is drawn depends on nothing that is hidden: from another game that looks the same, the same comes.
            assert other.redrawn(who, seed=7).s.tobytes() == p.redrawn(who, seed=7).s.tobytes()
            # And the drawn game is as good as any: somebody else's view of it can be drawn anew, too.
            onlooker = (who + 1) % players
            again = other.redrawn(onlooker, seed=number)
            assert (observation(again, onlooker) == observation(other, onlooker)).all()
    assert points["DP-DRAFT"]
    assert points["DP-SWAP-A"]
    assert points["DP-SWAP-B"]


def test_what_is_hidden_is_drawn_anew():
    p = some_position(lambda p: p.hand_size(1) > 1 and p.hand_size(2) > 1 and len(p.stack()) > 4)
    drawn = [p.redrawn(0, seed) for seed in range(40)]
    for hidden in (
        lambda q: q.hand(1),
        lambda q: q.hand(2),
        lambda q: q.pile(),
        lambda q: q.stack(),
        lambda q: q.s["rng_dice"].tolist(),
        lambda q: q.s["rng_cards"].tolist(),
    ):
        assert len({repr(hidden(q)) for q in drawn}) > 20


@pytest.mark.parametrize("who", [0, 1])
def test_hidden_cards_are_drawn_evenly(who):
    # 16 unseen cards: 4 berserkers in a pile of 13 and a hand of 3.
    pile, held = "berserker 4, sage 2, scout 3, warlord 3, trader", "merchant 2, brynjar"
    seats = [seat(hand="archer 2, folke"), seat(hand="archer 2, folke")]
    seats[1 - who] = seat(hand=held)
    seen = DECK - amounts(pile) - amounts(held) - amounts("archer 2, folke")
    p = position(*seats, pile=pile, discard=", ".join(f"{kind} {n}" for kind, n in seen.items()))
    assert p.pile_size() == 13
    top: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    for seed in range(800):
        q = p.redrawn(who, seed)
        top[q.pile()[0]] += 1
        drawn.update(q.hand(1 - who))
    # 800 * 4 / 16 = 200 on top, and 3 * 200 in the other hand; four standard deviations are 49 and 85.
    assert abs(top["berserker"] - 200) < 49
    assert abs(drawn["berserker"] - 600) < 85
    assert abs(drawn["merchant"] - 300) < 65


def test_tiles_that_all_know_stay_at_the_bottom():
    p = position(seat(hand="sage"), seat(), village=FREE_HALL, display=(9, 10, 11), stack=[3, 4, 5, 6, 7])
    p.do("BUILDING town_hall", "HAND sage")
    assert (p.display(), p.stack()) == ([3, 4, 5], [6, 7, 9, 10, 11])
    orders = set()
    for seed in range(30):
        for who in range(2):
            stack = p.redrawn(who, seed).stack()
            assert stack[2:] == [9, 10, 11]
            orders.add(tuple(stack[:2]))
    assert orders == {(6, 7), (7, 6)}


@pytest.mark.rules("R-SETUP-10")
def test_everybody_knows_the_two_cards_they_gave_back_and_not_where_they_lie():
    p = fresh(3, seed=9)
    dealt = [Counter(p.hand(s)) for s in range(3)]
    p.settle()
    while p.point == "DP-DRAFT":
        p.do(max(p.legal()))
    for who in range(3):
        gone = dealt[who] - Counter(p.hand(who))
        places: Counter[int] = Counter()
        others = set()
        for seed in range(60):
            bottom = p.redrawn(who, seed).pile()[-6:]
            assert not gone - Counter(bottom)
            places[bottom.index(min(gone))] += 1
            others.add(tuple(sorted((Counter(bottom) - gone).elements())))
        assert len(places) >= 3  # nobody knows the position
        assert len(others) > 10  # nor what the others gave back


def scouted() -> Position:
    """Seat 0 has given a Sage to seat 1 for a Trader, and seat 2 has looked on."""
    p = position(
        seat(hand="scout, sage, archer"),
        seat(hand="trader, folke"),
        seat(hand="brynjar, mercenary"),
        village=FREE_HALL,
    )
    p.do("BUILDING town_hall", "HAND scout", "OPPONENT 1", "COUNT 1", "HAND sage", "HAND trader")
    assert (p.hand(0), p.hand(1)) == ({"archer": 1, "trader": 1}, {"folke": 1, "sage": 1})
    return p


@pytest.mark.rules("R-TH-16")
def test_both_partners_know_the_cards_of_an_exchange_and_nobody_else_does():
    p = scouted()
    hands = {who: [p.redrawn(who, seed) for seed in range(60)] for who in range(3)}
    assert all("sage" in q.hand(1) for q in hands[0])
    assert all("trader" in q.hand(0) for q in hands[1])
    # The other card of each is as unknown as before.
    assert len({repr(q.hand(1)) for q in hands[0]}) > 5
    assert len({repr(q.hand(0)) for q in hands[1]}) > 5
    assert not all("sage" in q.hand(1) for q in hands[2])
    assert not all("trader" in q.hand(0) for q in hands[2])


@pytest.mark.rules("R-TH-16")
def test_a_known_card_that_is_seen_to_leave_is_known_no_longer():
    p = scouted()
    p.do("BUILDING treasury", "PASS")
    # Seat 1 gives the Sage away at the Treasury, openly.
    p.do("BUILDING treasury", "OPTION 0", "HAND sage", "BUILDING gate_house", "PASS")
    assert not all("sage" in p.redrawn(0, seed).hand(1) for seed in range(60))


@pytest.mark.rules("R-TH-16")
def test_picks_of_an_exchange_are_seen_by_nobody_else_before_it():
    p = position(seat(hand="scout, sage, archer"), seat(hand="trader, folke"), seat(), village=FREE_HALL)
    p.do("BUILDING town_hall", "HAND scout", "COUNT 1")
    one, two = p.then("HAND sage"), p.then("HAND archer")
    assert (one.seat, one.mask().tolist()) == (1, two.mask().tolist())
    for who in (1, 2):
        assert (observation(one, who) == observation(two, who)).all()
    assert (observation(one, 0) != observation(two, 0)).any()


def test_hands_of_others_are_not_in_the_observation():
    one = position(seat(hand="sage, scout"), seat(hand="archer, folke"), seat(), pile="brynjar, trader")
    two = position(seat(hand="sage, scout"), seat(hand="brynjar, trader"), seat(), pile="archer, folke")
    for who in (0, 2):
        assert (observation(one, who) == observation(two, who)).all()
    assert (observation(one, 1) != observation(two, 1)).any()


@pytest.mark.parametrize(
    "change",
    [
        {"silver": 3},
        {"provision": 1},
        {"gold": 1},
        {"iron": 1},
        {"livestock": 1},
        {"armour": 1},
        {"valkyrie": 1},
        {"vp": 1},
        {"worker": "white"},
        {"crew": "sage"},
        {"hand": "archer, sage"},
        {"tiles": (9,)},
    ],
)
def test_what_is_public_is_in_everybody_s_observation(change):
    stack = [10, 11, 12]
    one = position(seat(), seat(hand="archer"), seat(), stack=stack)
    two = position(seat(), seat(**({"hand": "archer"} | change)), seat(), stack=stack)
    for who in range(3):
        assert (observation(one, who) != observation(two, who)).any(), who


@pytest.mark.parametrize(
    "board",
    [
        {"village": {"gate_house": "black", "town_hall": "black", "mill": "black"}},
        {"village": {"gate_house": "black", "town_hall": "black", "treasury": "grey"}},
        {"display": (3, 1, 2)},
        {"display": (1, 0, 2)},
        {"discard": "sage"},
        {"sets": {"harbour_mid": ["iron"]}},
        {"turns_left": 3},
        {"turns": (5, 5, 5)},
        {"turn": 1},
    ],
)
def test_the_table_is_in_everybody_s_observation(board):
    common = {"stack": [10, 11, 12, 13], "rest": "away"}
    one, two = position(seat(), seat(), seat(), **common), position(seat(), seat(), seat(), **(common | board))
    for who in range(3):
        assert (observation(one, who) != observation(two, who)).any(), who
