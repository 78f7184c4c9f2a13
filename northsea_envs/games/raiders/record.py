"""Whether a record makes sense at all, before its invariants are looked at: no damaged one may be played."""

from northsea_envs.games.raiders.goods import (
    held,
)
from northsea_envs.games.raiders.state import (
    ACT,
    ACTION_BUILDING,
    ALL_OPPONENTS_GIVE,
    AVENGE_CREW,
    AVENGE_OPPONENT,
    BUILDINGS,
    CARD,
    COLOURS,
    CREW,
    DICE,
    DISCOUNT_ON,
    DISPLAY,
    DRAFT,
    FREE_HIRE,
    GAIN_PLUNDER,
    GOODS,
    HIRE,
    KILL,
    LIMIT,
    LONG_HOUSE,
    MAIN,
    MAX_PLAYERS,
    NO_WORKER,
    OFFER_AT_DISCOUNT,
    OPPONENT,
    OPPONENT_LOSES,
    OVER,
    PAY,
    PAY_CARD,
    PAY_CREW,
    PAY_PLUNDER,
    PICK_UP,
    PLUNDER,
    REROLL,
    RETURN_CREW,
    SET,
    SLOT,
    STEAL,
    STEAL_PLUNDER,
    SWAP_A,
    SWAP_B,
    SWAP_CARDS,
    SWAP_COUNT,
    SWAP_CREW_WITH_HAND,
    SWAP_WHOLE_HANDS,
    SWAP_WORKER,
    USE_BUILDING,
    WORKER_BUILDING,
)
from northsea_envs.jit import compiled

MOST = 10_000  # more than any count can be


@compiled
def record_holds(tables, state):
    """Whether every field is within its range and belongs to the phase."""
    return (
        _ranges_hold(tables, state)
        and _counts_hold(tables, state)
        and _picks_hold(tables, state)
        and _turn_holds(tables, state)
        and _effect_holds(tables, state)
        and _raid_holds(tables, state)
    )


@compiled
def _below(values, limit):
    """Whether all are from 0 to ``limit`` - 1."""
    for value in values:
        if not 0 <= value < limit:
            return False
    return True


@compiled
def _within(value, low, high):
    return low <= value <= high


@compiled
def _none(values):
    for value in values:
        if value != 0:
            return False
    return True


@compiled
def _ranges_hold(tables, state):
    """Every field within the range that the other functions take for granted, so that no damaged record is played."""
    kinds, tiles = len(tables.card_count), len(tables.tile_vp)
    players = state.players
    if not _within(players, 2, MAX_PLAYERS) or not _within(state.phase, 0, OVER):
        return False
    if not _within(state.seat, -1, players - 1) or not _within(state.owner, -1, players - 1):
        return False
    if _none(state.rng_cards) or _none(state.rng_dice) or _none(state.rng_start):
        return False
    for good in range(GOODS):
        if not _within(state.supply[good], 0, MOST):
            return False
        for seat in range(MAX_PLAYERS):
            if not _within(state.goods[seat, good], 0, MOST if seat < players else 0):
                return False
    for seat in range(MAX_PLAYERS):
        if not _within(state.vp[seat], 0, MOST if seat < players else 0):
            return False
    return (
        _below(state.armour, len(tables.armour_vp))
        and _below(state.valkyries, len(tables.valkyrie_vp))
        and _below(state.worker, len(COLOURS))
        and _below(state.hand.flat, MOST)
        and _below(state.crew.flat, MOST)
        and _below(state.picked.flat, MOST)
        and _below(state.turns, tables.max_turns_per_player + 1)
        and _below(state.known.flat, MOST)
        and _below(state.returned.flat, MOST)
        and _below(state.pile, kinds)
        and _within(state.pile_size, 0, len(state.pile))
        and _within(state.drafted_left, 0, state.pile_size)
        and _below(state.discard, MOST)
        and _below(state.space_tokens.flat, MOST)
        and _below(state.set_left, 2)
        and _below(state.raiders.flat, MOST)
        and _below(state.building_worker, len(COLOURS))
        and _below(state.used, 2)
        and _below(state.display, tiles + 1)
        and _below(state.stack, tiles)
        and _within(state.stack_size, 0, tiles)
        and _within(state.stack_known, 0, state.stack_size)
        and _below(state.tile_owner, players + 1)
        and _pending_ranges_hold(tables, state)
    )


@compiled
def _pending_ranges_hold(tables, state):
    kinds = len(tables.card_count)
    return (
        _within(state.placed, -1, BUILDINGS - 1)
        and _within(state.picked_up, 0, 1)
        and _within(state.building, -1, BUILDINGS - 1)
        and _within(state.act_colour, 0, len(COLOURS) - 1)
        and _within(state.must_act, 0, 1)
        and _within(state.card, 0, kinds)
        and _within(state.chosen, 0, kinds)
        and _within(state.target, -1, state.players - 1)
        and _within(state.left, 0, MOST)
        and _within(state.swap_count, 0, MOST)
        and _within(state.slot, -1, DISPLAY - 1)
        and _within(state.get_res, 0, PLUNDER)
        and _within(state.get_left, 0, MOST)
        and _within(state.long_left, 0, MOST)
        and _within(state.fired, 0, 1)
        and _within(state.settlement, -1, len(tables.min_crew) - 1)
        and _within(state.rerolls, 0, MOST)
        and _within(state.valkyries_left, 0, MOST)
        and _within(state.avenges_left, 0, MOST)
        and _within(state.final, 0, 1)
        and _within(state.turns_left, 0, state.players * tables.final_turns_per_player)
        and _within(state.truncated, 0, 1)
    )


@compiled
def _counts_hold(tables, state):
    """Sizes that are kept beside what they count, and nothing in places that are not in use."""
    total = 0
    for kind in range(len(tables.card_count)):
        total += state.discard[kind]
    if total != state.discard_size:
        return False
    for place in range(state.pile_size, len(state.pile)):
        if state.pile[place]:
            return False
    for place in range(state.stack_size, len(state.stack)):
        if state.stack[place]:
            return False
    for seat in range(MAX_PLAYERS):
        hand, crew, heroes = 0, 0, 0
        for kind in range(len(tables.card_count)):
            hand += state.hand[seat, kind]
            crew += state.crew[seat, kind]
            heroes += state.crew[seat, kind] * tables.is_hero[kind]
        if hand != state.hand_size[seat] or crew != state.crew_size[seat] or heroes != state.heroes[seat]:
            return False
        if seat >= state.players and (
            hand or crew or state.armour[seat] or state.valkyries[seat] or state.worker[seat] or state.turns[seat]
        ):
            return False
    return True


@compiled
def _picks_hold(tables, state):
    """Picked cards are in hand, and as many as the phase asks for. R-INV-1."""
    each = tables.draft_deal - tables.draft_keep
    for seat in range(MAX_PLAYERS):
        picks, expected = 0, 0
        for kind in range(len(tables.card_count)):
            if state.picked[seat, kind] > state.hand[seat, kind]:
                return False
            picks += state.picked[seat, kind]
        if state.phase == DRAFT:
            if seat < state.seat:
                expected = each
            elif seat == state.seat:
                expected = each - state.left
        elif state.phase in (SWAP_A, SWAP_B):
            if seat == state.seat:
                expected = int(state.swap_count) - int(state.left)
            elif seat == state.owner:
                expected = int(state.swap_count)
        if picks != expected:
            return False
    return True


@compiled
def _turn_holds(tables, state):
    """Who decides, and where in the turn."""
    phase = state.phase
    if (state.seat < 0) != (phase == OVER) or (state.owner < 0) != (phase == DRAFT):
        return False
    if (state.start_seat < 0) != (phase == DRAFT) or not _within(state.start_seat, -1, state.players - 1):
        return False
    # An opponent who is asked is the target; the owner is asked everything else.
    targeted = phase in (WORKER_BUILDING, STEAL_PLUNDER, SWAP_COUNT, SWAP_A, SWAP_B, PAY, AVENGE_CREW)
    if (state.target >= 0) != targeted or (targeted and state.target == state.owner):
        return False
    if phase in (SWAP_B, PAY, AVENGE_CREW):
        if state.seat != state.target:
            return False
    elif phase not in (DRAFT, OVER) and state.seat != state.owner:
        return False
    working = _in_action(phase)
    if (state.building >= 0) != working or (state.act_colour != NO_WORKER) != working:
        return False
    if (working or phase == PICK_UP) and state.placed < 0:
        return False
    if phase in (DRAFT, MAIN, OVER) and (state.placed >= 0 or not _none(state.used)):
        return False
    if state.picked_up and (state.placed < 0 or phase == PICK_UP):
        return False
    if state.must_act and not (working and state.card):
        return False
    if not _turns_agree(tables, state):
        return False
    if phase != OVER:
        return (state.turns_left > 0) == (state.final != 0) and not state.truncated
    # R-END-3, -5
    if not state.truncated:
        return state.final != 0 and state.turns_left == 0
    for seat in range(state.players):
        if state.turns[seat] < tables.max_turns_per_player:
            return False
    return True


@compiled
def _turns_agree(tables, state):
    """R-SETUP-12: the seats from the start player to the last one before the owner are one turn ahead."""
    players = state.players
    if state.phase == DRAFT:
        for seat in range(players):
            if state.turns[seat]:
                return False
        return True
    finished = state.phase == OVER
    owner_place = (state.owner - state.start_seat) % players
    # Turns taken by those whose turn in this round is still to come, or under way.
    base = state.turns[state.owner] - finished
    for place in range(players):
        ahead = place < owner_place or (place == owner_place and finished)
        if state.turns[(state.start_seat + place) % players] != base + ahead:
            return False
    return finished or base < tables.max_turns_per_player


@compiled
def _in_action(phase):
    """Whether a building's action is under way."""
    return (ACT <= phase <= LONG_HOUSE) or (OPPONENT <= phase <= PAY)


@compiled
def _effect_holds(tables, state):
    """What is pending in an action or a card's effect belongs to its phase."""
    phase, owner = state.phase, state.owner
    paying = phase in (PAY_CARD, PAY_CREW, PAY_PLUNDER)
    owing = paying or phase in (DRAFT, SWAP_A, SWAP_B, STEAL_PLUNDER, PAY)
    if (state.left > 0) != owing:
        return False
    if phase == PAY_CARD and held(state, owner, CARD) < state.left:
        return False
    if phase == PAY_CREW and held(state, owner, CREW) < state.left:
        return False
    if phase == PAY_PLUNDER and held(state, owner, PLUNDER) < state.left:
        return False
    if (state.get_left > 0) != (paying or phase == GAIN_PLUNDER) or (state.get_res and state.get_left == 0):
        return False
    if phase == GAIN_PLUNDER and state.get_res != PLUNDER:
        return False
    if phase == LONG_HOUSE:
        if state.long_left == 0:
            return False
    elif state.long_left and not paying and phase != GAIN_PLUNDER:
        return False
    if state.fired > (tables.crew_discards_per_hire if phase == HIRE else 0):
        return False
    if (state.chosen > 0) != (phase == FREE_HIRE) or (state.chosen and state.crew[owner, state.chosen - 1] == 0):
        return False
    if (state.slot >= 0) != (phase == DISCOUNT_ON) or (state.slot >= 0 and state.display[state.slot] == 0):
        return False
    if (state.swap_count > 0) != (phase in (SWAP_A, SWAP_B)):
        return False
    if state.swap_count and (
        state.swap_count > min(state.hand_size[owner], state.hand_size[state.target]) or state.left > state.swap_count
    ):
        return False
    return _card_holds(tables, state)


@compiled
def _card_holds(tables, state):
    """The card in effect is one that leads to the phase."""
    phase = state.phase
    if state.card == 0:
        return not (OPPONENT <= phase <= ACTION_BUILDING or RETURN_CREW <= phase <= PAY or phase == STEAL_PLUNDER)
    if not _in_action(phase):
        return False
    kind = state.card - 1
    code = tables.th_code[kind]
    if phase == OPPONENT:
        return code in (OPPONENT_LOSES, STEAL, SWAP_WORKER, SWAP_CARDS, SWAP_WHOLE_HANDS)
    if phase == WORKER_BUILDING:
        return code == SWAP_WORKER
    if phase == ACTION_BUILDING:
        return code == USE_BUILDING
    if phase == STEAL_PLUNDER:
        return code == STEAL and tables.th_get_res[kind] == PLUNDER
    if phase in (RETURN_CREW, FREE_HIRE):
        return code == SWAP_CREW_WITH_HAND
    if phase in (SLOT, DISCOUNT_ON):
        return code == OFFER_AT_DISCOUNT
    if phase in (SWAP_COUNT, SWAP_A, SWAP_B):
        return code == SWAP_CARDS
    if phase == PAY:
        return code == ALL_OPPONENTS_GIVE
    return True


@compiled
def _raid_holds(tables, state):
    """What is pending in a raid belongs to its phase."""
    phase = state.phase
    if (state.settlement >= 0) != (phase in (REROLL, SET)) or (state.rerolls > 0) != (phase == REROLL):
        return False
    for die in range(DICE):
        rolled = phase == REROLL and die < tables.dice[state.settlement]
        is_face = False
        for face in tables.die_face:
            is_face = is_face or state.dice[die] == face
        if (rolled and not is_face) or (not rolled and state.dice[die]):
            return False
    if phase == KILL:
        if state.valkyries_left == 0:
            return False
    elif state.valkyries_left and phase not in (AVENGE_OPPONENT, AVENGE_CREW):
        return False
    if phase >= REROLL and phase <= AVENGE_CREW and state.placed >= 0:
        return False
    if (state.avenges_left > 0) != (phase in (AVENGE_OPPONENT, AVENGE_CREW)):
        return False
    return phase != LIMIT or state.hand_size[state.owner] > tables.limit_hand
