"""The invariants of a game of Raiders of the North Sea: section 12 of the rules document."""

from northsea_envs.games.raiders.record import (
    record_holds,
)
from northsea_envs.games.raiders.state import (
    BLACK,
    BUILDINGS,
    COLOURS,
    DISPLAY,
    DRAFT,
    GOODS,
    MAIN,
    MAX_PLAYERS,
    NO_WORKER,
    ONLOOKER,
    OVER,
    PICK_UP,
    PROVISION,
    REROLL,
    SET,
    SILVER,
    TOKENS,
    VALKYRIE,
)
from northsea_envs.jit import compiled

KNOWLEDGE = 7
RECORD = 9


@compiled
def check(tables, state):
    """Number k of the first broken R-INV-k, 0 if all hold; 7 where a seat keeps as certain what is not so, 9 where the
    record itself makes no sense.
    """
    if not record_holds(tables, state):
        return RECORD
    if not _cards_hold(tables, state) or not _tiles_hold(state):
        return 1
    if not _tokens_hold(tables, state):
        return 2
    if not _workers_hold(tables, state):
        return 3
    if not _places_hold(tables, state):
        return 4
    for seat in range(state.players):
        if state.crew_size[seat] > tables.limit_crew or state.heroes[seat] > tables.limit_hero_crew:
            return 5
    if not _limits_hold(tables, state):
        return 6
    if not _knowledge_holds(tables, state):
        return KNOWLEDGE
    return 0


@compiled
def _cards_hold(tables, state):
    """R-INV-1, cards, kind by kind."""
    for kind in range(len(tables.card_count)):
        count = int(state.discard[kind])
        for place in range(state.pile_size):
            count += state.pile[place] == kind
        for seat in range(state.players):
            count += int(state.hand[seat, kind]) + int(state.crew[seat, kind])
        if count != tables.card_count[kind]:
            return False
    return True


@compiled
def _tiles_hold(state):
    """R-INV-1, tiles; R-LONG-2: a slot is empty only while the stack is empty."""
    for tile in range(len(state.tile_owner)):
        count = int(state.tile_owner[tile] > 0)
        for place in range(state.stack_size):
            count += state.stack[place] == tile
        for slot in range(DISPLAY):
            count += state.display[slot] == tile + 1
        if count != 1:
            return False
    for slot in range(DISPLAY):
        if state.display[slot] == 0 and state.stack_size:
            return False
    return True


@compiled
def _tokens_hold(tables, state):
    """R-INV-2"""
    for good in range(GOODS):
        count, total = int(state.supply[good]), int(tables.stock[good])
        for seat in range(state.players):
            count += state.goods[seat, good]
        if good < VALKYRIE:
            total += tables.tokens[good]
            for space in range(len(state.set_left)):
                count += state.space_tokens[space, good]
        if count != total:
            return False
    count = int(state.valkyries_gone)
    for space in range(len(state.set_left)):
        count += state.space_tokens[space, VALKYRIE]
        on_space = 0
        for token in range(TOKENS):
            on_space += state.space_tokens[space, token]
        if on_space != (tables.plunder_count[space] if state.set_left[space] else 0):
            return False
    return count == tables.tokens[VALKYRIE]


@compiled
def _workers_hold(tables, state):
    """R-INV-3"""
    for colour in range(BLACK, len(COLOURS)):
        count, total = 0, 0
        for building in range(BUILDINGS):
            count += state.building_worker[building] == colour
            total += tables.initial_worker[building] == colour
        for seat in range(state.players):
            count += state.worker[seat] == colour
        if colour == BLACK:
            total += state.players
        for space in range(len(state.set_left)):
            here = tables.space_worker[space] == colour
            total += here
            count += here and state.set_left[space] != 0
        for settlement in range(len(tables.min_crew)):
            count += state.raiders[settlement, colour]
        if count != total:
            return False
    if state.phase in (DRAFT, MAIN, OVER):
        standing, at_first = 0, 0
        for building in range(BUILDINGS):
            standing += state.building_worker[building] != NO_WORKER
            at_first += tables.initial_worker[building] != NO_WORKER
        if standing != at_first:
            return False
    for seat in range(state.players):
        # All hold one, but for the owner between placing, or raiding, and picking up.
        away = seat == state.owner and (
            state.phase in (PICK_UP, REROLL, SET) or (state.placed >= 0 and not state.picked_up)
        )
        if (state.worker[seat] == NO_WORKER) != away:
            return False
    return True


@compiled
def _places_hold(tables, state):
    """R-INV-4: workers stand where their colours may; as many raided a settlement as sets were taken."""
    for building in range(BUILDINGS):
        colour = state.building_worker[building]
        if colour != NO_WORKER and tables.building_takes[building, colour] == 0:
            return False
    for settlement in range(len(tables.min_crew)):
        first = tables.first_space[settlement]
        taken = int(settlement == state.settlement)
        for space in range(first, first + tables.space_count[settlement]):
            taken += state.set_left[space] == 0
        for colour in range(len(COLOURS)):
            taken -= state.raiders[settlement, colour]
            if state.raiders[settlement, colour] and tables.settlement_takes[settlement, colour] == 0:
                return False
        if taken != 0:
            return False
    return True


@compiled
def _limits_hold(tables, state):
    """R-INV-6, for the seat whose turn has just ended."""
    if state.phase == MAIN:
        seat = (state.owner - 1) % state.players
        if state.turns[seat] == 0:
            return True
    elif state.phase == OVER:
        seat = int(state.owner)
    else:
        return True
    return (
        state.goods[seat, SILVER] <= tables.limit_silver
        and state.goods[seat, PROVISION] <= tables.limit_provision
        and state.hand_size[seat] <= tables.limit_hand
    )


@compiled
def _knowledge_holds(tables, state):
    """What is kept as certain is so; who sees what all see is certain of no more than any seat."""
    for kind in range(len(tables.card_count)):
        among_lowest = 0
        for place in range(state.drafted_left):
            among_lowest += state.pile[place] == kind
        for seat in range(MAX_PLAYERS):
            if state.returned[seat, kind] > (among_lowest if seat < state.players else 0):
                return False
            for holder in range(MAX_PLAYERS):
                certain = state.known[seat, holder, kind]
                in_play = seat < state.players and holder < state.players and seat != holder
                if certain > (state.hand[holder, kind] if in_play else 0):
                    return False
                if in_play and certain < state.known[ONLOOKER, holder, kind]:
                    return False
        for holder in range(state.players, MAX_PLAYERS):
            if state.known[ONLOOKER, holder, kind]:
                return False
    return True
