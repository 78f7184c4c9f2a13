"""The course of the game: turns, actions from their beginning to their end, dedication, eras. Sections 5, 7, 11, 12."""

from northsea_envs.games.tiny_epic_vikings.actions import FACEDOWN_0, FACEUP_0, PASS, space_0, yes
from northsea_envs.games.tiny_epic_vikings.battle import (
    can_start,
    clear_up,
    in_progress,
    next_loser,
    play_facedown,
    rage,
    resolve,
    turn_facedown,
)
from northsea_envs.games.tiny_epic_vikings.cards import (
    discard_from_hand,
    draw_to_hand,
    hands_empty,
    put_into_row,
    requirement_met,
)
from northsea_envs.games.tiny_epic_vikings.control import check_all, islands_held
from northsea_envs.games.tiny_epic_vikings.draft import begin_era
from northsea_envs.games.tiny_epic_vikings.goods import begin_harvest, can_exchange, gain_bag
from northsea_envs.games.tiny_epic_vikings.knowledge import note_era_over
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTION_DONE,
    BATTLE_CARD,
    BOON,
    BUILD,
    BUILD_SLOT,
    CARDS,
    COLLECT,
    DEDICATE,
    DISCARD,
    DRAW_REPLACE,
    ENTER_BATTLE,
    ERAS,
    EXCHANGE,
    EXCHANGE_PAIR,
    EXPLORE,
    EXPLORE_STEP,
    FROM_BOON,
    FROM_DEDICATION,
    FROM_LEADER,
    FROM_RUNE,
    FURY,
    FURY_ADJUST,
    FURY_PLUS,
    HARVEST,
    HARVEST_ONE,
    IN_DISCARD,
    IN_HAND,
    IN_ROW,
    LEADER,
    LOSERS,
    NO_ACTION,
    NO_SOURCE,
    NOBODY,
    NOWHERE,
    OVER,
    PLAY,
    RUNE,
    RUNES,
    SAIL,
    SAIL_BOAT,
    SMITE,
    SMITE_ONE,
    TEMPLE_EXPLORE,
    TEMPLE_STEP,
    TURN_END,
    TURN_START,
)
from northsea_envs.jit import compiled

# --- turns ----------------------------------------------------------------------------------------


@compiled
def run(tables, state):
    """All that follows by itself, up to the next decision."""
    while state.phase > OVER:
        if state.phase == ACTION_DONE:
            _end_action(tables, state)
        elif state.phase == TURN_END:
            _end_turn(tables, state)
        elif state.phase == TURN_START:
            # T-TURN-2, T-BATTLE-4
            if state.starter == state.turn_seat:
                resolve(tables, state)
            else:
                _ask_for_card(state)
        elif state.phase == LOSERS:
            next_loser(tables, state)
        else:
            clear_up(state)
            if hands_empty(state):
                _end_era(tables, state)
            else:
                _ask_for_card(state)


@compiled
def _ask_for_card(state):
    """T-TURN-3; with an empty hand, which only enter_battle_card = HAND makes, the turn is over."""
    state.seat = state.turn_seat
    state.phase = PLAY if state.hand_size[state.turn_seat] else TURN_END


@compiled
def legal_plays(state, mask):
    """DP-3. T-TURN-3, T-TURN-7."""
    facedown = in_progress(state) or can_start(state)
    count = 0
    for card in range(CARDS):
        if state.place[card] == IN_HAND + state.seat:
            mask[FACEUP_0 + card] = 1
            count += 1
            if facedown:
                mask[FACEDOWN_0 + card] = 1
                count += 1
    return count


@compiled
def legal_battle_cards(state, mask):
    """DP-3, facedown only: the second card under enter_battle_card = HAND. CR-11."""
    count = 0
    for card in range(CARDS):
        if state.place[card] == IN_HAND + state.seat:
            mask[FACEDOWN_0 + card] = 1
            count += 1
    return count


@compiled
def play_faceup(tables, state, card):
    """T-TURN-4"""
    put_into_row(tables, state, int(state.seat), card, True)
    state.phase = LEADER


@compiled
def play_to_battle(tables, state, card):
    """T-TURN-3, T-TURN-5; CR-11."""
    if not play_facedown(tables, state, int(state.seat), card):
        after_entering(state)


@compiled
def after_entering(state):
    """The card is in the battle, the Favor card chosen where it started one."""
    if state.action == ENTER_BATTLE:
        state.phase = ACTION_DONE
    else:
        offer_dedication(state)


@compiled
def card_played(state):
    """The turn player's card of this turn."""
    return int(state.row[state.turn_seat, state.row_size[state.turn_seat] - 1]) - 1


@compiled
def offer_rune_action(tables, state):
    """T-TURN-4, T-RUNE-3: the requirement is looked at now."""
    card = card_played(state)
    has_action = tables.rune_action[card] != NO_ACTION
    if has_action and requirement_met(tables, state, int(state.turn_seat), card):
        state.phase = RUNE
    else:
        offer_dedication(state)


@compiled
def offer_dedication(state):
    """T-TURN-5, T-DED-1."""
    state.phase = DEDICATE if state.villages[state.turn_seat] else TURN_END


@compiled
def legal_dedications(tables, state, mask):
    """DP-20. T-DED-3, T-2P-7."""
    mask[PASS] = 1
    count = 1
    for space in range(len(tables.space_action)):
        if state.dedicated[space] < tables.dedication_cap[state.players]:
            mask[space_0(tables) + space] = 1
            count += 1
    return count


@compiled
def dedicate(tables, state, space):
    """T-DED-1, T-DED-2, T-DED-4, T-DED-5."""
    state.villages[state.turn_seat] -= 1
    state.dedicated[space] += 1
    if tables.space_action[space] == FURY_PLUS:
        # T-DED-6
        state.fury[space - (len(tables.space_action) - len(RUNES))] += tables.space_n[space]
    state.source = FROM_DEDICATION
    _begin(tables, state, int(state.turn_seat), tables.space_action[space], tables.space_n[space])


@compiled
def _end_turn(tables, state):
    """T-TURN-1, T-TURN-6."""
    if not hands_empty(state):
        state.turn_seat = (state.turn_seat + 1) % state.players
        state.phase = TURN_START
    elif state.starter != NOBODY:
        resolve(tables, state)
    else:
        _end_era(tables, state)


@compiled
def _end_era(tables, state):
    """T-ERA-1, T-CLEAN-1, T-CLEAN-2."""
    if state.era == ERAS:
        state.phase = OVER
        state.seat = NOBODY
        return
    for card in range(CARDS):
        if IN_ROW <= state.place[card] < IN_ROW + state.players:
            state.place[card] = IN_DISCARD
    for seat in range(state.players):
        state.row[seat, :] = 0
        state.row_size[seat] = 0
    note_era_over(tables, state)
    state.chieftain = next_chieftain(tables, state)
    state.era += 1
    begin_era(tables, state)


@compiled
def next_chieftain(tables, state):
    """T-CLEAN-3, T-CLEAN-4, T-2P-3; ties go to who was later in the turn order."""
    found, best = 0, 0
    for k in range(state.players):
        seat = (state.chieftain + k) % state.players
        held = islands_held(tables, state, seat)
        rank = held if tables.most_islands_lead else -held
        if k == 0 or rank >= best:
            found, best = seat, rank
    return found if tables.most_islands_lead else (found + 1) % state.players


# --- actions --------------------------------------------------------------------------------------


@compiled
def legal_offer(tables, state, mask):
    """DP-5, DP-6, DP-21: YES unless there is nothing that could be done at all. T-ACT-1, T-ENTER-2, T-EXCH-1."""
    seat = int(state.seat)
    mask[PASS] = 1
    action = _offered(tables, state)
    if action == EXCHANGE and not can_exchange(tables, state, seat):
        return 1
    if action == ENTER_BATTLE and not _can_enter(tables, state, seat):
        return 1
    mask[yes(tables)] = 1
    return 2


@compiled
def _can_enter(tables, state, seat):
    """T-ENTER-1, T-ENTER-2, CR-11."""
    if tables.enter_from_hand and state.hand_size[seat] == 0:
        return False
    return in_progress(state) or (tables.enter_may_start != 0 and can_start(state))


@compiled
def _offered(tables, state):
    """The action that the decider is asked about."""
    if state.phase == BOON:
        return tables.boon_action[god_of(tables, state, int(state.seat))]
    card = card_played(state)
    return tables.leader_action[card] if state.phase == LEADER else tables.rune_action[card]


@compiled
def god_of(tables, state, seat):
    """The god tied to the rune of a seat's battle card."""
    return int(state.god[tables.card_rune[state.battle_card[seat] - 1]])


@compiled
def accept(tables, state):
    """YES to a Leader Action, Rune Action or Boon. T-TURN-4, T-BATTLE-11."""
    seat = int(state.seat)
    action = _offered(tables, state)
    if state.phase == BOON:
        state.source = FROM_BOON
        n = tables.boon_n[god_of(tables, state, seat)]
    elif state.phase == LEADER:
        state.source = FROM_LEADER
        n = tables.leader_n[card_played(state)]
    else:
        state.source = FROM_RUNE
        n = tables.rune_n[card_played(state)]
    _begin(tables, state, seat, action, n)


@compiled
def decline(tables, state):
    """NO to a Leader Action, Rune Action or Boon."""
    if state.phase == BOON:
        rage(tables, state, int(state.seat))
    elif state.phase == LEADER:
        offer_rune_action(tables, state)
    else:
        offer_dedication(state)


@compiled
def _begin(tables, state, actor, action, n):
    """An action up to its first decision. T-ACT-2, T-ACT-3."""
    state.action = action
    state.actor = actor
    state.amount = n
    state.left = n
    if action == SAIL:
        state.phase = SAIL_BOAT
    elif action == EXPLORE:
        state.settlers_before[:] = state.settlers[:, actor]
        state.phase = EXPLORE_STEP
    elif action == HARVEST:
        begin_harvest(tables, state)
        state.phase = HARVEST_ONE
    elif action == BUILD:
        state.phase = BUILD_SLOT
    elif action == TEMPLE_EXPLORE:
        state.phase = TEMPLE_STEP
    elif action == SMITE:
        state.phase = SMITE_ONE
    elif action == EXCHANGE:
        state.phase = EXCHANGE_PAIR
    elif action == FURY_ADJUST:
        state.phase = FURY
    elif action == DRAW_REPLACE:
        draw_to_hand(tables, state, actor)
        state.phase = DISCARD
    elif action == ENTER_BATTLE:
        _enter_battle(tables, state, actor)
    else:
        if action == COLLECT:
            _collect(tables, state, actor)
        state.phase = ACTION_DONE


@compiled
def _enter_battle(tables, state, actor):
    if tables.enter_from_hand:
        state.phase = BATTLE_CARD
    elif not turn_facedown(state, actor):
        state.phase = ACTION_DONE


@compiled
def _collect(tables, state, actor):
    """T-COLL-1"""
    if state.source == FROM_BOON:
        gain_bag(tables, state, actor, tables.boon_bag[god_of(tables, state, actor)])
    else:
        gain_bag(tables, state, actor, tables.rune_bag[card_played(state)])


@compiled
def discard(tables, state, card):
    """The second half of a draw, then the next draw. T-DRAW-1, T-DRAW-2."""
    discard_from_hand(tables, state, int(state.actor), card)
    state.left -= 1
    if state.left:
        draw_to_hand(tables, state, int(state.actor))
    else:
        state.phase = ACTION_DONE


@compiled
def _end_action(tables, state):
    """The control check, then what comes after an action of this kind. T-ACT-2, T-CTRL-3, T-BATTLE-12."""
    actor, source = int(state.actor), state.source
    check_all(tables, state, actor)
    forget_action(state)
    state.seat = state.turn_seat
    if source == FROM_LEADER:
        offer_rune_action(tables, state)
    elif source == FROM_RUNE:
        offer_dedication(state)
    elif source == FROM_DEDICATION:
        state.phase = TURN_END
    else:
        rage(tables, state, actor)


@compiled
def forget_action(state):
    """No action is under way."""
    state.action = NO_ACTION
    state.source = NO_SOURCE
    state.actor = NOBODY
    state.amount = 0
    state.left = 0
    state.boat = NOWHERE
    state.dock = NOWHERE
    state.displaced_seat = NOBODY
    state.displaced_boat = NOBODY
    state.deployed = 0
    state.deployed_before = 0
    state.settlers_before[:] = 0
    state.slot = NOWHERE
    state.pair = NOWHERE
    state.fury_choice = NOWHERE
