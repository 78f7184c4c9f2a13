"""The record of one game of Raiders of the North Sea, and the record of its component tables.

*Kinds* of card are the rows of ``townsfolk.csv``, *tiles* those of ``offerings.csv`` (one a copy), *spaces* those of
``raid_spaces.csv``. Hands, crews and the discard pile are counts by kind. ``goods`` and ``supply`` are indexed by the
first five resources. Workers are stored as colours 1.., 0 where none stands.
"""

from __future__ import annotations

import numpy as np

from northsea_envs.games.raiders.weights import WEIGHTS

# Structure of the rules, not component values: the tables are checked against them.
MAX_PLAYERS = 4
BUILDING_KEYS = ("gate_house", "town_hall", "treasury", "barracks", "armoury", "mill", "silversmith", "long_house")
BUILDINGS = len(BUILDING_KEYS)
OPTIONS = 2  # of a building's action
SETTLEMENT_TYPES = ("HARBOUR", "OUTPOST", "MONASTERY", "FORTRESS")
FORTRESS = SETTLEMENT_TYPES.index("FORTRESS")
TIERS = 3
SETS = 3  # most raid spaces of a settlement
DISPLAY = 3
DICE = 2
DIE_FACES = 6
MOST_CARDS = 250  # of all kinds
MOST_ROWS = 100  # kinds, tiles, raid spaces, copies of a card: small enough for a signed byte
NAME_BYTES = 24  # UTF-8, filled up with zeros

NO_WORKER, BLACK, GREY, WHITE = range(4)
COLOURS = ("NONE", "BLACK", "GREY", "WHITE")

# Resources; the first five are goods, which players and the supply hold.
RESOURCES = (
    "GOLD",
    "IRON",
    "LIVESTOCK",
    "SILVER",
    "PROVISION",
    "CARD",
    "CREW",
    "ARMOUR",
    "PLUNDER",
    "OFFERING",
    "DISCOUNT",
    "SILVER_OR_PROVISION",
    "NONE",
)
(
    GOLD,
    IRON,
    LIVESTOCK,
    SILVER,
    PROVISION,
    CARD,
    CREW,
    ARMOUR,
    PLUNDER,
    OFFERING,
    DISCOUNT,
    SILVER_OR_PROVISION,
    NO_RESOURCE,
) = range(len(RESOURCES))
GOODS = 5
PLUNDER_KINDS = 3  # gold, iron, livestock

# Tokens of a raid space: the three kinds of Plunder, then Valkyries.
VALKYRIE = 3
TOKENS = 4

# What an option of a building does.
OPS = ("NONE", "GAIN", "EXCHANGE", "PLAY_CARD", "HIRE", "OFFER")
NO_OP, OP_GAIN, OP_EXCHANGE, OP_PLAY_CARD, OP_HIRE, OP_OFFER = range(len(OPS))

# Crew effects, by code; codes that raise strength by other things than a fixed amount stand together.
CREW_CODES = (
    "NONE",
    "RAID_VP",
    "RAID_STRENGTH",
    "RAID_REROLL",
    "RAID_LESS_PROVISION",
    "RAID_LESS_GOLD",
    "STRENGTH_PER_ARMOUR",
    "STRENGTH_PER_OTHER_CREW",
    "STRENGTH_PER_VALKYRIE",
    "DEATH_RETURN_TO_HAND",
    "DEATH_GAIN_GOLD",
    "DEATH_GAIN_VP",
    "DEATH_OPPONENT_LOSES_CREW",
    "BUILDING_EXTRA",
    "HIRE_DISCOUNT",
    "END_VP",
    "END_VP_PER_LIVESTOCK",
    "END_VP_PER_OFFERING",
)
(
    NO_EFFECT,
    RAID_VP,
    RAID_STRENGTH,
    RAID_REROLL,
    RAID_LESS_PROVISION,
    RAID_LESS_GOLD,
    STRENGTH_PER_ARMOUR,
    STRENGTH_PER_OTHER_CREW,
    STRENGTH_PER_VALKYRIE,
    DEATH_RETURN_TO_HAND,
    DEATH_GAIN_GOLD,
    DEATH_GAIN_VP,
    DEATH_OPPONENT_LOSES_CREW,
    BUILDING_EXTRA,
    HIRE_DISCOUNT,
    END_VP,
    END_VP_PER_LIVESTOCK,
    END_VP_PER_OFFERING,
) = range(len(CREW_CODES))

# Town Hall effects, by code. 0 stands for none, as above.
TOWN_HALL_CODES = (
    "NONE",
    "GAIN",
    "EXCHANGE",
    "ALL_OPPONENTS_LOSE",
    "OPPONENT_LOSES",
    "STEAL",
    "ALL_OPPONENTS_GIVE",
    "SWAP_WORKER",
    "SWAP_CREW_WITH_HAND",
    "HIRE_AT_PRICE",
    "USE_BUILDING",
    "CYCLE_OFFERINGS",
    "SWAP_CARDS",
    "SWAP_WHOLE_HANDS",
    "OFFER_AT_DISCOUNT",
)
(
    NO_ACTION,
    GAIN,
    EXCHANGE,
    ALL_OPPONENTS_LOSE,
    OPPONENT_LOSES,
    STEAL,
    ALL_OPPONENTS_GIVE,
    SWAP_WORKER,
    SWAP_CREW_WITH_HAND,
    HIRE_AT_PRICE,
    USE_BUILDING,
    CYCLE_OFFERINGS,
    SWAP_CARDS,
    SWAP_WHOLE_HANDS,
    OFFER_AT_DISCOUNT,
) = range(len(TOWN_HALL_CODES))

# Where a crew effect works: settlement types, every raid, nowhere, then buildings.
EVERY_RAID = len(SETTLEMENT_TYPES)
NO_SCOPE = EVERY_RAID + 1
BUILDING_SCOPE = NO_SCOPE + 1

# Phases: what the decider is asked (the decision points of section 14.2; DP-RES, DP-CREW and DP-BLD by their uses).
PHASES = (
    "DRAFT",
    "MAIN",
    "ACT",
    "TOWN_HALL",
    "PAY_CARD",
    "HIRE",
    "LONG_HOUSE",
    "PICK_UP",
    "OPPONENT",
    "WORKER_BUILDING",
    "ACTION_BUILDING",
    "GAIN_PLUNDER",
    "STEAL_PLUNDER",
    "PAY_PLUNDER",
    "PAY_CREW",
    "RETURN_CREW",
    "FREE_HIRE",
    "SLOT",
    "DISCOUNT_ON",
    "SWAP_COUNT",
    "SWAP_A",
    "SWAP_B",
    "PAY",
    "REROLL",
    "SET",
    "KILL",
    "AVENGE_OPPONENT",
    "AVENGE_CREW",
    "LIMIT",
    "OVER",
)
(
    DRAFT,
    MAIN,
    ACT,
    TOWN_HALL,
    PAY_CARD,
    HIRE,
    LONG_HOUSE,
    PICK_UP,
    OPPONENT,
    WORKER_BUILDING,
    ACTION_BUILDING,
    GAIN_PLUNDER,
    STEAL_PLUNDER,
    PAY_PLUNDER,
    PAY_CREW,
    RETURN_CREW,
    FREE_HIRE,
    SLOT,
    DISCOUNT_ON,
    SWAP_COUNT,
    SWAP_A,
    SWAP_B,
    PAY,
    REROLL,
    SET,
    KILL,
    AVENGE_OPPONENT,
    AVENGE_CREW,
    LIMIT,
    OVER,
) = range(len(PHASES))

NOBODY = -1
NOWHERE = -1
# Row of ``known`` for an onlooker who sees what all see and holds no hand.
ONLOOKER = MAX_PLAYERS

# Independent streams of random numbers, all from the game's seed; bag and tiles draw during setup only.
CARD_STREAM, TILE_STREAM, BAG_STREAM, DICE_STREAM, START_STREAM = range(1, 6)


def tables_dtype(
    kinds: int, tiles: int, settlements: int, spaces: int, valkyrie_steps: int, armour_steps: int
) -> np.dtype:
    """Dtype of the tables' record: kinds of card, tiles, settlements, raid spaces, highest track positions."""
    options = (BUILDINGS, OPTIONS, len(COLOURS))
    return np.dtype(
        (
            np.record,
            [
                ("card_name", "u1", (kinds, NAME_BYTES)),  # townsfolk.csv
                ("card_count", "i8", (kinds,)),
                ("hire_cost", "i8", (kinds,)),
                ("strength", "i8", (kinds,)),
                ("is_hero", "i8", (kinds,)),
                ("crew_code", "i8", (kinds,)),
                ("crew_scope", "i8", (kinds,)),
                ("crew_n", "i8", (kinds,)),
                ("crew_per", "i8", (kinds,)),
                ("th_code", "i8", (kinds,)),
                ("th_pay_res", "i8", (kinds,)),
                ("th_pay_n", "i8", (kinds,)),
                ("th_get_res", "i8", (kinds,)),
                ("th_get_n", "i8", (kinds,)),
                ("th_get2_res", "i8", (kinds,)),
                ("th_get2_n", "i8", (kinds,)),
                ("tile_cost", "i8", (tiles, GOODS)),  # offerings.csv, one row a copy
                ("tile_vp", "i8", (tiles,)),
                ("settlement_name", "u1", (settlements, NAME_BYTES)),  # settlements.csv
                ("settlement_type", "i8", (settlements,)),
                ("min_crew", "i8", (settlements,)),
                ("provisions", "i8", (settlements,)),
                ("gold", "i8", (settlements,)),
                ("dice", "i8", (settlements,)),
                ("settlement_takes", "i8", (settlements, len(COLOURS))),
                ("fixed_vp", "i8", (settlements,)),
                ("tiers", "i8", (settlements,)),
                ("tier_strength", "i8", (settlements, TIERS)),
                ("tier_vp", "i8", (settlements, TIERS)),
                ("first_space", "i8", (settlements,)),  # raid_spaces.csv
                ("space_count", "i8", (settlements,)),
                ("space_settlement", "i8", (spaces,)),
                ("plunder_count", "i8", (spaces,)),
                ("space_worker", "i8", (spaces,)),
                ("building_takes", "i8", (BUILDINGS, len(COLOURS))),  # buildings.csv
                ("initial_worker", "i8", (BUILDINGS,)),
                ("op", "i8", options),  # building_actions.csv
                ("op_pay_res", "i8", options),
                ("op_pay_n", "i8", options),
                ("op_get_res", "i8", options),
                ("op_get_n", "i8", options),
                ("valkyrie_vp", "i8", (valkyrie_steps + 1,)),  # tracks.csv
                ("armour_vp", "i8", (armour_steps + 1,)),
                ("tokens", "i8", (TOKENS,)),  # constants.csv
                ("stock", "i8", (GOODS,)),  # silver and provisions; Plunder comes out of the bag
                ("workers", "i8", (len(COLOURS),)),
                ("die_face", "i8", (DIE_FACES,)),
                ("start_goods", "i8", (GOODS,)),
                ("start_armour", "i8"),
                ("start_valkyrie", "i8"),
                ("start_vp", "i8"),
                ("draft_deal", "i8"),
                ("draft_keep", "i8"),
                ("limit_silver", "i8"),
                ("limit_provision", "i8"),
                ("limit_hand", "i8"),
                ("limit_crew", "i8"),
                ("limit_hero_crew", "i8"),
                ("gold_per_vp", "i8"),
                ("iron_per_vp", "i8"),
                ("livestock_per_vp", "i8"),
                ("end_fortress_sets_left", "i8"),
                ("end_offering_stack_left", "i8"),
                ("end_valkyrie_on_board", "i8"),
                ("final_turns_per_player", "i8"),
                ("crew_discards_per_hire", "i8"),
                ("max_turns_per_player", "i8"),
                ("weights", "f8", (len(WEIGHTS),)),  # value.csv
            ],
        )
    )


def state_dtype(tables: np.ndarray) -> np.dtype:
    """Dtype of one game under ``tables`` (an array of one tables' record).

    Counts are signed, for compiled differences of unsigned numbers would wrap around; what is handed to functions is
    wide, for each is compiled anew for every type it is given.
    """
    t = tables[0]
    kinds, cards, tiles = len(t.card_count), int(t.card_count.sum()), len(t.tile_vp)
    settlements, spaces = len(t.min_crew), len(t.plunder_count)
    by_kind = (MAX_PLAYERS, kinds)
    return np.dtype(
        (
            np.record,
            [
                ("rng_cards", "u4", (4,)),
                ("rng_dice", "u4", (4,)),
                ("rng_start", "u4", (4,)),
                ("players", "i4"),
                ("phase", "i4"),
                ("seat", "i4"),  # whose decision it is; -1 when the game is over
                ("owner", "i4"),  # whose turn it is; -1 during the draft
                ("start_seat", "i4"),  # -1 during the draft
                ("vp", "i2", (MAX_PLAYERS,)),  # scored during play
                ("goods", "i2", (MAX_PLAYERS, GOODS)),
                ("armour", "i2", (MAX_PLAYERS,)),
                ("valkyries", "i2", (MAX_PLAYERS,)),  # position on the track
                ("worker", "i2", (MAX_PLAYERS,)),  # in hand
                ("hand", "i1", by_kind),
                ("hand_size", "i2", (MAX_PLAYERS,)),
                ("crew", "i1", by_kind),
                ("crew_size", "i2", (MAX_PLAYERS,)),
                ("heroes", "i2", (MAX_PLAYERS,)),  # among the crew
                ("picked", "i1", by_kind),  # to be given back or away; still in hand
                ("turns", "i2", (MAX_PLAYERS,)),  # taken
                # What each seat (and last an onlooker) knows for certain: cards in others' hands, by observer and
                # holder, and the seat's own drafted cards at the bottom of the pile.
                ("known", "i1", (MAX_PLAYERS + 1, MAX_PLAYERS, kinds)),
                ("returned", "i1", by_kind),
                ("pile", "i1", (cards,)),  # kinds; the top is the last of pile_size
                ("pile_size", "i4"),
                ("drafted_left", "i4"),  # cards at the bottom of the pile that came back in the draft
                ("discard", "i1", (kinds,)),
                ("discard_size", "i4"),
                ("supply", "i2", (GOODS,)),
                ("valkyries_gone", "i4"),  # left the board, or never came onto it
                ("space_tokens", "i2", (spaces, TOKENS)),
                ("set_left", "i1", (spaces,)),
                ("raiders", "i1", (settlements, len(COLOURS))),  # workers left at the settlement
                ("building_worker", "i2", (BUILDINGS,)),
                ("used", "i1", (BUILDINGS,)),  # this turn
                ("display", "i2", (DISPLAY,)),  # tile + 1
                ("stack", "i1", (tiles,)),  # the top is the last of stack_size
                ("stack_size", "i4"),
                ("stack_known", "i4"),  # tiles at the bottom that all know
                ("tile_owner", "i1", (tiles,)),  # seat + 1
                # What is pending, all zero (or -1) while it is not.
                ("placed", "i4"),  # building placed on this turn
                ("picked_up", "i4"),  # whether the second half of the Work is under way
                ("building", "i4"),  # whose action is being taken
                ("act_colour", "i4"),  # of the worker who takes it
                ("must_act", "i4"),  # the Merchant's building may not be declined
                ("card", "i4"),  # kind + 1 played at the Town Hall
                ("chosen", "i4"),  # kind + 1 of the crew member to return to hand
                ("target", "i4"),  # opponent chosen, or paying
                ("left", "i4"),  # picks that the decider still owes
                ("swap_count", "i4"),
                ("slot", "i4"),  # of the display
                ("get_res", "i4"),  # what the exchange under way brings when it is paid
                ("get_left", "i4"),
                ("long_left", "i4"),  # actions in the Long House
                ("fired", "i4"),  # crew discarded for the hire under way
                ("settlement", "i4"),
                ("dice", "i2", (DICE,)),  # as rolled, 0 for none
                ("rerolls", "i4"),
                ("valkyries_left", "i4"),
                ("avenges_left", "i4"),
                ("final", "i4"),  # the end has been triggered
                ("turns_left", "i4"),  # of the final round
                ("truncated", "i4"),
            ],
        )
    )
