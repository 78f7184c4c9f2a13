"""What a seat may know, as one flat vector of named fields. Section 20.5."""

import numpy as np

from northsea_envs.game import Field
from northsea_envs.games.tiny_epic_vikings.battle import favors_held
from northsea_envs.games.tiny_epic_vikings.cards import row_runes
from northsea_envs.games.tiny_epic_vikings.control import plays
from northsea_envs.games.tiny_epic_vikings.knowledge import current_pool, pool_0
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTIONS,
    BOATS,
    BOON,
    CARDS,
    CLANS,
    DISPLACE,
    ENEMY,
    ERAS,
    FAVORS,
    FROM_LEADER,
    FROM_RUNE,
    GODS,
    GOODS,
    IN_DISCARD,
    IN_ENEMY_DISCARD,
    IN_HAND,
    IN_PACK,
    IN_ROW,
    LEADER,
    NOWHERE,
    OVER,
    PAIRS,
    PHASES,
    RESOURCES,
    RUNE,
    RUNES,
    SLOTS,
    SOURCES,
    most_hand,
    pass_groups,
)
from northsea_envs.games.tiny_epic_vikings.turn import card_played, god_of
from northsea_envs.jit import compiled

# Pools whose slots are shown, by generation; a later one has whatever slots are missing to the cards held.
POOLS_SHOWN = 3

# Counts are divided by these.
FEW = 4.0  # numbers of actions, boats in a Fjord, Villages
TRACK = 20.0
MOST_FURY = 60  # higher ones are shown as this
MOST_RESHUFFLES = 4


def observation_fields(tables: np.ndarray, players: int) -> tuple[Field, ...]:
    """The fields of the flat observation, in order; ``seat_0`` is the observing seat, the others follow clockwise."""
    t = tables[0]
    side = int(t.side_of[players])
    islands, fjords, docks = int(t.islands[side]), int(t.fjords[side]), int(t.docks[side])
    hand, groups, each = most_hand(tables), pass_groups(tables), int(t.settlers_each)
    enemy = players == 2 and bool(t.two_player_enemy)
    clans = [f"seat_{k}" for k in range(players)] + ["enemy"] * enemy
    goods, runes = ", ".join(RESOURCES).lower(), ", ".join(RUNES)
    most_n = max(int(t.leader_n.max()), int(t.rune_n.max()), int(t.boon_n.max()), int(t.space_n.max()))
    most_left = most_n + int(t.slot_any_bonus.sum())
    most_villages = float(t.has_village[side].sum()) / FEW
    e_settlers, e_temples = int(t.enemy_settlers[side].max()), int(t.enemy_temples[side].max())
    fields = []
    for k in range(players):
        seat = f"seat_{k}"
        fields += [
            Field(f"{seat}.resources", GOODS, 0, 1, f"{goods}; divided by {t.resource_max}"),
            Field(f"{seat}.built", SLOTS, 0, 1, "1 for each slot of the Clan mat that is built: boats, temples"),
            Field(f"{seat}.villages", 1, 0, most_villages, f"raided and not dedicated, divided by {FEW:g}"),
            Field(f"{seat}.hand_size", 1, 0, 1, f"cards in hand, divided by {hand}"),
            Field(f"{seat}.row_runes", len(RUNES), 0, 1, f"on faceup cards of the Row: {runes}; divided by {hand}"),
            Field(f"{seat}.facedown", 1, 0, 1, "1 with a facedown card"),
            Field(f"{seat}.settlers", islands, 0, 1, f"by Island, divided by {each}"),
            Field(f"{seat}.temples", islands, 0, 1, "by Island, divided by 2"),
            Field(f"{seat}.holds", islands, 0, 1, "1 for each Island whose rune it holds"),
        ]
    if enemy:
        fields += [
            Field("enemy.settlers", islands, 0, e_settlers / FEW, f"by Island, divided by {FEW:g}"),
            Field("enemy.temples", islands, 0, e_temples / 2, "by Island, divided by 2"),
        ]
    for k in range(1, players):
        fields.append(Field(f"seat_{k}.fjords", fjords, 0, 1, f"boats in each Fjord, divided by {BOATS}"))
    at_fjord = "one-hot by boat: the Fjord it is in; the starting boat, then that of each slot"
    fields += [
        Field("other_docks", docks, 0, 1, f"k / {players - 1} where a boat of seat_k is docked, k from 1"),
        Field("own_fjords", BOATS * fjords, 0, 1, at_fjord, (BOATS, fjords)),
        Field("own_docks", docks, 0, 1, f"where an own boat is docked: its number, from 1, divided by {BOATS}"),
        Field("village", docks, 0, 1, "1 for each Dock with a Village"),
        Field("hand", CARDS, 0, 1, "1 for own cards in hand, kept or chosen in the draft; 0.5 for the pack held"),
        Field(
            "rows",
            CARDS,
            0,
            1,
            f"1 for faceup cards of all Rows; (k + 1) / {2 * players} for the facedown card of seat_k, if known",
        ),
        Field(
            "discard", CARDS, 0, 1, "1 for cards on the discard pile; 0.5 for what the Enemy is known to have discarded"
        ),
        Field(
            "unseen",
            CARDS,
            -1,
            1,
            f"cards whose place is not known: -t / {groups} if passed on at pick t, from 1; else (g + 1) / (r + 1), "
            "r being how often the deck was reshuffled this era, g how often when the card was last known to be in it",
        ),
    ]
    for name in clans[1:]:
        fields += [
            Field(f"{name}.passed", groups, 0, 1, f"{_holds(name)} passed on at each pick, divided by {FEW:g}"),
            Field(
                f"{name}.drawn",
                POOLS_SHOWN,
                0,
                1,
                f"{_holds(name)} drawn from the era's first decks, unseen, by deck; divided by {CARDS}",
            ),
            Field(f"{name}.mixed", 1, 0, 1, f"{_holds(name)} from a pack dealt of two decks, divided by {FEW:g}"),
        ]
    fields += [
        Field("mixed_before", 1, 0, 1, f"cards of the old deck among those of mixed packs, divided by {hand}"),
        Field("dealt_before", len(clans), 0, 1, f"cards of each first pack dealt from the old deck, divided by {hand}"),
        Field("deck", 1, 0, 1, f"cards in the deck, divided by {CARDS}"),
        Field("invaders", 1, 0, 1, f"cards in the Invader stack, divided by {CARDS}"),
        Field("reshuffles", 1, 0, 1, f"of the deck this era, up to {MOST_RESHUFFLES}, divided by {MOST_RESHUFFLES}"),
        Field("top", FAVORS, 0, 1, f"Favor cards of the TOP row: place from the left, divided by {_row(t)}"),
        Field("bottom", FAVORS, 0, 1, f"Favor cards of the BOTTOM row: place from the left, divided by {_row(t)}"),
        Field("favors", FAVORS, 0, 1, "own Favor cards; 0.5 for the one about to be returned"),
    ]
    if t.favors_observable:
        fields.append(Field("other_favors", FAVORS, 0, 1, f"k / {players - 1} for Favor cards of seat_k, k from 1"))
    else:
        fields.append(
            Field("other_favors", players - 1, 0, 1, f"Favor cards of each other seat, divided by {t.favor_limit + 1}")
        )
    fields += [
        Field("contested", FAVORS, 0, 1, "one-hot: the Favor card fought for"),
        Field("contested_end", 4, 0, 1, "one-hot, where it came from: TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT"),
        Field("god", len(RUNES) * GODS, 0, 1, f"one-hot by rune, {runes}: its god, in the order of gods.csv"),
        Field("fury", len(RUNES), 0, MOST_FURY / TRACK, f"by rune, up to {MOST_FURY}, divided by {TRACK:g}"),
        Field("dedicated", len(t.space_n), 0, 1, f"Villages on each space, divided by {t.dedication_cap[players]}"),
        Field("era", ERAS, 0, 1, "one-hot"),
        Field("pick", 1, 0, 1, f"number of the pick in the draft, divided by {hand}"),
        Field("chieftain", players, 0, 1, "one-hot, by seat_k"),
        Field("turn", players, 0, 1, "one-hot: whose turn it is; all 0 while boats are placed and in the draft"),
        Field("decider", players, 0, 1, "one-hot: whose decision it is; all 0 when the game is over"),
        Field("phase", OVER, 0, 1, f"one-hot: what is asked: {', '.join(name.lower() for name in PHASES[:OVER])}"),
        Field("starter", players, 0, 1, "one-hot: who started the battle in progress"),
        Field("revealed", 1, 0, 1, "1 while a battle is being resolved"),
        Field("losers", players, 0, 1, "1 for each seat that is still to take a Boon and raise fury"),
        Field("invader_rune", len(RUNES), 0, 1, "one-hot: the Invader's rune whose god gets fury at the end"),
        Field("card", CARDS, 0, 1, "one-hot: the card just played, while its actions are offered or under way"),
        Field(
            "action",
            len(ACTIONS) - 1,
            0,
            1,
            f"one-hot: the action offered or under way: {', '.join(ACTIONS[1:]).lower()}",
        ),
        Field("source", len(SOURCES) - 1, 0, 1, f"one-hot: where it comes from: {', '.join(SOURCES[1:]).lower()}"),
        Field("actor", players, 0, 1, "one-hot: whose action is under way"),
        Field("amount", 1, 0, most_n / FEW, f"its number, divided by {FEW:g}"),
        Field("left", 1, 0, most_left / FEW, f"moves, steps, resources, ... left of it, divided by {FEW:g}"),
        Field("deployed", 1, 0, most_n / FEW, f"Settlers deployed at this docking, divided by {FEW:g}"),
        Field(
            "deployed_before",
            1,
            0,
            most_n * most_n / FEW,
            f"Settlers deployed at earlier dockings of the action, divided by {FEW:g}",
        ),
        Field("boat", BOATS, 0, 1, "one-hot: the boat that sails"),
        Field("displaced", BOATS, 0, 1, "one-hot: the decider's boat that has to leave its Dock"),
        Field(
            "settlers_before",
            islands,
            0,
            1,
            f"Settlers of the actor by Island before its exploration, divided by {each}",
        ),
        Field("slot", SLOTS, 0, 1, "one-hot: the slot paid for"),
        Field("pair", PAIRS, 0, 1, "one-hot: the exchange chosen"),
        Field("fury_choice", 2 * len(RUNES), 0, 1, f"one-hot: god and direction chosen, by rune: {runes}; up, down"),
    ]
    return tuple(fields)


def _holds(name: str) -> str:
    if name == "enemy":
        return "hidden cards among the Enemy's discards"
    return "hidden cards that the seat holds"


def _row(t: np.record) -> int:
    return 2 * int(t.favor_row.max())


@compiled
def observe(tables, state, seat, out):
    """Write what ``seat`` may know into ``out``, field by field in the order of ``observation_fields``."""
    out[:] = 0
    players = int(state.players)
    place = 0
    for k in range(players):
        place = _observe_clan(tables, state, (seat + k) % players, out, place)
    islands = int(tables.islands[state.side])
    if state.enemy:
        for island in range(islands):
            out[place + island] = state.settlers[island, ENEMY] / FEW
            out[place + islands + island] = state.temples[island, ENEMY] / 2
        place += 2 * islands
    place = _observe_boats(tables, state, seat, out, place)
    for dock in range(tables.docks[state.side]):
        out[place + dock] = state.village[dock]
    place = _observe_cards(tables, state, seat, out, place + int(tables.docks[state.side]))
    place = _observe_slots(tables, state, seat, out, place)
    place = _observe_favors(tables, state, seat, out, place)
    place = _observe_course(tables, state, seat, out, place)
    _observe_action(tables, state, seat, out, place)


@compiled
def _most_hand(tables):
    return pool_0(tables) + 1


@compiled
def _observe_clan(tables, state, seat, out, place):
    islands, hand = int(tables.islands[state.side]), _most_hand(tables)
    for good in range(GOODS):
        out[place + good] = state.resources[seat, good] / tables.resource_max
    place += GOODS
    for slot in range(SLOTS):
        out[place + slot] = state.built[seat, slot]
    place += SLOTS
    out[place] = state.villages[seat] / FEW
    out[place + 1] = state.hand_size[seat] / hand
    place += 2
    for rune in range(len(RUNES)):
        out[place + rune] = row_runes(tables, state, seat, rune) / hand
    place += len(RUNES)
    out[place] = state.battle_card[seat] != 0 and not state.revealed
    place += 1
    for island in range(islands):
        out[place + island] = state.settlers[island, seat] / tables.settlers_each
        out[place + islands + island] = state.temples[island, seat] / 2
        out[place + 2 * islands + island] = state.holder[island] == seat
    return place + 3 * islands


@compiled
def _observe_boats(tables, state, seat, out, place):
    players = int(state.players)
    fjords, docks = int(tables.fjords[state.side]), int(tables.docks[state.side])
    other_docks = place + (players - 1) * fjords
    own_fjords = other_docks + docks
    own_docks = own_fjords + BOATS * fjords
    for k in range(players):
        owner = (seat + k) % players
        for boat in range(BOATS):
            at = int(state.boat_at[owner, boat])
            # A boat that waits for its Dock to be left is where the displaced one is.
            if at == NOWHERE or (state.phase == DISPLACE and owner == state.actor and boat == state.boat):
                continue
            if at < fjords:
                if k:
                    out[place + (k - 1) * fjords + at] += 1 / BOATS
                else:
                    out[own_fjords + boat * fjords + at] = 1
            elif k:
                out[other_docks + at - fjords] = k / (players - 1)
            else:
                out[own_docks + at - fjords] = (boat + 1) / BOATS
    return own_docks + docks


@compiled
def _observe_cards(tables, state, seat, out, place):
    first = pool_0(tables)
    of_pools, of_groups = 1 / (int(state.generation) + 1), 1 / max(first, 1)
    hand, rows, discard, unseen = place, place + CARDS, place + 2 * CARDS, place + 3 * CARDS
    # Plain loops without branches: the processor would guess wrong on every other card.
    kin, at = state.kin[seat], state.place
    part = out[hand : hand + CARDS]
    for card in range(CARDS):
        part[card] = (kin[card] == 0) * ((at[card] == IN_HAND + seat) + 0.5 * (at[card] == IN_PACK + seat))
    part = out[rows : rows + CARDS]
    for card in range(CARDS):
        part[card] = (kin[card] == 0) & (at[card] >= IN_ROW) & (at[card] < IN_PACK)
    part = out[discard : discard + CARDS]
    for card in range(CARDS):
        part[card] = (kin[card] == 0) * ((at[card] == IN_DISCARD) + 0.5 * (at[card] == IN_ENEMY_DISCARD))
    part = out[unseen : unseen + CARDS]
    for card in range(CARDS):
        pooled = kin[card] > first
        part[card] = pooled * (kin[card] - first) * of_pools - (not pooled) * kin[card] * of_groups
    if state.picked[seat]:
        out[hand + state.picked[seat] - 1] = 1
    if not state.revealed:
        players = int(state.players)
        for k in range(players):
            owner = (seat + k) % players
            card = int(state.battle_card[owner]) - 1
            if card >= 0 and state.kin[seat, card] == 0:
                out[rows + card] = (k + 1) / (2 * players)
    return place + 4 * CARDS


@compiled
def _observe_slots(tables, state, seat, out, place):
    players, first, hand = int(state.players), pool_0(tables), _most_hand(tables)
    for k in range(1, CLANS):
        clan = (seat + k) % players if k < players else k
        if k >= players and not (clan == ENEMY and plays(state, clan)):
            continue
        slots = state.slots[seat, clan]
        for group in range(first):
            out[place + group] = slots[group] / FEW
        for pool in range(min(POOLS_SHOWN, current_pool(tables, state) - first + 1)):
            out[place + first + pool] = slots[first + pool] / CARDS
        out[place + first + POOLS_SHOWN] = state.mixed[seat, clan] / FEW
        place += first + POOLS_SHOWN + 1
    out[place] = state.mixed_before[seat] / hand
    place += 1
    for k in range(players):
        out[place + k] = state.dealt_before[(seat + k) % players] / hand
    place += players
    if state.enemy:
        out[place] = state.dealt_before[ENEMY] / hand
        place += 1
    out[place] = state.deck_size / CARDS
    out[place + 1] = state.invaders / CARDS
    out[place + 2] = min(state.generation, MOST_RESHUFFLES) / MOST_RESHUFFLES
    return place + 3


@compiled
def _observe_favors(tables, state, seat, out, place):
    players, places = int(state.players), state.favor_row.shape[1]
    for row in range(2):
        for k in range(state.favor_row_size[row]):
            out[place + state.favor_row[row, k] - 1] = (k + 1) / places
        place += FAVORS
    for favor in range(FAVORS):
        if state.favor_owner[favor] == seat + 1:
            out[place + favor] = 0.5 if state.returning == favor + 1 else 1.0
    place += FAVORS
    if tables.favors_observable:
        for favor in range(FAVORS):
            owner = int(state.favor_owner[favor]) - 1
            if owner >= 0 and owner != seat:
                out[place + favor] = ((owner - seat) % players) / (players - 1)
        place += FAVORS
    else:
        for k in range(1, players):
            out[place + k - 1] = favors_held(state, (seat + k) % players) / (tables.favor_limit + 1)
        place += players - 1
    if state.contested:
        out[place + state.contested - 1] = 1
        out[place + FAVORS + 2 * state.contested_row + state.contested_end] = 1
    return place + FAVORS + 4


@compiled
def _observe_course(tables, state, seat, out, place):
    players = int(state.players)
    for rune in range(len(RUNES)):
        out[place + GODS * rune + state.god[rune]] = 1
    place += len(RUNES) * GODS
    for rune in range(len(RUNES)):
        out[place + rune] = min(state.fury[rune], MOST_FURY) / TRACK
    place += len(RUNES)
    for space in range(len(state.dedicated)):
        out[place + space] = state.dedicated[space] / tables.dedication_cap[players]
    place += len(state.dedicated)
    out[place + state.era - 1] = 1
    place += ERAS
    out[place] = state.pick_number / _most_hand(tables)
    place += 1
    out[place + (state.chieftain - seat) % players] = 1
    place += players
    if state.turn_seat >= 0:
        out[place + (state.turn_seat - seat) % players] = 1
    place += players
    if state.seat >= 0:
        out[place + (state.seat - seat) % players] = 1
    place += players
    if state.phase != OVER:
        out[place + state.phase] = 1
    place += OVER
    if state.starter >= 0:
        out[place + (state.starter - seat) % players] = 1
    place += players
    out[place] = state.revealed
    place += 1
    for k in range(players):
        out[place + k] = state.loser[(seat + k) % players]
    place += players
    if state.invader_rune != NOWHERE:
        out[place + state.invader_rune] = 1
    return place + len(RUNES)


@compiled
def _observe_action(tables, state, seat, out, place):
    players, phase = int(state.players), state.phase
    action, amount, source = int(state.action), int(state.amount), int(state.source)
    if phase in (LEADER, RUNE) or source in (FROM_LEADER, FROM_RUNE):
        card = card_played(state)
        out[place + card] = 1
        if phase == LEADER:
            action, amount = int(tables.leader_action[card]), int(tables.leader_n[card])
        elif phase == RUNE:
            action, amount = int(tables.rune_action[card]), int(tables.rune_n[card])
    elif phase == BOON:
        god = god_of(tables, state, int(state.seat))
        action, amount = int(tables.boon_action[god]), int(tables.boon_n[god])
    place += CARDS
    if action:
        out[place + action - 1] = 1
    place += len(ACTIONS) - 1
    if source:
        out[place + source - 1] = 1
    place += len(SOURCES) - 1
    if state.actor >= 0:
        out[place + (state.actor - seat) % players] = 1
    place += players
    out[place] = amount / FEW
    out[place + 1] = state.left / FEW
    out[place + 2] = state.deployed / FEW
    out[place + 3] = state.deployed_before / FEW
    place += 4
    if state.boat != NOWHERE:
        out[place + state.boat] = 1
    if state.displaced_boat != NOWHERE:
        out[place + BOATS + state.displaced_boat] = 1
    place += 2 * BOATS
    for island in range(tables.islands[state.side]):
        out[place + island] = state.settlers_before[island] / tables.settlers_each
    place += int(tables.islands[state.side])
    if state.slot != NOWHERE:
        out[place + state.slot] = 1
    place += SLOTS
    if state.pair != NOWHERE:
        out[place + state.pair] = 1
    place += PAIRS
    if state.fury_choice != NOWHERE:
        out[place + state.fury_choice] = 1
