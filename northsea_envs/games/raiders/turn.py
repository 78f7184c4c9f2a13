"""The course of turns: from one action to the next, limits, the end of the game. Sections 4, 4.2 and 10."""

from northsea_envs.games.raiders.cards import discard_from_hand
from northsea_envs.games.raiders.goods import lose
from northsea_envs.games.raiders.state import (
    FORTRESS,
    LIMIT,
    LONG_HOUSE,
    MAIN,
    NOBODY,
    NOWHERE,
    OVER,
    PICK_UP,
    PROVISION,
    SILVER,
    VALKYRIE,
)
from northsea_envs.jit import compiled


@compiled
def start_turn(state, seat):
    """R-TURN-1"""
    state.owner = seat
    state.seat = seat
    state.phase = MAIN
    state.placed = NOWHERE
    state.picked_up = 0
    state.used[:] = 0


@compiled
def end_effect(tables, state):
    """What was under way is done: the next action in the Long House, or on with the turn. R-LONG-3."""
    state.seat = state.owner
    state.target = NOBODY
    if state.long_left:
        state.phase = LONG_HOUSE
    else:
        end_action(tables, state)


@compiled
def end_action(tables, state):
    """A building's action was taken or declined: pick up a worker, or end the turn. R-WORK-3, R-TURN-2."""
    state.seat = state.owner
    state.building = NOWHERE
    state.act_colour = 0
    state.must_act = 0
    state.card = 0
    state.long_left = 0
    if state.picked_up:
        end_turn(tables, state)
    else:
        state.phase = PICK_UP


@compiled
def end_turn(tables, state):
    """Limits, then the next turn. R-TURN-4, R-LIMIT-1..5."""
    owner = int(state.owner)
    lose(state, owner, SILVER, max(0, state.goods[owner, SILVER] - tables.limit_silver))
    lose(state, owner, PROVISION, max(0, state.goods[owner, PROVISION] - tables.limit_provision))
    if state.hand_size[owner] > tables.limit_hand:
        state.phase = LIMIT
    else:
        _finish_turn(tables, state, owner)


@compiled
def discard_surplus(tables, state, kind):
    """R-LIMIT-2"""
    owner = int(state.owner)
    discard_from_hand(state, owner, kind)
    if state.hand_size[owner] <= tables.limit_hand:
        _finish_turn(tables, state, owner)


@compiled
def _finish_turn(tables, state, owner):
    """The end of the game, or the next player's turn. R-END-1..5, R-SETUP-12."""
    state.turns[owner] += 1
    if state.final:
        state.turns_left -= 1
        if state.turns_left == 0:
            _end_game(state)
            return
    elif end_is_triggered(tables, state):
        state.final = 1
        state.turns_left = state.players * tables.final_turns_per_player
    for seat in range(state.players):
        if state.turns[seat] < tables.max_turns_per_player:
            start_turn(state, (owner + 1) % state.players)
            return
    state.truncated = 1
    _end_game(state)


@compiled
def _end_game(state):
    state.phase = OVER
    state.seat = NOBODY
    state.placed = NOWHERE
    state.picked_up = 0
    state.used[:] = 0


@compiled
def end_is_triggered(tables, state):
    """R-END-1"""
    if state.stack_size <= tables.end_offering_stack_left:
        return True
    sets, valkyries = 0, 0
    for space in range(len(state.set_left)):
        sets += state.set_left[space] and tables.settlement_type[tables.space_settlement[space]] == FORTRESS
        valkyries += state.space_tokens[space, VALKYRIE]
    return sets <= tables.end_fortress_sets_left or valkyries <= tables.end_valkyrie_on_board
