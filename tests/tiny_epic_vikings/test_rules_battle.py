"""Sections 9 and 10: Favor cards, battles and Invaders."""

from __future__ import annotations

import pytest

from tests.tiny_epic_vikings.positions import Position, idle, position, seat

NO, YES = "STOP", "YES"


def battle(starter: int, favor: str = "F01", end: str = "TOP LEFT") -> dict:
    return {"starter": starter, "favor": favor, "end": end}


def fought(*cards: str, favor: str = "F01", end: str = "TOP LEFT", own: dict | None = None, **board) -> Position:
    """A battle of seats 0, 1, 2... started by seat 0, resolved because the last seat has played; "" fights not.

    ``own`` has more of what seats own, by seat.
    """
    seats = [
        seat(row=f"{(own or {}).get(s, {}).get('before', '')} ({card})".strip() if card else "",
             **{k: v for k, v in (own or {}).get(s, {}).items() if k != "before"})
        for s, card in enumerate((*cards, ""))
    ]  # fmt: skip
    return idle(position(*seats, turn=len(cards), chieftain=0, battle=battle(0, favor, end), **board))


# --- Favor cards ----------------------------------------------------------------------------------


@pytest.mark.rules("T-FAVOR-1", "T-FAVOR-2")
@pytest.mark.parametrize(
    ("favor", "gain"), [("F01", (1, 1, 1)), ("F02", (0, 3, 0)), ("F05", (0, 0, 3)), ("F12", (1, 0, 0))]
)
def test_the_winner_gains_the_bag_and_keeps_the_card(favor, gain):
    p = fought("V02", "V22", favor=favor)
    assert (p.resources(1), p.favors(1), p.resources(0), p.favors(0)) == (gain, {favor}, (0, 0, 0), set())
    # A Favor card is won in no other way.
    assert sum(len(p.favors(s)) for s in range(3)) == 1


@pytest.mark.rules("T-FAVOR-2", "T-RES-1")
def test_the_bag_is_capped():
    p = fought("V02", "V22", favor="F02", own={1: {"food": 6}})
    assert p.resources(1) == (0, 7, 0)


@pytest.mark.rules("T-FAVOR-3")
@pytest.mark.parametrize("back", ["F02", "F07", "F08", "F09"])
@pytest.mark.parametrize("end", ["TOP LEFT", "TOP RIGHT", "BOTTOM LEFT"])
def test_with_a_fourth_any_one_goes_back_to_any_end(back, end):
    p = fought("V02", "V22", favor="F02", own={1: {"favors": "F07 F08 F09"}}, top="F03 F04", bottom="")
    assert (p.seat, p.point, p.resources(1)) == (1, "DP-23", (0, 3, 0))
    p.do(f"FAVOR {back}")
    assert p.legal() == {"TOP LEFT", "TOP RIGHT", "BOTTOM LEFT"}  # only one end in an empty row
    assert p.favors(1) == {"F02", "F07", "F08", "F09"}  # it stays with the winner until its end is chosen
    p.do(end)
    assert p.favors(1) == {"F02", "F07", "F08", "F09"} - {back}
    assert {
        "TOP LEFT": ([back, "F03", "F04"], []),
        "TOP RIGHT": (["F03", "F04", back], []),
        "BOTTOM LEFT": (["F03", "F04"], [back]),
    }[end] == (p.top(), p.bottom())
    assert p.resources(1) == (0, 3, 0)


@pytest.mark.rules("T-FAVOR-3")
def test_with_a_third_nothing_goes_back():
    p = fought("V02", "V22", favor="F02", own={1: {"favors": "F07 F08"}})
    assert (p.favors(1), p.seat, p.point) == ({"F02", "F07", "F08"}, 0, "DP-21")


@pytest.mark.rules("T-FAVOR-4")
def test_all_can_see_who_holds_which_favor_cards():
    one = position(seat(), seat(favors="F07"), seat(), top="F01", bottom="F02")
    two = position(seat(), seat(favors="F08"), seat(), top="F01", bottom="F02")
    for who in range(3):
        assert (one.view(who) != two.view(who)).any()
    for seed in range(5):
        assert one.redrawn(0, seed).favors(1) == {"F07"}


# --- starting and joining -------------------------------------------------------------------------


@pytest.mark.rules("T-BATTLE-1", "T-BATTLE-2")
@pytest.mark.parametrize(
    ("end", "favor", "top", "bottom"),
    [
        ("TOP LEFT", "F01", ["F02", "F03"], ["F04", "F05"]),
        ("TOP RIGHT", "F03", ["F01", "F02"], ["F04", "F05"]),
        ("BOTTOM LEFT", "F04", ["F01", "F02", "F03"], ["F05"]),
        ("BOTTOM RIGHT", "F05", ["F01", "F02", "F03"], ["F04"]),
    ],
)
def test_the_starter_takes_an_end_of_a_row(end, favor, top, bottom):
    p = position(seat(hand="V02 V03"), seat(), seat(), top="F01 F02 F03", bottom="F04 F05").do("DOWN V02")
    # The card lies in the Row already.
    assert (p.seat, p.point, p.row(0), p.hand(0)) == (0, "DP-4", ["(V02)"], {"V03"})
    assert p.legal() == {"TOP LEFT", "TOP RIGHT", "BOTTOM LEFT", "BOTTOM RIGHT"}
    p.do(end)
    assert (p.battle, p.top(), p.bottom(), p.seat) == ((0, favor, end), top, bottom, 1)


@pytest.mark.rules("T-BATTLE-2")
def test_one_card_has_one_end_and_an_empty_row_none():
    p = position(seat(hand="V02 V03"), seat(), seat(), top="F01", bottom="F04 F05").do("DOWN V02")
    assert p.legal() == {"TOP LEFT", "BOTTOM LEFT", "BOTTOM RIGHT"}
    p = position(seat(hand="V02 V03"), seat(), seat(), top="", bottom="F04 F05").do("DOWN V02")
    assert p.legal() == {"BOTTOM LEFT", "BOTTOM RIGHT"}


@pytest.mark.rules("T-BATTLE-3")
def test_others_join_on_their_turns_without_choosing():
    p = position(seat(hand="V02 V03"), seat(hand="V22 V23"), seat(hand="V37 V38"), seat())
    p.do("DOWN V02", "TOP LEFT", "DOWN V22")
    assert (p.seat, p.point, p.row(1)) == (2, "DP-3", ["(V22)"])
    before = p.battle
    p.do("DOWN V37")
    assert (p.battle, p.seat) == (before, 3)
    assert [p.row(s) for s in range(3)] == [["(V02)"], ["(V22)"], ["(V37)"]]


@pytest.mark.rules("T-BATTLE-4", "T-BATTLE-5")
def test_resolution_comes_at_the_starter_s_turn_and_reveals_all():
    p = position(seat(row="V20 (V02)"), seat(row="(V22)"), seat(hand="V37 V03"), turn=2, battle=battle(0))
    p.do("DOWN V37")
    assert [p.row(s) for s in range(3)] == [["V20", "V02"], ["V22"], ["V37"]]
    assert p.turn == 0
    # The losers are asked for their Boons and for nothing else: no Leader or Rune Action comes of being revealed.
    p.do(NO)
    assert (p.seat, p.point) == (2, "DP-21")
    p.do(NO)
    assert (p.seat, p.point) == (0, "DP-3")


# --- resolution -----------------------------------------------------------------------------------


@pytest.mark.rules("T-BATTLE-6")
@pytest.mark.parametrize("steel", [0, 1, 2, 3])
def test_who_cannot_pay_is_out_and_keeps_the_steel(steel):
    # V14 (7, steel 2) against V02 and V22.
    p = fought("V02", "V14", "V22", own={1: {"steel": steel}}, favor="F02")
    if steel >= 2:
        assert (p.favors(1), p.steel(1)) == ({"F02"}, steel - 2)
        p.do(NO, NO)
        assert p.fury == (1, 1, 0)
    else:
        assert (p.favors(2), p.steel(1), p.row(1)) == ({"F02"}, steel, ["V14"])
        assert (p.seat, p.point) == (0, "DP-21")
        p.do(NO)
        # No Boon and no fury for who is out: the next decision is P0's card.
        assert (p.seat, p.point, p.fury) == (0, "DP-3", (1, 0, 0))


@pytest.mark.rules("T-BATTLE-7")
@pytest.mark.parametrize(
    ("card", "own", "strength"),
    [
        ("V02", {}, 4),
        ("V03", {}, 4),  # 3 and itself
        ("V03", {"before": "V01 V02"}, 6),
        ("V10", {"before": "V01"}, 4),  # twice 2
        ("V07", {"before": "V17 V33"}, 5),  # any rune
        ("V12", {"food": 4}, 5),
        ("V28", {"steel": 3}, 4),
        ("V44", {"wood": 7}, 8),
        ("V03", {"settlers": "A1"}, 5),
        ("V07", {"settlers": "A1, A2"}, 5),
    ],
)
def test_strength(card, own, strength):
    # Against the printed Strengths 1 to 9: V20 2, V21 3, V18 4, V22 5, V25 6 (steel 1), V30 7 (2), V32 9 (3).
    against = {2: "V20", 3: "V21", 4: "V18", 5: "V22", 6: "V25", 7: "V30", 9: "V32"}
    held = {island: 0 for island in own.get("settlers", "").replace(",", "").split()}
    for value, other in against.items():
        p = fought(card, other, own={0: own, 1: {"steel": 3}}, favor="F02", holders=held)
        winner = 0 if p.favors(0) else 1 if p.favors(1) else None
        assert winner == (0 if strength > value else 1 if strength < value else None), (other, strength)


@pytest.mark.rules("T-BATTLE-7")
def test_counting_spends_nothing():
    p = fought("V12", "V20", own={0: {"food": 4}}, favor="F08")
    assert (p.favors(0), p.resources(0)) == ({"F08"}, (3, 4, 0))


@pytest.mark.rules("T-BATTLE-8", "T-RUNE-2")
def test_all_are_revealed_and_paid_before_strength_is_counted():
    # V28 has 1 + 1 per steel, without a cost of its own; V03 counts its own rune.
    p = fought("V03", "V18", favor="F02")
    assert (p.favors(0), p.favors(1)) == (set(), set())  # 3 + 1 against 4: a tie
    p = fought("V03", "V21", favor="F02")
    assert p.favors(0) == {"F02"}
    # A card that was out still gives its rune: nobody else's count changes.
    p = fought("V07", "V32", "V18", favor="F02", own={0: {"before": "V17"}})
    assert (p.favors(0), p.favors(2)) == (set(), set())  # 2 + 2 against 4


@pytest.mark.rules("T-BATTLE-9")
def test_the_single_highest_strength_wins():
    p = fought("V02", "V36", "V06", favor="F02")
    assert [p.favors(s) for s in range(3)] == [set(), set(), {"F02"}]
    p.do(NO)
    assert (p.seat, p.fury) == (1, (1, 0, 0))
    p.do(NO)
    assert p.fury == (1, 0, 1)


@pytest.mark.rules("T-BATTLE-10")
@pytest.mark.parametrize("end", ["TOP LEFT", "TOP RIGHT", "BOTTOM LEFT", "BOTTOM RIGHT"])
def test_a_tie_returns_the_favor_card_to_its_end(end):
    p = fought("V02", "V18", "V20", favor="F08", end=end, top="F01 F02", bottom="F03 F04")
    row, side = end.split()
    rows = {"TOP": ["F01", "F02"], "BOTTOM": ["F03", "F04"]}
    rows[row].insert(0 if side == "LEFT" else 2, "F08")
    assert (p.top(), p.bottom()) == (rows["TOP"], rows["BOTTOM"])
    for loser in range(3):
        assert (p.seat, p.point) == (loser, "DP-21")
        p.do(NO)
    assert p.fury == (1, 2, 0)


@pytest.mark.rules("T-BATTLE-11")
def test_losers_go_clockwise_from_the_starter_and_each_may_take_the_boon():
    # Seat 2 starts; seats 3 and 0 lose as well, seat 1 wins.
    seats = seat(row="(V21)"), seat(hand="V06 V05"), seat(row="(V02)", hand="V03"), seat(row="(V37)")
    p = position(*seats, turn=1, chieftain=2, battle=battle(2, "F02"), gods=("TYR", "FRIGG", "TYR"))
    p.do("DOWN V06")
    assert p.favors(1) == {"F02"}
    assert (p.seat, p.point, p.fury) == (2, "DP-21", (0, 0, 0))
    p.do(YES)  # Tyr: 2 steel
    assert (p.steel(2), p.seat, p.point, p.fury) == (2, 3, "DP-21", (1, 0, 0))
    p.do(NO)
    assert (p.steel(3), p.seat, p.fury) == (0, 0, (1, 0, 1))
    p.do(YES)  # Frigg: HARVEST 2
    assert (p.seat, p.point, p.fury) == (0, "DP-13", (1, 0, 1))  # the step comes after the Boon
    p.do("WOOD", "WOOD")
    assert (p.wood(0), p.fury, p.seat, p.point) == (2, (1, 1, 1), 2, "DP-3")


@pytest.mark.rules("T-BATTLE-11")
@pytest.mark.parametrize(
    ("god", "point"),
    [("ODIN", "DP-22"), ("THOR", "DP-17"), ("FRIGG", "DP-13"), ("FREYJA", "DP-12"), ("LOKI", "DP-18"), ("TYR", "DP-3")],
)
def test_boons_of_the_gods(god, point):
    others = [name for name in ("ODIN", "THOR", "TYR") if name != god][:2]
    own = {0: {"settlers": "A1", "wood": 2}, 1: {"settlers": "A6"}}
    p = fought("V02", "V22", own=own, holders={"A1": 0, "A6": 1}, gods=(god, *others), favor="F02")
    assert (p.seat, p.point) == (0, "DP-21")
    assert p.do(YES).point == point
    if god == "TYR":
        assert p.steel(0) == 2


@pytest.mark.rules("T-BATTLE-11", "T-EXCH-1")
def test_an_exchange_boon_without_a_pair_is_not_offered():
    p = fought("V02", "V22", gods=("LOKI", "ODIN", "TYR"), favor="F02")
    assert (p.point, p.fury) == ("DP-3", (1, 0, 0))


@pytest.mark.rules("T-BATTLE-12")
def test_the_winner_comes_first_then_the_losers_each_with_a_check():
    p = fought(
        "V02", "V22", favor="F02", own={1: {"favors": "F07 F08 F09"}, 0: {"settlers": "A1 2"}},
        holders={"A1": 0}, gods=("FREYJA", "ODIN", "TYR"),
    )  # fmt: skip
    assert (p.seat, p.point, p.fury) == (1, "DP-23", (0, 0, 0))
    p.do("FAVOR F02", "TOP LEFT")
    assert (p.seat, p.point, p.fury) == (0, "DP-21", (0, 0, 0))
    p.do(YES, "A1>A4", NO)
    # A4 was taken at the end of the Boon, and FEHU rose after it.
    assert (p.holder("A4"), p.fury) == (0, (1, 1, 0))


@pytest.mark.rules("T-BATTLE-13")
def test_the_only_competitor_fights_the_invaders_whoever_it_is():
    # The starter and another cannot pay; the joiner V18 (4) meets V20 (2).
    p = fought("V14", "V18", "V16", favor="F02", deck="V20")
    assert (p.favors(1), p.fury, p.invaders()) == ({"F02"}, (0, 1, 0), {"V20"})
    assert p.point == "DP-3"


@pytest.mark.rules("T-BATTLE-13")
def test_without_a_competitor_the_card_goes_back_and_nothing_else_happens():
    p = fought("V14", "V30", favor="F08", end="BOTTOM RIGHT", top="F01", bottom="F02 F03")
    assert (p.bottom(), p.invaders(), p.fury) == (["F02", "F03", "F08"], set(), (0, 0, 0))
    assert (p.seat, p.point) == (0, "DP-3")
    assert [p.row(s) for s in range(2)] == [["V14"], ["V30"]]


# --- Invaders -------------------------------------------------------------------------------------


@pytest.mark.rules("T-INV-1")
def test_the_top_card_of_the_deck_is_the_invader():
    p = fought("V22", deck="V20 V21", favor="F02")
    assert (p.invaders(), p.deck()[0]) == ({"V20"}, "V21")


@pytest.mark.rules("T-INV-1", "T-DRAFT-1")
def test_an_empty_deck_is_refilled_for_an_invader():
    p = fought("V22", deck="", discard="V20 V36 V04", rest="invaders", favor="F02")
    assert len(p.deck()) == 2
    assert p.discard() == set()
    assert len({"V20", "V36", "V04"} & p.invaders()) == 1


@pytest.mark.rules("T-INV-2", "T-INV-3", "T-INV-4", "T-INV-5", "T-INV-6")
@pytest.mark.parametrize(
    ("invader", "earlier", "strength"),
    [
        ("V20", 0, 2),
        ("V09", 0, 6),  # its steel counts as paid
        ("V16", 2, 9),
        ("V19", 0, 3),
        ("V19", 2, 5),  # whatever runes they show
        ("V07", 3, 5),
        ("V42", 2, 4),
        ("V42", 0, 0),
        ("V44", 0, 2),  # itself is counted
        ("V44", 3, 5),
        ("V12", 4, 6),
        ("V28", 1, 3),
    ],
)
def test_strength_of_an_invader(invader, earlier, strength):
    rune = (int(invader[1:]) - 1) // 16  # three suits of 16 cards
    before = ["V01", "V02", "V17", "V33"][:earlier]
    # Fighters of Strength 2, 3, 4, 5, 6, 7, 9, all HAGALAZ.
    fighters = {2: "V29", 3: "V21", 4: "V18", 5: "V22", 6: "V25", 7: "V30", 9: "V32"}
    for value, card in fighters.items():
        p = fought(card, own={0: {"steel": 3}}, deck=invader, invaders=" ".join(before), favor="F02", top="F01")
        assert p.invaders() == {invader, *before}
        fury = [0, 0, 0]
        if value > strength:
            fury[rune] += 1
            assert (p.favors(0), p.fury, p.point) == ({"F02"}, tuple(fury), "DP-3")
            continue
        assert (p.favors(0), p.top(), p.seat, p.point) == (set(), ["F02", "F01"], 0, "DP-21")
        assert p.fury == (0, 0, 0)
        fury[1] += 1
        if value == strength:
            fury[rune] += 1
        assert p.do(NO).fury == tuple(fury)


@pytest.mark.rules("T-INV-4")
def test_a_beaten_invader_has_no_boon_and_comes_last():
    p = fought("V22", deck="V20", favor="F02", own={0: {"favors": "F07 F08 F09"}})
    assert (p.seat, p.point, p.fury) == (0, "DP-23", (0, 0, 0))
    p.do("FAVOR F07", "TOP RIGHT")
    assert (p.point, p.fury) == ("DP-3", (0, 1, 0))


@pytest.mark.rules("T-INV-6", "T-BATTLE-12")
def test_after_a_tie_the_boon_and_the_own_god_come_before_the_invader_s():
    p = fought("V22", deck="V38", favor="F02", gods=("THOR", "ODIN", "TYR"))
    p.do(YES)
    # Odin may lower PERTHO only if it were above nothing: the Invader's step has not come yet.
    assert "PERTHO -" not in p.legal()
    assert p.do("HAGALAZ +").fury == (0, 2, 1)


@pytest.mark.rules("T-INV-7")
def test_the_invader_stack_stays_through_the_eras():
    p = position(seat(hand="", row="(V22)"), seat(hand=""), seat(hand="V05"), turn=2, chieftain=0, battle=battle(0),
                 invaders="V01 V02", deck="V20")  # fmt: skip
    idle(p)
    assert (p.era, p.invaders()) == (2, {"V01", "V02", "V20"})
