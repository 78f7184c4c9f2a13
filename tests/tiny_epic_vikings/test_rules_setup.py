"""Sections 2 to 5.1: components, the board, setup, the two players' Enemy and the draft."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tiny_epic_vikings.positions import boats_placed, fresh, idle, position, read, seat

NO, YES = "STOP", "YES"
PLAYERS = (2, 3, 4)
SIDE = {2: "A", 3: "A", 4: "B"}
CARDS = {f"V{k:02}" for k in range(1, 49)}
FAVORS = {f"F{k:02}" for k in range(1, 19)}


def rows(file: str, side: str | None = None) -> list[dict]:
    """Rows of a component table, those of one side of the map if named."""
    return [row for row in read(file) if side is None or row["map_side"] == side]


def picked(p, number: int = 1):
    """Every seat takes the lowest card of its pack, ``number`` times."""
    for _ in range(number * p.players):
        p.do(f"PICK {min(p.legal('PICK'))}")
    return p


# --- components -----------------------------------------------------------------------------------


@pytest.mark.rules("T-COMP-1")
def test_what_is_in_the_box():
    box = {row["component"]: row["count"] for row in read("components")}
    assert box["viking_card"] == 48
    assert box["favor_card"] == 18
    assert (box["god_mat"], box["clan_mat"], box["map_board_double_sided"], box["era_score_mat"]) == (6, 4, 1, 1)
    assert (box["settler"], box["boat"], box["temple"], box["score_marker"]) == (24, 16, 8, 4)
    assert (box["island_rune"], box["fury_marker"], box["village"], box["resource_marker"]) == (9, 3, 13, 12)
    assert (box["raven"], box["chieftain_marker"]) == (1, 1)
    assert (len(read("viking_cards")), len(read("favor_cards")), len(read("gods"))) == (48, 18, 6)


@pytest.mark.rules("T-COMP-2")
def test_what_a_player_has():
    p = boats_placed(fresh(4))
    for s in range(4):
        assert (p.on_mat(s), len(p.boats(s))) == (6, 4)
    each = {row["component"]: row["per_player"] for row in read("components")}
    assert (each["settler"], each["boat"], each["temple"]) == (6, 4, 2)
    assert (each["score_marker"], each["resource_marker"]) == (1, 3)


@pytest.mark.rules("T-COMP-3")
def test_pieces_are_limited():
    # Six Settlers on the map: the seventh can only come from another Island.
    p = position(
        seat(settlers="A1 3, A3 3", boats="AF08", food=3, hand="V02"), seat(), seat(), holders={"A1": 0, "A3": 0}
    )
    p.do("UP V02", YES, "BOAT 0", "TO AD18")
    assert p.legal() == {"ISLAND A1", "ISLAND A3", NO}
    own = seat(temples="A1 2", boats="AF01 AF01 AF01 AF01", wood=7, hand="V15 V03", settlers="A1")
    p = position(own, seat(), seat(), holders={"A1": 0}).do("UP V15", YES)
    assert (p.seat, p.point) == (1, "DP-3")  # nothing left to build


# --- the board ------------------------------------------------------------------------------------


@pytest.mark.rules("T-MAP-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_side_of_the_map(players):
    p = fresh(players)
    edge = {row["fjord_id"] for row in rows("fjords", SIDE[players]) if row["is_edge"]}
    assert p.legal("TO") == edge
    assert {fjord[0] for fjord in edge} == {SIDE[players]}
    assert {row["players"]: row["map_side"] for row in read("map_sides")} == {1: "A", 2: "A", 3: "A", 4: "B"}


@pytest.mark.rules("T-MAP-2", "T-MAP-3")
def test_islands_and_their_runes():
    a, b = rows("islands", "A"), rows("islands", "B")
    assert Counter(row["rune"] for row in a) == {"FEHU": 2, "HAGALAZ": 2, "PERTHO": 2}
    assert Counter(row["rune"] for row in b) == {"FEHU": 3, "HAGALAZ": 3, "PERTHO": 3}
    assert Counter(row["row"] for row in a) == {"TOP": 3, "BOTTOM": 3}
    assert sorted(row["rune"] for row in a if row["is_outer"]) == ["FEHU", "HAGALAZ", "PERTHO"]
    for players in PLAYERS:
        p = fresh(players)
        assert all(p.holder(row["island_id"]) is None for row in rows("islands", SIDE[players]))
    # Taking an Island raises the fury of its rune.
    for island in a:
        p = position(seat(settlers=island["island_id"], hand="V07"), seat(), seat())
        p.do("UP V07", YES, NO)
        assert p.fury == tuple(int(rune == island["rune"]) for rune in ("FEHU", "HAGALAZ", "PERTHO"))


@pytest.mark.rules("T-MAP-4")
@pytest.mark.parametrize("side", "AB")
def test_one_dock_for_each_end_of_a_route(side):
    ends: Counter[tuple[str, str]] = Counter()
    for row in rows("ferry_routes", side):
        ends[row["dock_a"], row["island_a"]] += 1
        if row["island_b"] == "NONE":
            assert row["dock_b"] == "NONE"
        else:
            ends[row["dock_b"], row["island_b"]] += 1
    assert ends == Counter((row["dock_id"], row["island_id"]) for row in rows("docks", side))


@pytest.mark.rules("T-MAP-5", "T-MAP-7")
@pytest.mark.parametrize("players", PLAYERS)
def test_boats_start_in_an_edge_fjord_and_only_stand_in_fjords_and_docks(players):
    p = fresh(players)
    places = {row["fjord_id"] for row in rows("fjords", SIDE[players])}
    for _ in range(players):
        who, edge = p.seat, p.legal("TO")
        assert p.point == "DP-1"
        p.do(f"TO {max(edge)}")
        assert p.boats(who) == [max(edge), None, None, None]
        assert max(edge) in places
    assert p.point == "DP-2"


@pytest.mark.rules("T-MAP-6")
@pytest.mark.parametrize("side", "AB")
def test_the_model_of_fjords_and_docks(side):
    routes = {row["route_id"]: row for row in rows("ferry_routes", side)}
    near = {row["route_id"]: {row["fjord_a"], row["fjord_b"]} for row in rows("fjord_adjacency", side)}
    assert set(near) == set(routes)  # two Fjords are adjacent exactly when a route lies between them
    for dock in rows("docks", side):
        assert {dock["fjord_1"], dock["fjord_2"]} == near[dock["route_id"]]
    assert {fjord for dock in rows("docks", side) for fjord in (dock["fjord_1"], dock["fjord_2"])} == {
        row["fjord_id"] for row in rows("fjords", side)
    }


@pytest.mark.rules("T-MAP-8")
@pytest.mark.parametrize(("side", "numbers"), [("A", (10, 6, 21, 9, 12, 3)), ("B", (12, 8, 28, 13, 16, 4))])
def test_size_of_the_board(side, numbers):
    fjords, docks, routes = rows("fjords", side), rows("docks", side), rows("ferry_routes", side)
    edge = sum(row["is_edge"] for row in fjords)
    villages = sum(row["has_village"] for row in docks)
    dangling = sum(row["island_b"] == "NONE" for row in routes)
    assert numbers == (len(fjords), edge, len(docks), villages, len(routes), dangling)


@pytest.mark.rules("T-MAP-8")
@pytest.mark.parametrize(("side", "fold"), [("A", 3), ("B", 4)])
def test_rotational_symmetry(side, fold):
    # A rotation of the edge Fjords by a third or a quarter carries the whole graph of Fjords into itself.
    near = {frozenset((row["fjord_a"], row["fjord_b"])) for row in rows("fjord_adjacency", side)}
    edge = sorted(row["fjord_id"] for row in rows("fjords", side) if row["is_edge"])
    inner = sorted(row["fjord_id"] for row in rows("fjords", side) if not row["is_edge"])
    ring = inner[:fold]
    turn = {edge[k]: edge[(k + 2) % len(edge)] for k in range(len(edge))}
    # Side A: AF07, AF08, AF09 turn around AF10; side B: BF09 to BF12 turn.
    turn |= {ring[k]: ring[(k + 1) % fold] for k in range(fold)}
    turn |= {fjord: fjord for fjord in inner[fold:]}
    assert {frozenset(turn[fjord] for fjord in pair) for pair in near} == near


@pytest.mark.rules("T-MAP-9")
def test_islands_are_adjacent_by_routes_that_do_not_dangle():
    # A2 has routes to A1, A3, A4, A6 and a dangling one.
    p = position(seat(settlers="A2", hand="V07"), seat(), seat(), holders={"A2": 0}).do("UP V07", YES)
    assert p.legal() == {"A2>A1", "A2>A3", "A2>A4", "A2>A6", NO}
    p = position(seat(settlers="B5", hand="V07"), seat(), seat(), seat(), holders={"B5": 0}).do("UP V07", YES)
    assert p.legal() == {"B5>B2", "B5>B4", "B5>B6", "B5>B8", NO}


@pytest.mark.rules("T-MAP-10")
@pytest.mark.parametrize(("island", "fjords"), [("A1", {"AF01", "AF06", "AF07"}), ("A5", {"AF04", "AF05", "AF09"})])
def test_fjords_of_an_island(island, fjords):
    p = position(seat(settlers=island, boats="AD07", wood=1, hand="V15"), seat(), seat(), holders={island: 0})
    p.do("UP V15", YES, "BUILD BOAT_1")
    assert p.legal("TO") == fjords | {"AF03", "AF08"}  # and those of the boat in its Dock


# --- setup ----------------------------------------------------------------------------------------


@pytest.mark.rules("T-SETUP-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_runes_and_villages(players):
    p = fresh(players)
    docks = {row["dock_id"] for row in rows("docks", SIDE[players]) if row["has_village"]}
    assert p.docks_with_village() == docks
    assert [p.villages(s) for s in range(players)] == [0] * players
    assert p.spaces() == {}


@pytest.mark.rules("T-SETUP-2")
def test_gods_and_their_runes_are_random():
    gods = {fresh(3, seed=seed).gods for seed in range(300)}
    assert {god for three in gods for god in three} == {row["god_id"] for row in read("gods")}
    assert all(len(set(three)) == 3 for three in gods)
    assert len(gods) > 80  # of 6 * 5 * 4


@pytest.mark.rules("T-SETUP-3", "T-SETUP-4")
def test_fury_and_era_at_the_start():
    p = fresh(3)
    assert (p.fury, p.era) == ((0, 0, 0), 1)


@pytest.mark.rules("T-SETUP-5")
def test_deck_at_the_start():
    decks = [fresh(3, seed=seed).deck() for seed in range(40)]
    for deck in decks:
        assert set(deck) == CARDS
        assert len(deck) == 48
    assert len({deck[0] for deck in decks}) > 15
    p = fresh(3)
    assert (p.discard(), p.invaders()) == (set(), set())


@pytest.mark.rules("T-SETUP-6")
@pytest.mark.parametrize(("players", "size"), [(2, 4), (3, 5), (4, 6)])
def test_favor_rows(players, size):
    seen = set()
    for seed in range(60):
        p = fresh(players, seed=seed)
        assert (len(p.top()), len(p.bottom())) == (size, size)
        assert len({*p.top(), *p.bottom()}) == 2 * size
        seen |= {*p.top(), *p.bottom()}
    assert seen == FAVORS


@pytest.mark.rules("T-SETUP-7")
def test_pieces_at_the_start():
    p = fresh(3)
    for s in range(3):
        assert (p.resources(s), p.on_mat(s), p.built(s), p.favors(s)) == ((2, 2, 1), 6, set(), set())
    p = boats_placed(p)
    for s in range(3):
        assert [place is not None for place in p.boats(s)] == [True, False, False, False]


@pytest.mark.rules("T-SETUP-8")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_chieftain_is_random(players):
    first = Counter(fresh(players, seed=seed).chieftain for seed in range(200))
    assert set(first) == set(range(players))
    assert min(first.values()) > 200 / players - 45


@pytest.mark.rules("T-SETUP-9")
@pytest.mark.parametrize("players", PLAYERS)
def test_boats_are_placed_counterclockwise_and_the_chieftain_is_last(players):
    for seed in range(6):
        p = fresh(players, seed=seed)
        order = []
        while p.point == "DP-1":
            order.append(p.seat)
            p.do(f"TO {min(p.legal('TO'))}")  # all in one Fjord
        assert order == [(p.chieftain - k) % players for k in range(1, players + 1)]


# --- two players ----------------------------------------------------------------------------------


@pytest.mark.rules("T-2P-1", "T-2P-2")
def test_the_enemy_at_the_start():
    p = fresh(2)
    for island in ("A1", "A3", "A5"):
        assert (p.temples(island), p.settlers(island), p.holder(island)) == ({"E": 1}, {"E": 2}, None)
    for island in ("A2", "A4", "A6"):
        assert (p.temples(island), p.settlers(island)) == ({}, {})
    assert p.fury == (0, 0, 0)
    for players in (3, 4):
        p = fresh(players)
        assert all(not p.settlers(row["island_id"]) for row in rows("islands", SIDE[players]))


@pytest.mark.rules("T-2P-3")
def test_the_enemy_takes_no_turn():
    p = picked(boats_placed(fresh(2, seed=3)), 3)
    for k in range(8):
        assert p.turn == (p.chieftain + k) % 2
        last = k == 7
        chieftain = p.chieftain
        idle(p)
        if last:
            # Nobody holds a rune: the later of the tied two; then its left neighbour, the old Chieftain.
            assert (p.era, p.chieftain) == (2, chieftain)


@pytest.mark.rules("T-2P-4")
def test_the_enemy_is_a_rival_in_settlers_influence_and_smite():
    # Attack: three Settlers against E's two.
    p = position(seat(boats="AF01", food=3, hand="V02 V03"), seat()).do("UP V02", YES, "BOAT 0", "TO AF07", "TO AD01")
    two = p.then("MAT", "MAT", NO)
    assert two.settlers("A1") == {0: 2, "E": 2}
    p.do("MAT", "MAT", "MAT")
    assert (p.settlers("A1"), p.temples("A1")) == ({0: 3, "E": 1}, {"E": 1})
    # 3 + 2 against 4 + 1: no take.
    assert p.do(NO).holder("A1") is None
    # Smite: the fourth target.
    own = seat(hand="V16 V03", row="V01 V02", settlers="A1, A6")
    p = position(own, seat(settlers="A6"), holders={"A6": None}).do("UP V16", NO, YES)
    assert p.legal("SMITE") == {"A1 E", "A3 E", "A5 E", "A6 +1"}
    p.do("SMITE A1 E", "SMITE A1 E")
    assert (p.settlers("A1"), p.temples("A1"), p.holder("A1")) == ({0: 1}, {"E": 1}, None)  # 1 against 4


@pytest.mark.rules("T-2P-4", "T-CTRL-2")
@pytest.mark.parametrize(("own", "taken"), [(4, False), (5, True)])
def test_a_free_island_of_the_enemy_is_taken_with_strictly_more(own, taken):
    # E has a Temple on A1 and no Settlers left there.
    p = position(seat(settlers=f"A1 {own}", hand="V07"), seat(), enemy={"A1": (1, 0)}).do("UP V07", YES, NO)
    assert (p.holder("A1"), p.fury) == ((0, (1, 0, 0)) if taken else (None, (0, 0, 0)))


@pytest.mark.rules("T-2P-5")
def test_a_rune_goes_back_where_the_enemy_has_more():
    enemy = {"A1": (1, 0)}
    # P0 holds A1 with 5, and moves one Settler away: 4 is not less than E's 4.
    p = position(seat(settlers="A1 5", hand="V08"), seat(), holders={"A1": 0}, enemy=enemy)
    p.do("UP V08", YES, "A1>A2")
    assert p.then(NO).holder("A1") == 0
    p.do("A1>A2", NO)
    assert (p.holder("A1"), p.fury) == (None, (0, 0, 1))  # and A2 is taken
    # A human challenger with as much as E steals it instead.
    p = position(seat(settlers="A1 5", hand="V08"), seat(settlers="A1 4"), holders={"A1": 0}, enemy=enemy)
    p.do("UP V08", YES, "A1>A2", "A1>A2", NO)
    assert (p.holder("A1"), p.fury) == (1, (1, 0, 1))
    # With less than E it does not.
    p = position(seat(settlers="A1 5", hand="V08"), seat(settlers="A1 3"), holders={"A1": 0}, enemy=enemy)
    p.do("UP V08", YES, "A1>A2", "A1>A2", "A1>A2", NO)
    assert (p.holder("A1"), p.fury) == (None, (0, 0, 1))


@pytest.mark.rules("T-2P-5", "T-CTRL-5")
def test_a_holder_without_boots_loses_the_rune_and_the_enemy_takes_none():
    p = position(seat(settlers="A1", hand="V07"), seat(), holders={"A1": 0}, enemy={"A1": (0, 1)})
    p.do("UP V07", YES, "A1>A2", NO)
    assert (p.holder("A1"), p.fury) == (None, (0, 0, 1))


@pytest.mark.rules("T-2P-6", "T-DRAFT-2", "T-ERA-3")
@pytest.mark.parametrize("era", [1, 2])
def test_packs_pass_the_enemy_in_the_era_s_direction(era):
    p = in_draft(2, era)
    before = [p.pack(0), p.enemy_pack(), p.pack(1)]  # seat 0, E, seat 1
    picks = {}
    for _ in range(2):
        who = p.seat
        picks[who] = min(p.legal("PICK"))
        p.do(f"PICK {picks[who]}")
    left = [before[0] - {picks[0]}, before[1], before[2] - {picks[1]}]
    to_seat_0, to_enemy, to_seat_1 = (left[2], left[0], left[1]) if era == 1 else (left[1], left[2], left[0])
    assert (p.pack(0), p.pack(1)) == (to_seat_0, to_seat_1)
    assert len(to_enemy - p.enemy_pack()) == 1


def in_draft(players: int, era: int, seed: int = 5):
    """The beginning of the draft of an era, all cards before it played faceup without an action."""
    p = boats_placed(fresh(players, seed=seed))
    while p.era < era:
        if p.point == "DP-2":
            p.do(f"PICK {min(p.legal('PICK'))}")
        else:
            idle(p)
    assert p.point == "DP-2"
    return p


@pytest.mark.rules("T-2P-7", "T-DED-3")
def test_two_players_put_two_villages_on_a_space():
    p = position(seat(villages=1, hand="V01 V03"), seat(), spaces={"D1": 1, "D2": 2}, raided="AD01 AD03 AD06 AD08")
    p.do("UP V01", NO)
    assert p.legal("SPACE") == {"D1", "D3", "D4", "G1", "G2", "G3"}
    assert len(fresh(2).top()) == 4


# --- eras and the draft ---------------------------------------------------------------------------


@pytest.mark.rules("T-ERA-1", "T-ERA-2", "T-DRAFT-1", "T-DRAFT-3")
@pytest.mark.parametrize("players", PLAYERS)
def test_eras_hands_and_turns(players):
    p = fresh(players, seed=players)
    boats_placed(p)
    for era, size in ((1, 4), (2, 5), (3, 6)):
        assert (p.era, p.point) == (era, "DP-2")
        picked(p, size - 1)
        assert [len(p.hand(s)) for s in range(players)] == [size] * players
        turns = []
        for _ in range(size * players):
            turns.append(p.turn)
            idle(p)
        assert Counter(turns) == dict.fromkeys(range(players), size)
    assert p.seat is None  # no Cleanup after the third
    assert p.era == 3
    assert [len(p.row(s)) for s in range(players)] == [6] * players


@pytest.mark.rules("T-DRAFT-2", "T-ERA-3")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(("era", "step"), [(1, 1), (2, -1), (3, 1)])
def test_packs_are_passed_in_the_era_s_direction(players, era, step):
    p = in_draft(players, era)
    before = [p.pack(s) for s in range(players)]
    picks = {}
    while len(picks) < players:
        picks[p.seat] = max(p.legal("PICK"))
        p.do(f"PICK {picks[p.seat]}")
    for s in range(players):
        assert p.pack((s + step) % players) == before[s] - {picks[s]}
        assert p.kept(s) == {picks[s]}


@pytest.mark.rules("T-DRAFT-3")
def test_the_last_card_joins_the_hand_without_a_choice():
    p = picked(in_draft(3, 1), 2)
    packs, kept = [p.pack(s) for s in range(3)], [p.kept(s) for s in range(3)]
    assert [len(pack) for pack in packs] == [2, 2, 2]
    picks = {}
    while len(picks) < 3:
        picks[p.seat] = max(p.legal("PICK"))
        p.do(f"PICK {picks[p.seat]}")
    for s in range(3):
        left = packs[(s - 1) % 3] - {picks[(s - 1) % 3]}
        assert p.hand(s) == kept[s] | {picks[s]} | left
    assert p.point == "DP-3"


@pytest.mark.rules("T-DRAFT-4")
def test_kept_cards_cannot_be_exchanged():
    p = picked(in_draft(3, 1), 1)
    for _ in range(3):
        assert p.legal() == {f"PICK {card}" for card in p.pack(p.seat)}
        assert not p.pack(p.seat) & p.kept(p.seat)
        p.do(f"PICK {min(p.legal('PICK'))}")


@pytest.mark.rules("T-DRAFT-5")
@pytest.mark.parametrize("players", PLAYERS)
def test_picks_are_asked_from_the_chieftain_on_and_nothing_is_revealed_before_all_have_picked(players):
    p = in_draft(players, 1)
    for _ in range(2):
        for k in range(players):
            assert p.seat == (p.chieftain + k) % players
            cards = sorted(p.legal("PICK"))
            one, two = p.copy(), p.copy()
            one.apply(f"PICK {cards[0]}")
            two.apply(f"PICK {cards[-1]}")
            for other in range(players):
                if other != p.seat and k < players - 1:
                    assert (one.view(other) == two.view(other)).all()
            if k < players - 1:
                assert (one.mask() == two.mask()).all()
            p = one


@pytest.mark.rules("T-DRAFT-6")
@pytest.mark.parametrize(("era", "size"), [(1, 4), (2, 5), (3, 6)])
def test_the_enemy_s_pack_and_discards(era, size):
    p = in_draft(2, era)
    gone = len(p.discard())
    assert len(p.enemy_pack()) == size - 1
    for k in range(1, size):
        picked(p)
        assert len(p.enemy_pack()) == size - 1 - k
        assert len(p.discard()) == gone + k
    assert [len(p.hand(s)) for s in range(2)] == [size, size]


@pytest.mark.rules("T-DRAFT-6")
def test_the_enemy_s_discards_are_random():
    discards: Counter[str] = Counter()
    for seed in range(90):
        # The same packs, and other chance to come: seat 0 leaves three cards, which go to the Enemy.
        p = picked(in_draft(2, 1).redrawn(0, seed))
        (card,) = p.discard()
        discards[card] += 1
    assert sum(discards.values()) == 90
    assert len(discards) == 3
    assert min(discards.values()) > 12


@pytest.mark.rules("T-DRAFT-1")
def test_a_deck_that_runs_out_while_dealing_is_refilled_from_the_discard_pile():
    # Era 2 of three players needs 15 cards and 5 are left; the Invaders are not reshuffled.
    deck = "V30 V31 V32 V33 V34"
    invaders = " ".join(f"V{k:02}" for k in range(35, 49))
    own = [" ".join(f"V{k:02}" for k in range(1 + 4 * s, 4 + 4 * s)) for s in range(3)]
    p = position(
        seat(row=own[0] + " V13", hand=""), seat(row=own[1] + " V14", hand=""), seat(row=own[2], hand="V15"), turn=2,
        chieftain=0,
        deck=deck, invaders=invaders, discard=" ".join(f"V{k}" for k in range(16, 30)), era=1,
    )  # fmt: skip
    idle(p)
    assert (p.era, p.point, p.invaders()) == (2, "DP-2", set(invaders.split()))
    packs = [p.pack(s) for s in range(3)]
    assert p.pack(0) == set(deck.split())  # dealt whole, seat by seat
    assert [len(pack) for pack in packs] == [5, 5, 5]
    assert (p.discard(), len(p.deck())) == (set(), 48 - 14 - 15)
