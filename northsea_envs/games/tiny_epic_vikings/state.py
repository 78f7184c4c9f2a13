"""The record of one game of Tiny Epic Vikings, and the record of its component tables.

Cards, Favor cards, gods, Islands, Fjords, Docks and build slots are numbered from 0 in the order of their tables. A
*location* is a Fjord or a Dock of the side in play: Fjords first, then Docks. A *link* is a ferry route in one
direction: route by route, those that lead off the map left out, first from ``island_a`` to ``island_b``, then back.
Fields that hold a card or nothing hold the card + 1, and 0 for nothing.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.games.tiny_epic_vikings.weights import WEIGHTS

# Structure of the rules, not component values: the tables are checked against them.
MAX_PLAYERS = 4
ENEMY = MAX_PLAYERS  # place of the Enemy where arrays go by clan
CLANS = MAX_PLAYERS + 1
CARDS = 48
FAVORS = 18
GODS = 6
ERAS = 3
BOATS = 4  # of a player: the starting boat, then one for each BOAT slot
BOAT_SLOTS = BOATS - 1
TEMPLE_SLOTS = 2
SLOTS = BOAT_SLOTS + TEMPLE_SLOTS
POOLS = 8  # decks of one era that are told apart; the printed tables make four at most
NAME_BYTES = 24  # UTF-8, filled up with zeros
ID_BYTES = 12

RUNES = ("FEHU", "HAGALAZ", "PERTHO")
FEHU, HAGALAZ, PERTHO = range(len(RUNES))
ANY_RUNE, NO_RUNE = 3, 4
REQUIREMENTS = (*RUNES, "ANY", "NONE")

RESOURCES = ("WOOD", "FOOD", "STEEL")
WOOD, FOOD, STEEL = range(len(RESOURCES))
GOODS = len(RESOURCES)
PAIRS = GOODS * (GOODS - 1)

BOOSTS = ("RUNE_FEHU", "RUNE_HAGALAZ", "RUNE_PERTHO", "RUNE_ANY", "WOOD", "FOOD", "STEEL", "NONE")
BOOST_ANY, BOOST_WOOD, NO_BOOST = 3, 4, 7

ACTIONS = (
    "NONE",
    "SAIL",
    "EXPLORE",
    "HARVEST",
    "BUILD",
    "SMITE",
    "TEMPLE_EXPLORE",
    "DRAW_REPLACE",
    "ENTER_BATTLE",
    "COLLECT",
    "EXCHANGE",
    "FURY_ADJUST",
    "FURY_PLUS",
)
(
    NO_ACTION,
    SAIL,
    EXPLORE,
    HARVEST,
    BUILD,
    SMITE,
    TEMPLE_EXPLORE,
    DRAW_REPLACE,
    ENTER_BATTLE,
    COLLECT,
    EXCHANGE,
    FURY_ADJUST,
    FURY_PLUS,
) = range(len(ACTIONS))

# Where an action comes from.
SOURCES = ("NONE", "LEADER", "RUNE", "DEDICATION", "BOON")
NO_SOURCE, FROM_LEADER, FROM_RUNE, FROM_DEDICATION, FROM_BOON = range(len(SOURCES))

# Switches of constants.csv; the first value of each is 0.
SWITCHES = {
    "chieftain_rule": ("LEFT_OF_FEWEST_ISLAND_RUNES", "MOST_ISLAND_RUNES"),
    "two_player_enemy": ("0", "1"),
    "enter_battle_card": ("SELF", "HAND"),
    "enter_battle_may_start": ("0", "1"),
    "deploy_limit_scope": ("PER_DOCKING", "PER_ACTION"),
    "own_boat_may_be_displaced": ("0", "1"),
    "control_lost_when": ("NO_BOOTS", "NO_INFLUENCE"),
    "lone_after_unpaid_steel": ("FIGHT_INVADERS", "WIN_UNOPPOSED"),
    "favor_holdings_observable": ("0", "1"),
}

# Phases: what the decider is asked (the decision points of section 20.2).
PHASES = (
    "START_BOAT",  # DP-1
    "DRAFT",  # DP-2
    "PLAY",  # DP-3
    "BATTLE_CARD",  # DP-3 under enter_battle_card = HAND
    "CONTEST",  # DP-4
    "LEADER",  # DP-5
    "RUNE",  # DP-6
    "SAIL_BOAT",  # DP-7
    "SAIL_TO",  # DP-8
    "DISPLACE",  # DP-9
    "DEPLOY",  # DP-10
    "RAID",  # DP-11
    "EXPLORE_STEP",  # DP-12
    "HARVEST_ONE",  # DP-13
    "BUILD_SLOT",  # DP-14
    "BUILD_AT",  # DP-15
    "TEMPLE_STEP",  # DP-16
    "SMITE_ONE",  # DP-17
    "EXCHANGE_PAIR",  # DP-18
    "EXCHANGE_AMOUNT",  # DP-18
    "DISCARD",  # DP-19
    "DEDICATE",  # DP-20
    "BOON",  # DP-21
    "FURY",  # DP-22
    "RETURN_CARD",  # DP-23
    "RETURN_END",  # DP-23
    "OVER",
)
(
    START_BOAT,
    DRAFT,
    PLAY,
    BATTLE_CARD,
    CONTEST,
    LEADER,
    RUNE,
    SAIL_BOAT,
    SAIL_TO,
    DISPLACE,
    DEPLOY,
    RAID,
    EXPLORE_STEP,
    HARVEST_ONE,
    BUILD_SLOT,
    BUILD_AT,
    TEMPLE_STEP,
    SMITE_ONE,
    EXCHANGE_PAIR,
    EXCHANGE_AMOUNT,
    DISCARD,
    DEDICATE,
    BOON,
    FURY,
    RETURN_CARD,
    RETURN_END,
    OVER,
) = range(len(PHASES))

# What goes on by itself between decisions; no seat is ever asked in these.
ACTION_DONE, LOSERS, AFTER_BATTLE, TURN_START, TURN_END = range(OVER + 1, OVER + 6)

# Where a card is. Hands hold kept cards during the draft too; a pack goes by the clan that holds it now.
IN_DECK, IN_DISCARD, IN_ENEMY_DISCARD, IN_INVADERS = range(4)
IN_HAND = 4  # + seat
IN_ROW = IN_HAND + MAX_PLAYERS  # + seat; the battle card too
IN_PACK = IN_ROW + MAX_PLAYERS  # + clan
PLACES = IN_PACK + CLANS  # how many there are

TOP, BOTTOM = range(2)
LEFT, RIGHT = range(2)
ROW_NAMES, END_NAMES = ("TOP", "BOTTOM"), ("LEFT", "RIGHT")

NOBODY = -1
NOWHERE = -1


def tables_dtype(sides: int, islands: int, fjords: int, docks: int, links: int, spaces: int) -> np.dtype:
    """Dtype of the tables' record: map sides, the most of each kind on a side, and dedication spaces."""
    return np.dtype(
        (
            np.record,
            [
                ("card_id", "u1", (CARDS, ID_BYTES)),  # viking_cards.csv
                ("card_name", "u1", (CARDS, NAME_BYTES)),
                ("card_rune", "i8", (CARDS,)),
                ("strength", "i8", (CARDS,)),
                ("boost_per", "i8", (CARDS,)),
                ("boost_source", "i8", (CARDS,)),
                ("steel_cost", "i8", (CARDS,)),
                ("leader_action", "i8", (CARDS,)),
                ("leader_n", "i8", (CARDS,)),
                ("need_rune", "i8", (CARDS, 2)),
                ("need_n", "i8", (CARDS, 2)),
                ("rune_action", "i8", (CARDS,)),
                ("rune_n", "i8", (CARDS,)),
                ("rune_bag", "i8", (CARDS, GOODS)),
                ("favor_id", "u1", (FAVORS, ID_BYTES)),  # favor_cards.csv
                ("favor_runes", "i8", (FAVORS, len(RUNES))),
                ("favor_bag", "i8", (FAVORS, GOODS)),
                ("god_name", "u1", (GODS, NAME_BYTES)),  # gods.csv
                ("boon_action", "i8", (GODS,)),
                ("boon_n", "i8", (GODS,)),
                ("boon_bag", "i8", (GODS, GOODS)),
                ("side_name", "u1", (sides, ID_BYTES)),  # map_sides.csv
                ("side_of", "i8", (MAX_PLAYERS + 1,)),  # by number of players
                ("favor_row", "i8", (MAX_PLAYERS + 1,)),
                ("dedication_cap", "i8", (MAX_PLAYERS + 1,)),
                ("islands", "i8", (sides,)),  # islands.csv
                ("island_id", "u1", (sides, islands, ID_BYTES)),
                ("island_name", "u1", (sides, islands, NAME_BYTES)),
                ("island_rune", "i8", (sides, islands)),
                ("enemy_temples", "i8", (sides, islands)),
                ("enemy_settlers", "i8", (sides, islands)),
                ("fjords", "i8", (sides,)),  # fjords.csv
                ("fjord_id", "u1", (sides, fjords, ID_BYTES)),
                ("is_edge", "i8", (sides, fjords)),
                ("fjords_meet", "i8", (sides, fjords, fjords)),  # fjord_adjacency.csv, 1 where adjacent
                ("docks", "i8", (sides,)),  # docks.csv
                ("dock_id", "u1", (sides, docks, ID_BYTES)),
                ("dock_island", "i8", (sides, docks)),
                ("dock_fjords", "i8", (sides, docks, 2)),
                ("has_village", "i8", (sides, docks)),
                ("island_fjord", "i8", (sides, islands, fjords)),  # 1 where one of the Island's Docks touches the Fjord
                ("links", "i8", (sides,)),  # ferry_routes.csv
                ("link_from", "i8", (sides, links)),
                ("link_to", "i8", (sides, links)),
                ("slot_id", "u1", (SLOTS, ID_BYTES)),  # clan_mat.csv: BOAT slots, then TEMPLE slots
                ("slot_wood", "i8", (SLOTS,)),
                ("slot_food_bonus", "i8", (SLOTS,)),
                ("slot_any_bonus", "i8", (SLOTS,)),
                ("hand", "i8", (ERAS,)),  # era_mat.csv
                ("direction", "i8", (ERAS,)),  # 1 clockwise, -1 counterclockwise
                ("raid_steel", "i8", (ERAS,)),
                ("space_id", "u1", (spaces, ID_BYTES)),  # dedication_spaces.csv; the last three are on God mats
                ("space_action", "i8", (spaces,)),
                ("space_n", "i8", (spaces,)),
                ("start_goods", "i8", (GOODS,)),  # constants.csv
                ("resource_max", "i8"),
                ("settlers_each", "i8"),
                ("deploy_food", "i8"),
                ("influence_settler", "i8"),
                ("influence_temple", "i8"),
                ("influence_docked", "i8"),
                ("favor_limit", "i8"),
                ("fury_start", "i8"),
                ("fury_min", "i8"),
                ("fury_rune", "i8"),
                ("fury_loss", "i8"),
                ("fury_invader", "i8"),
                ("island_vp", "i8", (len(RUNES),)),  # by rank of the god
                ("favor_vp", "i8", (len(RUNES),)),
                ("most_islands_lead", "i8"),  # chieftain_rule is MOST_ISLAND_RUNES
                ("two_player_enemy", "i8"),
                ("enter_from_hand", "i8"),  # enter_battle_card is HAND
                ("enter_may_start", "i8"),
                ("deploy_per_action", "i8"),  # deploy_limit_scope is PER_ACTION
                ("own_boat_displaced", "i8"),
                ("influence_keeps", "i8"),  # control_lost_when is NO_INFLUENCE
                ("unopposed_wins", "i8"),  # lone_after_unpaid_steel is WIN_UNOPPOSED
                ("favors_observable", "i8"),
                ("weights", "f8", (len(WEIGHTS),)),  # value.csv
            ],
        )
    )


def most_hand(tables: np.ndarray) -> int:
    """Most cards that a player is dealt in an era."""
    return int(tables[0].hand.max())


def pass_groups(tables: np.ndarray) -> int:
    """How often in an era a player passes a pack on, at most."""
    return most_hand(tables) - 1


def state_dtype(tables: np.ndarray) -> np.dtype:
    """Dtype of one game under ``tables`` (an array of one tables' record).

    Counts are signed, for compiled differences of unsigned numbers would wrap around, and no wider than they need: what
    is not in the record need not be fetched from memory.
    """
    t = tables[0]
    islands, docks, spaces = t.island_rune.shape[1], t.dock_island.shape[1], len(t.space_action)
    hand, classes = most_hand(tables), pass_groups(tables) + POOLS
    return np.dtype(
        (
            np.record,
            [
                ("rng", "u4", (4,)),  # shuffles to come, and what the Enemy discards
                ("players", "i4"),
                ("side", "i4"),  # of the map
                ("enemy", "i4"),  # 1 where the Enemy takes part
                ("era", "i4"),  # 1..
                ("phase", "i4"),
                ("seat", "i4"),  # whose decision it is; -1 when the game is over
                ("turn_seat", "i4"),  # whose turn it is; -1 while boats are placed and in the draft
                ("chieftain", "i4"),
                # Cards: each is in one place. Only the deck is ordered.
                ("place", "i1", (CARDS,)),  # IN_DECK ..., IN_HAND + seat, ...
                ("deck", "i1", (CARDS,)),  # the top is the last of deck_size; 0 beyond
                ("deck_size", "i4"),
                ("hand_size", "i2", (MAX_PLAYERS,)),
                ("row", "i1", (MAX_PLAYERS, hand)),  # card + 1, left to right
                ("row_size", "i2", (MAX_PLAYERS,)),
                ("invaders", "i4"),  # cards in the Invader stack
                ("pick_number", "i4"),  # of the draft under way: 0 for the first choice of the era
                ("picked", "i2", (MAX_PLAYERS,)),  # card + 1 chosen, until all have; it is still in the pack
                ("dealt_before", "i1", (CLANS,)),  # cards of each clan's first pack dealt before the deck ran out
                # The map.
                ("settlers", "i2", (islands, CLANS)),
                ("temples", "i2", (islands, CLANS)),
                ("holder", "i2", (islands,)),  # seat that has the Island Rune, -1: it lies on the Island
                ("village", "i1", (docks,)),
                ("boat_at", "i2", (MAX_PLAYERS, BOATS)),  # location, -1 on the mat
                # Players.
                ("resources", "i2", (MAX_PLAYERS, GOODS)),
                ("built", "i1", (MAX_PLAYERS, SLOTS)),
                ("villages", "i2", (MAX_PLAYERS,)),  # raided, not dedicated
                ("favor_owner", "i1", (FAVORS,)),  # seat + 1
                ("favor_row", "i1", (2, 2 * int(t.favor_row.max()))),  # Favor card + 1, left to right; TOP, BOTTOM
                ("favor_row_size", "i2", (2,)),
                # Gods, by rune.
                ("god", "i2", (len(RUNES),)),
                ("fury", "i2", (len(RUNES),)),
                ("dedicated", "i2", (spaces,)),
                # The battle in progress.
                ("starter", "i4"),  # seat, -1 without a battle
                ("battle_card", "i2", (MAX_PLAYERS,)),  # card + 1, the last of the owner's Row
                ("battle_public", "i1", (MAX_PLAYERS,)),  # it was seen before it was turned facedown (SELF)
                ("contested", "i4"),  # Favor card + 1
                ("contested_row", "i4"),  # where it came from
                ("contested_end", "i4"),
                ("revealed", "i4"),  # 1 while the battle is being resolved
                ("loser", "i1", (MAX_PLAYERS,)),  # has still to take the Boon and to raise fury
                ("invader_rune", "i4"),  # whose god gets fury at last, -1 for none
                # The action under way, all zero (or -1) while there is none.
                ("action", "i4"),
                ("source", "i4"),
                ("actor", "i4"),
                ("amount", "i4"),  # n as printed
                ("left", "i4"),  # moves, steps, resources, removals, draws still to do
                ("boat", "i4"),  # sailing
                ("dock", "i4"),  # where it has just arrived, until that is resolved
                ("displaced_seat", "i4"),
                ("displaced_boat", "i4"),
                ("deployed", "i4"),  # Settlers at this docking
                ("deployed_before", "i4"),  # at earlier dockings of this action
                ("settlers_before", "i1", (islands,)),  # the explorer's, before the action
                ("slot", "i4"),  # paid for
                ("pair", "i4"),  # exchange chosen, -1 for none
                ("fury_choice", "i4"),  # god and direction begun (2 * rune, + 1 downwards), -1 for none
                ("returning", "i4"),  # Favor card + 1 on its way back to a row
                # What each seat knows of cards whose place it does not know: see knowledge.py.
                ("kin", "i1", (MAX_PLAYERS, CARDS)),
                ("slots", "i1", (MAX_PLAYERS, CLANS, classes)),
                ("mixed", "i1", (MAX_PLAYERS, CLANS)),
                ("mixed_before", "i1", (MAX_PLAYERS,)),
                ("pack_class", "i1", (MAX_PLAYERS, CLANS)),
                ("generation", "i4"),  # reshuffles in this era, at most POOLS - 1
                # Generation of the first deck with Enemy discards of this era's draft, 0 for none.
                ("enemy_mixed_in", "i4"),
            ],
        )
    )
