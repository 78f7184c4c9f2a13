"""Battles: the contested Favor card, joining, resolution, Invaders. Sections 9 and 10."""

from northsea_envs.games.tiny_epic_vikings.actions import END_0, FAVOR_0
from northsea_envs.games.tiny_epic_vikings.cards import active_runes, draw_invader, put_into_row
from northsea_envs.games.tiny_epic_vikings.goods import gain_bag
from northsea_envs.games.tiny_epic_vikings.knowledge import note_shown
from northsea_envs.games.tiny_epic_vikings.state import (
    AFTER_BATTLE,
    BOON,
    BOOST_ANY,
    BOOST_WOOD,
    BOTTOM,
    CONTEST,
    FAVORS,
    LEFT,
    LOSERS,
    MAX_PLAYERS,
    NO_ACTION,
    NO_BOOST,
    NOBODY,
    NOWHERE,
    RETURN_CARD,
    RETURN_END,
    RIGHT,
    STEEL,
)
from northsea_envs.jit import compiled


@compiled
def in_progress(state):
    """Whether there is a battle to join."""
    return state.starter != NOBODY and not state.revealed


@compiled
def can_start(state):
    """T-TURN-7, CR-29."""
    return state.favor_row_size[0] + state.favor_row_size[BOTTOM] > 0


@compiled
def play_facedown(tables, state, seat, card):
    """Start a battle, whose starter then chooses a Favor card, or join the one in progress; returns whether it starts.

    T-BATTLE-1, T-BATTLE-3.
    """
    put_into_row(tables, state, seat, card, False)
    state.battle_card[seat] = card + 1
    return _enter(state, seat)


@compiled
def turn_facedown(state, seat):
    """The card just played takes part; returns whether it starts a battle. T-ENTER-1, T-ENTER-2, T-ENTER-3."""
    state.battle_card[seat] = state.row[seat, state.row_size[seat] - 1]
    state.battle_public[seat] = 1
    return _enter(state, seat)


@compiled
def _enter(state, seat):
    if state.starter != NOBODY:
        return False
    state.starter = seat
    state.seat = seat
    state.phase = CONTEST
    return True


@compiled
def legal_ends(state, taking, mask):
    """DP-4, and with ``taking`` False the second half of DP-23. T-BATTLE-2, T-FAVOR-3."""
    count = 0
    for row in range(2):
        cards = state.favor_row_size[row]
        if cards == 0 and taking:
            continue
        mask[END_0 + 2 * row + LEFT] = 1
        count += 1
        if cards > (1 if taking else 0):
            mask[END_0 + 2 * row + RIGHT] = 1
            count += 1
    return count


@compiled
def contest(state, row, end):
    """T-BATTLE-2"""
    size = int(state.favor_row_size[row])
    cards = state.favor_row[row]
    if end == RIGHT:
        state.contested = cards[size - 1]
    else:
        state.contested = cards[0]
        for k in range(size - 1):
            cards[k] = cards[k + 1]
    cards[size - 1] = 0
    state.favor_row_size[row] = size - 1
    state.contested_row, state.contested_end = row, end


@compiled
def _put_back(state, favor, row, end):
    """Onto either end of either row, faceup. T-BATTLE-10, T-FAVOR-3."""
    size = int(state.favor_row_size[row])
    cards = state.favor_row[row]
    if end == LEFT:
        for k in range(size, 0, -1):
            cards[k] = cards[k - 1]
        cards[0] = favor
    else:
        cards[size] = favor
    state.favor_row_size[row] = size + 1


@compiled
def resolve(tables, state):
    """Reveal, pay, compare; then the losers are asked one by one. T-BATTLE-5..10, T-BATTLE-12, T-BATTLE-13."""
    participants, competitors = _reveal_and_pay(tables, state)
    state.phase = LOSERS
    if competitors == 0:
        _return_contested(state)
    elif competitors > 1:
        _compare(tables, state)
    else:
        for seat in range(state.players):
            if state.loser[seat]:
                if participants > 1 and tables.unopposed_wins:
                    _win(tables, state, seat)
                else:
                    _fight_invader(tables, state, seat)
                break


@compiled
def _reveal_and_pay(tables, state):
    """All competitors are marked as losers for now; returns how many took part and how many compete.

    T-BATTLE-5, T-BATTLE-6, T-BATTLE-8, T-RUNE-2.
    """
    participants, competitors = 0, 0
    for seat in range(state.players):
        if state.battle_card[seat] == 0:
            continue
        card = int(state.battle_card[seat]) - 1
        note_shown(tables, state, seat, card)
        participants += 1
        if state.resources[seat, STEEL] >= tables.steel_cost[card]:
            state.resources[seat, STEEL] -= tables.steel_cost[card]
            state.loser[seat] = 1
            competitors += 1
    state.revealed = 1
    return participants, competitors


@compiled
def strength(tables, state, seat, card):
    """T-BATTLE-7, T-BATTLE-8."""
    source = int(tables.boost_source[card])
    if source == NO_BOOST:
        count = 0
    elif source <= BOOST_ANY:
        count = active_runes(tables, state, seat, source)
    else:
        count = int(state.resources[seat, source - BOOST_WOOD])
    return tables.strength[card] + tables.boost_per[card] * count


@compiled
def invader_strength(tables, card, before):
    """Strength of an Invader with so many cards in the stack before it. T-INV-2, T-INV-3."""
    source = tables.boost_source[card]
    if source == NO_BOOST:
        return tables.strength[card]
    return tables.strength[card] + tables.boost_per[card] * (before + (source >= BOOST_WOOD))


@compiled
def _compare(tables, state):
    """T-BATTLE-9, T-BATTLE-10."""
    best, winner, tied = -1, NOBODY, False
    for seat in range(state.players):
        if state.loser[seat]:
            force = strength(tables, state, seat, int(state.battle_card[seat]) - 1)
            if force > best:
                best, winner, tied = force, seat, False
            elif force == best:
                tied = True
    if tied:
        _return_contested(state)
    else:
        _win(tables, state, winner)


@compiled
def _fight_invader(tables, state, seat):
    """T-INV-1..6"""
    force = strength(tables, state, seat, int(state.battle_card[seat]) - 1)
    card = draw_invader(tables, state)
    against = invader_strength(tables, card, int(state.invaders) - 1)
    if force >= against:
        state.invader_rune = tables.card_rune[card]
    if force > against:
        _win(tables, state, seat)
    else:
        _return_contested(state)


@compiled
def _return_contested(state):
    """T-BATTLE-10, T-BATTLE-13."""
    _put_back(state, int(state.contested), int(state.contested_row), int(state.contested_end))
    _no_longer_contested(state)


@compiled
def _no_longer_contested(state):
    state.contested = 0
    state.contested_row = 0
    state.contested_end = 0


@compiled
def _win(tables, state, seat):
    """T-FAVOR-1, T-FAVOR-2, T-FAVOR-3."""
    state.loser[seat] = 0
    favor = int(state.contested) - 1
    _no_longer_contested(state)
    gain_bag(tables, state, seat, tables.favor_bag[favor])
    state.favor_owner[favor] = seat + 1
    if favors_held(state, seat) > tables.favor_limit:
        state.phase = RETURN_CARD
        state.seat = seat


@compiled
def favors_held(state, seat):
    """Favor cards of a seat."""
    count = 0
    for favor in range(FAVORS):
        count += state.favor_owner[favor] == seat + 1
    return count


@compiled
def legal_returns(state, mask):
    """DP-23. T-FAVOR-3, CR-22."""
    count = 0
    for favor in range(FAVORS):
        if state.favor_owner[favor] == state.seat + 1:
            mask[FAVOR_0 + favor] = 1
            count += 1
    return count


@compiled
def choose_return(state, favor):
    """It stays with the winner until its end is chosen."""
    state.returning = favor + 1
    state.phase = RETURN_END


@compiled
def give_back(state, row, end):
    """T-FAVOR-3"""
    state.favor_owner[state.returning - 1] = 0
    _put_back(state, int(state.returning), row, end)
    state.returning = 0
    state.phase = LOSERS


@compiled
def next_loser(tables, state):
    """Ask the next loser, clockwise from the starter; after the last the Invader's god rages. T-BATTLE-11, -12."""
    for k in range(state.players):
        seat = (state.starter + k) % state.players
        if state.loser[seat] == 0:
            continue
        rune = tables.card_rune[state.battle_card[seat] - 1]
        if tables.boon_action[state.god[rune]] != NO_ACTION:
            state.phase = BOON
            state.seat = seat
            return
        rage(tables, state, seat)
    if state.invader_rune != NOWHERE:
        # T-INV-4, T-INV-6
        state.fury[state.invader_rune] += tables.fury_invader
        state.invader_rune = NOWHERE
    state.phase = AFTER_BATTLE


@compiled
def rage(tables, state, seat):
    """The second part of losing. T-BATTLE-11"""
    state.fury[tables.card_rune[state.battle_card[seat] - 1]] += tables.fury_loss
    state.loser[seat] = 0
    state.phase = LOSERS


@compiled
def clear_up(state):
    """The battle is over. T-BATTLE-5"""
    for seat in range(MAX_PLAYERS):
        state.battle_card[seat] = 0
        state.battle_public[seat] = 0
    state.starter = NOBODY
    state.revealed = 0
