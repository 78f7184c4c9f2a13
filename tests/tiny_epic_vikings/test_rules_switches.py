"""Section 15.1: the other position of every switch of constants.csv, and that nothing else changes."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.changes import changed, constant
from tests.tiny_epic_vikings.positions import boats_placed, fresh, idle, position, seat

NO, YES = "STOP", "YES"


@pytest.fixture
def switched(tmp_path):
    """The game with one switch in its other position."""
    return lambda key, value: changed(tmp_path, constant(key, value))


def battle(starter: int, favor: str = "F02", end: str = "TOP LEFT") -> dict:
    return {"starter": starter, "favor": favor, "end": end}


@pytest.mark.rules("T-CLEAN-4")
@pytest.mark.parametrize(
    ("runes", "first", "chieftain"),
    # WE-14: most are P0 and P2; P0 was later.
    [((2, 0, 2, 1), 2, 0), ((2, 0, 2, 1), 0, 2), ((0, 0, 0, 1), 1, 3), ((0, 0, 0, 0), 2, 1), ((1, 1, 1, 1), 0, 3)],
)
def test_chieftain_rule(switched, runes, first, chieftain):
    rules = switched("chieftain_rule", "MOST_ISLAND_RUNES")
    islands = iter(f"B{k}" for k in range(1, 10))
    held = [[next(islands) for _ in range(number)] for number in runes]
    last = (first - 1) % 4
    seats = [seat(settlers=", ".join(own), hand="V05" if s == last else "") for s, own in enumerate(held)]
    holders = {island: s for s, own in enumerate(held) for island in own}
    p = position(*seats, turn=last, chieftain=first, holders=holders, rules=rules)
    assert idle(p).chieftain == chieftain


@pytest.mark.rules("T-2P-1", "T-DRAFT-6", "T-DRAFT-2")
def test_two_players_without_the_enemy(switched):
    p = boats_placed(fresh(2, rules=switched("two_player_enemy", 0)))
    assert all(not p.settlers(f"A{k}") and not p.temples(f"A{k}") for k in range(1, 7))
    assert (len(p.deck()), p.enemy_pack()) == (40, set())
    for k in range(3):
        packs, picks = [p.pack(0), p.pack(1)], {}
        for _ in range(2):
            who = p.seat
            picks[who] = min(p.legal("PICK"))
            p.do(f"PICK {picks[who]}")
        if k < 2:
            assert [p.pack(1), p.pack(0)] == [packs[s] - {picks[s]} for s in range(2)]
    assert ([len(p.hand(s)) for s in range(2)], p.discard(), p.point) == ([4, 4], set(), "DP-3")


@pytest.mark.rules("T-2P-4")
def test_without_the_enemy_nobody_smites_it(switched):
    rules = switched("two_player_enemy", 0)
    p = position(seat(hand="V16 V03", row="V01 V02"), seat(settlers="A1 2"), holders={"A1": 1}, rules=rules)
    p.do("UP V16", NO, YES)
    assert p.legal() == {"SMITE A1 +1", NO}


@pytest.mark.rules("T-ENTER-1", "T-ENTER-3")
def test_entering_with_another_hand_card(switched):
    rules = switched("enter_battle_card", "HAND")
    seats = seat(hand="V08 V22 V03", row="V33 V34"), seat(), seat(row="(V02)")
    p = position(*seats, battle=battle(2), rules=rules).do("UP V08", NO, YES)
    assert (p.seat, p.point, p.legal()) == (0, "DP-3", {"DOWN V22", "DOWN V03"})
    p.do("DOWN V22")
    assert (p.row(0), p.hand(0), p.seat) == (["V33", "V34", "V08", "(V22)"], {"V03"}, 1)
    # It is hidden, unlike the card that said so.
    assert len({tuple(p.redrawn(1, number).row(0)) for number in range(30)}) > 5
    idle(p)
    assert (p.favors(0), p.seat) == ({"F02"}, 2)  # 5 against 4


@pytest.mark.rules("T-ENTER-2", "T-BATTLE-2")
def test_starting_with_another_hand_card(switched):
    rules = switched("enter_battle_card", "HAND")
    p = position(seat(hand="V08 V22 V03", row="V33 V34"), seat(), seat(), top="F01 F02", bottom="", rules=rules)
    p.do("UP V08", NO, YES, "DOWN V03")
    assert (p.point, p.legal()) == ("DP-4", {"TOP LEFT", "TOP RIGHT"})
    p.do("TOP RIGHT")
    assert (p.battle, p.row(0)[-1]) == ((0, "F02", "TOP RIGHT"), "(V03)")


@pytest.mark.rules("T-ENTER-2", "T-TURN-2", "T-TURN-3")
def test_with_an_empty_hand_nobody_enters_and_the_last_turn_only_resolves(switched):
    rules = switched("enter_battle_card", "HAND")
    p = position(seat(hand="V08", row="V33 V34"), seat(), seat(), rules=rules).do("UP V08", NO)
    assert (p.seat, p.point) == (1, "DP-3")
    # Seat 0 plays its last two cards in one turn; in the next its battle is resolved, and seat 1 goes on.
    p = position(
        seat(hand="V08 V22", row="V33 V34", villages=1), seat(hand="V05 V06"), seat(hand="V12 V13"), raided="AD01",
        rules=rules, deck="V20", top="F02",
    )  # fmt: skip
    p.do("UP V08", NO, YES)  # the only card left is put facedown
    assert (p.point, p.row(0)) == ("DP-4", ["V33", "V34", "V08", "(V22)"])
    p.do("TOP LEFT")
    assert p.point == "DP-20"
    p.do(NO)
    idle(idle(p))
    # No Dedication either in the turn begun with an empty hand.
    assert (p.seat, p.point, p.favors(0), p.villages(0)) == (1, "DP-3", {"F02"}, 1)


@pytest.mark.rules("T-ENTER-2")
def test_entering_may_not_start_a_battle(switched):
    rules = switched("enter_battle_may_start", 0)
    own = seat(hand="V08 V03", row="V33 V34")
    p = position(own, seat(), seat(), rules=rules).do("UP V08", NO)
    assert (p.seat, p.point) == (1, "DP-3")
    p = position(own, seat(), seat(row="(V02)"), battle=battle(2), rules=rules).do("UP V08", NO)
    assert p.point == "DP-6"
    # A hand card still starts one.
    assert position(own, seat(), seat(), rules=rules).legal("DOWN") == {"V08", "V03"}


@pytest.mark.rules("T-DEPLOY-2")
def test_the_deploy_limit_of_a_whole_action(switched):
    rules = switched("deploy_limit_scope", "PER_ACTION")
    own = seat(boats="AF08", food=7, hand="V04 V03")  # SAIL 4
    p = position(own, seat(), seat(), rules=rules)
    p.do("UP V04", YES, "BOAT 0", "TO AD18", "MAT", "MAT", "MAT", NO, "TO AF10", "TO AD17", "MAT")
    assert (p.settlers("A2"), p.settlers("A4"), p.point) == ({0: 3}, {0: 1}, "DP-8")
    p = position(own, seat(), seat(), rules=rules)
    p.do("UP V04", YES, "BOAT 0", "TO AD18", "MAT", "MAT", "MAT", "MAT", "TO AF10", "TO AD17")
    assert p.point == "DP-8"


@pytest.mark.rules("T-SAIL-6")
def test_an_own_boat_in_a_dock_bars_it(switched):
    rules = switched("own_boat_may_be_displaced", 0)
    p = position(seat(boats="AF08 AD18", hand="V02 V03"), seat(boats="AD19"), seat(), rules=rules)
    p.do("UP V02", YES, "BOAT 0")
    assert p.legal("TO") == {"AF02", "AF03", "AF10", "AD04", "AD05", "AD06", "AD07", "AD19"}
    # Another player's is displaced as ever.
    assert p.do("TO AD19").seat == 1


@pytest.mark.rules("T-CTRL-5", "T-CTRL-6")
def test_control_is_lost_when_no_influence_is_left(switched):
    rules = switched("control_lost_when", "NO_INFLUENCE")

    def left(*rivals, boats: str) -> int | None:
        own = seat(settlers="A4", boats=boats, hand="V07 V03")
        p = position(own, *[*rivals, seat(), seat()][:2], holders={"A4": 0}, rules=rules)
        return p.do("UP V07", YES, "A4>A1", NO).holder("A4")

    assert left(boats="AD12") == 0
    assert left(boats="AF05") is None
    # Stealing still needs boots and more.
    assert left(seat(settlers="A4 2"), boats="AD12") == 0
    assert left(seat(settlers="A4 3"), boats="AD12") == 1
    assert left(seat(boats="AD17 AD20"), boats="AD12") == 0


@pytest.mark.rules("T-BATTLE-13")
def test_the_last_competitor_wins_unopposed(switched):
    rules = switched("lone_after_unpaid_steel", "WIN_UNOPPOSED")
    p = position(
        seat(row="(V14)"), seat(row="(V20)"), seat(), turn=2, chieftain=0, battle=battle(0), deck="V16", rules=rules
    )
    idle(p)
    assert (p.favors(1), p.invaders(), p.fury, p.point) == ({"F02"}, set(), (0, 0, 0), "DP-3")
    # A starter nobody joined still fights the Invaders.
    p = position(seat(row="(V20)"), seat(), seat(), turn=2, chieftain=0, battle=battle(0), deck="V16", rules=rules)
    idle(p)
    assert (p.favors(0), p.invaders(), p.point) == (set(), {"V16"}, "DP-21")


@pytest.mark.rules("T-FAVOR-4")
def test_favor_holdings_may_be_a_count_only(switched):
    rules = switched("favor_holdings_observable", 0)
    board = {"top": "F01", "bottom": "F02", "rules": rules}
    one = position(seat(), seat(favors="F07"), seat(), **board)
    two = position(seat(), seat(favors="F08"), seat(), **board)
    more = position(seat(), seat(favors="F07 F08"), seat(), **board)
    for who in (0, 2):
        assert (one.view(who) == two.view(who)).all()
        assert (one.view(who) != more.view(who)).any()
    assert (one.view(1) != two.view(1)).any()
