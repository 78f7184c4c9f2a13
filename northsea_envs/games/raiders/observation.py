"""What a seat may know, as one flat vector of named fields. Section 14.3.

Cards in the pile and in others' hands are not listed one by one: they are the box less everything that is shown.
"""

import numpy as np

from northsea_envs.game import Field
from northsea_envs.games.raiders.scoring import offerings_made
from northsea_envs.games.raiders.state import (
    BUILDING_EXTRA,
    BUILDINGS,
    COLOURS,
    DEATH_GAIN_VP,
    DICE,
    DISPLAY,
    GOODS,
    NO_WORKER,
    OVER,
    PHASES,
    PLUNDER,
    RAID_REROLL,
    RAID_VP,
    RESOURCES,
    SILVER,
    TOKENS,
    VALKYRIE,
)
from northsea_envs.jit import compiled

WORKERS = len(COLOURS) - 1
PRICED = SILVER + 1  # goods that tiles cost
TILE_FLOATS = PRICED + 1
GAINS = PLUNDER + 1  # resources that an exchange brings

# Counts are divided by these.
COPIES = 4.0  # cards of one kind
FEW = 4.0  # tokens of one kind on a space, tokens that a tile costs, dice rolled again, ...
MANY = 10.0  # goods, track positions, cards in hand, VP of a tile
POINTS = 50.0
PILE = 50.0


def observation_fields(tables: np.ndarray, players: int) -> tuple[Field, ...]:
    """The fields of the flat observation, in order; ``seat_0`` is the observing seat, the others follow clockwise."""
    t = tables[0]
    kinds, tiles, cards = len(t.card_count), len(t.tile_vp), float(t.card_count.sum())
    copies, on_space = float(t.card_count.max()) / COPIES, float(t.plunder_count.max()) / FEW
    most_goods = float(max(t.tokens.max(), t.stock.max())) / MANY
    goods = ", ".join(RESOURCES[:GOODS]).lower()
    by_copies, by_few, by_many = (f"divided by {scale:g}" for scale in (COPIES, FEW, MANY))
    fields = []
    for k in range(players):
        seat = f"seat_{k}"
        fields += [
            Field(f"{seat}.vp", 1, 0, _most_vp(t) / POINTS, f"VP scored during play, divided by {POINTS:g}"),
            Field(f"{seat}.goods", GOODS, 0, most_goods, f"{goods}; {by_many}"),
            Field(f"{seat}.armour", 1, 0, (len(t.armour_vp) - 1) / MANY, f"position on its track, {by_many}"),
            Field(f"{seat}.valkyries", 1, 0, (len(t.valkyrie_vp) - 1) / MANY, f"position on their track, {by_many}"),
            Field(f"{seat}.worker", WORKERS, 0, 1, "one-hot: worker in hand, black, grey, white; all 0 for none"),
            Field(f"{seat}.hand_size", 1, 0, cards / MANY, f"cards in hand, {by_many}"),
            Field(
                f"{seat}.hand",
                kinds,
                0,
                copies,
                "hand cards by kind that the observer is certain of: all of its own; of others those that it gave them "
                f"or saw going to their hands, less what may have left since; {by_copies}",
            ),
            Field(f"{seat}.crew", kinds, 0, copies, f"crew by kind, {by_copies}"),
            Field(f"{seat}.offerings", 1, 0, tiles / MANY, f"tiles collected, {by_many}"),
            Field(f"{seat}.offering_vp", 1, 0, float(t.tile_vp.sum()) / POINTS, f"their VP, divided by {POINTS:g}"),
        ]
    fields += [
        Field("returned", kinds, 0, copies, f"own drafted cards certain to be at the bottom of the pile, {by_copies}"),
        Field("picked", kinds, 0, copies, f"own hand cards picked to go back in the draft, or away, {by_copies}"),
        Field("discard", kinds, 0, copies, f"discard pile by kind, {by_copies}"),
        Field("pile", 1, 0, cards / PILE, f"cards in the pile, divided by {PILE:g}"),
        Field("drafted_left", 1, 0, cards / PILE, f"of these, cards given back in the draft, divided by {PILE:g}"),
        Field(
            "spaces",
            len(t.plunder_count) * TOKENS,
            0,
            on_space,
            f"raid spaces by raid_spaces.csv: gold, iron, livestock, Valkyries, {by_few}; all 0 once taken",
        ),
        Field("buildings", BUILDINGS * WORKERS, 0, 1, "by building, one-hot: black, grey, white worker; 0 for none"),
        Field("used", BUILDINGS, 0, 1, "1 for each building whose action has been taken this turn"),
        Field("placed", BUILDINGS, 0, 1, "one-hot: the building placed on this turn"),
        Field("acting", BUILDINGS, 0, 1, "one-hot: the building whose action is being taken"),
        Field("picked_up", 1, 0, 1, "1 once a worker has been picked up this turn"),
        Field("supply", GOODS, 0, most_goods, f"Main Supply: {goods}; {by_many}"),
        Field(
            "display",
            DISPLAY * TILE_FLOATS,
            0,
            max(float(t.tile_cost.max()) / FEW, float(t.tile_vp.max()) / MANY),
            f"by slot: cost in gold, iron, livestock, silver, {by_few}, and VP, {by_many}; all 0 where it is empty",
        ),
        Field("unseen_tiles", tiles, 0, 1, "1 for each tile in the stack whose place nobody knows"),
        Field(
            "known_tiles",
            tiles,
            0,
            1,
            "for each tile in the stack whose place all know: how many tiles will be drawn when it comes, itself "
            "included, divided by the tiles of the game",
        ),
        Field("decider", players, 0, 1, "one-hot: whose decision it is, by seat_k; all 0 when the game is over"),
        Field("owner", players, 0, 1, "one-hot: whose turn it is, by seat_k; all 0 in the draft"),
        Field("phase", OVER, 0, 1, f"one-hot: what is asked: {', '.join(name.lower() for name in PHASES[:OVER])}"),
        Field("card", kinds, 0, 1, "one-hot: the card in effect at the Town Hall"),
        Field("chosen", kinds, 0, 1, "one-hot: the crew member that returns to hand"),
        Field("target", players, 0, 1, "one-hot: the opponent chosen, by seat_k"),
        Field("left", 1, 0, cards / MANY, f"picks or payments that the decider owes, {by_many}"),
        Field("swap_count", 1, 0, cards / MANY, f"cards that each side gives in the exchange under way, {by_many}"),
        Field(
            "to_gain",
            GAINS,
            0,
            2 * float(max(t.th_get_n.max(), t.th_get2_n.max(), t.op_get_n.max())) / MANY,
            f"what the payment or choice under way brings: {', '.join(RESOURCES[:GAINS]).lower()}; {by_many}",
        ),
        Field("slot", DISPLAY, 0, 1, "one-hot: the slot whose tile is being bought at a discount"),
        Field(
            "long_left", 1, 0, (1 + _most_crew(t, BUILDING_EXTRA)) / FEW, f"actions left in the Long House, {by_few}"
        ),
        Field("fired", 1, 0, 1, "1 once a crew member has made room for the hire under way"),
        Field("settlement", len(t.min_crew), 0, 1, "one-hot: the settlement being raided"),
        Field("dice", DICE, 0, float(t.die_face.max()) / FEW, f"as rolled, {by_few}; 0 for none"),
        Field("rerolls", 1, 0, _most_crew(t, RAID_REROLL) / FEW, f"rerolls left, {by_few}"),
        Field("valkyries_left", 1, 0, on_space, f"Valkyries of the set still to be met, {by_few}"),
        Field("avenges_left", 1, 0, float(t.crew_n.max()) / FEW, f"crew that opponents still have to lose, {by_few}"),
        Field("final", 1, 0, 1, "1 once the end has been triggered"),
        Field(
            "turns_left",
            1,
            0,
            float(t.final_turns_per_player),
            "turns left of the final round, divided by the players",
        ),
        Field("turns", 1, 0, 1, "turns taken by all, divided by those after which the game is cut short"),
    ]
    return tuple(fields)


def _most_crew(t: np.record, code: int) -> int:
    """Safe bound on what one crew's effects of a code add up to."""
    return int(t.limit_crew) * max((int(n) for n, c in zip(t.crew_n, t.crew_code, strict=True) if c == code), default=0)


def _most_vp(t: np.record) -> int:
    """Safe bound on the VP scored during play: one player takes every set."""
    each_raid = int(t.fixed_vp.max()) + int(t.tier_vp.max()) + _most_crew(t, RAID_VP)
    deaths = int(t.tokens[VALKYRIE]) * _most_crew(t, DEATH_GAIN_VP)
    return int(t.start_vp) + len(t.plunder_count) * each_raid + deaths


@compiled
def observe(tables, state, seat, out):
    """Write what ``seat`` may know into ``out``, field by field in the order of ``observation_fields``."""
    out[:] = 0
    players = int(state.players)
    place = 0
    for k in range(players):
        place = _observe_seat(tables, state, seat, (seat + k) % players, out, place)
    place = _observe_cards(tables, state, seat, out, place)
    place = _observe_board(tables, state, out, place)
    if state.seat >= 0:
        out[place + (state.seat - seat) % players] = 1
    place += players
    if state.owner >= 0:
        out[place + (state.owner - seat) % players] = 1
    place += players
    if state.phase != OVER:
        out[place + state.phase] = 1
    place += OVER
    _observe_pending(tables, state, seat, out, place)


@compiled
def _observe_seat(tables, state, observer, seat, out, place):
    kinds = len(tables.card_count)
    out[place] = state.vp[seat] / POINTS
    for good in range(GOODS):
        out[place + 1 + good] = state.goods[seat, good] / MANY
    place += 1 + GOODS
    out[place] = state.armour[seat] / MANY
    out[place + 1] = state.valkyries[seat] / MANY
    place += 2
    _observe_worker(state.worker[seat], out, place)
    place += WORKERS
    out[place] = state.hand_size[seat] / MANY
    place += 1
    cards = state.hand[seat] if seat == observer else state.known[observer, seat]
    for kind in range(kinds):
        out[place + kind] = cards[kind] / COPIES
        out[place + kinds + kind] = state.crew[seat, kind] / COPIES
    place += 2 * kinds
    vp = 0
    for tile in range(len(state.tile_owner)):
        if state.tile_owner[tile] == seat + 1:
            vp += tables.tile_vp[tile]
    out[place] = offerings_made(state, seat) / MANY
    out[place + 1] = vp / POINTS
    return place + 2


@compiled
def _observe_worker(colour, out, place):
    if colour != NO_WORKER:
        out[place + colour - 1] = 1


@compiled
def _observe_cards(tables, state, seat, out, place):
    kinds = len(tables.card_count)
    for kind in range(kinds):
        out[place + kind] = state.returned[seat, kind] / COPIES
        out[place + kinds + kind] = state.picked[seat, kind] / COPIES
        out[place + 2 * kinds + kind] = state.discard[kind] / COPIES
    place += 3 * kinds
    out[place] = state.pile_size / PILE
    out[place + 1] = state.drafted_left / PILE
    return place + 2


@compiled
def _observe_board(tables, state, out, place):
    for space in range(len(state.set_left)):
        if state.set_left[space]:
            for token in range(TOKENS):
                out[place + token] = state.space_tokens[space, token] / FEW
        place += TOKENS
    for building in range(BUILDINGS):
        _observe_worker(state.building_worker[building], out, place)
        place += WORKERS
    for building in range(BUILDINGS):
        out[place + building] = state.used[building]
    place += BUILDINGS
    if state.placed >= 0:
        out[place + state.placed] = 1
    place += BUILDINGS
    if state.building >= 0:
        out[place + state.building] = 1
    place += BUILDINGS
    out[place] = state.picked_up
    place += 1
    for good in range(GOODS):
        out[place + good] = state.supply[good] / MANY
    place += GOODS
    for slot in range(DISPLAY):
        tile = int(state.display[slot]) - 1
        if tile >= 0:
            for good in range(PRICED):
                out[place + good] = tables.tile_cost[tile, good] / FEW
            out[place + PRICED] = tables.tile_vp[tile] / MANY
        place += TILE_FLOATS
    tiles, size = len(tables.tile_vp), int(state.stack_size)
    for k in range(size):
        if k >= state.stack_known:
            out[place + int(state.stack[k])] = 1
        else:
            out[place + tiles + int(state.stack[k])] = (size - k) / tiles
    return place + 2 * tiles


@compiled
def _observe_pending(tables, state, seat, out, place):
    kinds, players = len(tables.card_count), int(state.players)
    if state.card:
        out[place + state.card - 1] = 1
    place += kinds
    if state.chosen:
        out[place + state.chosen - 1] = 1
    place += kinds
    if state.target >= 0:
        out[place + (state.target - seat) % players] = 1
    place += players
    out[place] = state.left / MANY
    out[place + 1] = state.swap_count / MANY
    place += 2
    out[place + state.get_res] = state.get_left / MANY
    place += GAINS
    if state.slot >= 0:
        out[place + state.slot] = 1
    place += DISPLAY
    out[place] = state.long_left / FEW
    out[place + 1] = state.fired
    place += 2
    if state.settlement >= 0:
        out[place + state.settlement] = 1
    place += len(tables.min_crew)
    for die in range(DICE):
        out[place + die] = state.dice[die] / FEW
    place += DICE
    out[place] = state.rerolls / FEW
    out[place + 1] = state.valkyries_left / FEW
    out[place + 2] = state.avenges_left / FEW
    out[place + 3] = state.final
    out[place + 4] = state.turns_left / players
    turns = 0
    for other in range(players):
        turns += state.turns[other]
    out[place + 5] = turns / (players * tables.max_turns_per_player)
