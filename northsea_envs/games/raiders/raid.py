"""Raids and what they cost in crew: sections 8 and 9 of the rules document."""

from northsea_envs.games.raiders.actions import (
    PASS,
    SETTLEMENT_0,
    crew_0,
    die_0,
    opponent_0,
    set_0,
)
from northsea_envs.games.raiders.cards import discard, leave_crew, take_in_sight
from northsea_envs.games.raiders.goods import gain, lose
from northsea_envs.games.raiders.state import (
    AVENGE_CREW,
    AVENGE_OPPONENT,
    DEATH_GAIN_GOLD,
    DEATH_GAIN_VP,
    DEATH_OPPONENT_LOSES_CREW,
    DEATH_RETURN_TO_HAND,
    DICE,
    DIE_FACES,
    EVERY_RAID,
    GOLD,
    KILL,
    NO_WORKER,
    NOBODY,
    NOWHERE,
    PLUNDER_KINDS,
    PROVISION,
    RAID_LESS_GOLD,
    RAID_LESS_PROVISION,
    RAID_REROLL,
    RAID_STRENGTH,
    RAID_VP,
    REROLL,
    SET,
    STRENGTH_PER_ARMOUR,
    STRENGTH_PER_OTHER_CREW,
    STRENGTH_PER_VALKYRIE,
    VALKYRIE,
)
from northsea_envs.games.raiders.turn import end_turn
from northsea_envs.jit import compiled, random_below


@compiled
def works_at(tables, kind, settlement_type):
    """Whether a crew effect on raids holds for settlements of a type."""
    scope = tables.crew_scope[kind]
    return scope in (settlement_type, EVERY_RAID)


@compiled
def raid_bonus(tables, state, seat, code, settlement_type):
    """What the crew's effects of ``code`` add up to at settlements of a type. R-CREW-1, -2."""
    total = 0
    for kind in range(len(tables.crew_code)):
        if state.crew[seat, kind] and tables.crew_code[kind] == code and works_at(tables, kind, settlement_type):
            total += state.crew[seat, kind] * tables.crew_n[kind]
    return total


@compiled
def member_strength(tables, state, seat, kind, settlement_type):
    """Strength that one crew member brings to a raid, effects included. R-RAID-7, R-CREW-6..8."""
    strength = int(tables.strength[kind])
    code = tables.crew_code[kind]
    if not works_at(tables, kind, settlement_type):
        return strength
    if code == RAID_STRENGTH:
        return strength + tables.crew_n[kind]
    steps = 0
    if code == STRENGTH_PER_ARMOUR:
        steps = int(state.armour[seat])
    elif code == STRENGTH_PER_OTHER_CREW:
        steps = int(state.crew_size[seat]) - 1
    elif code == STRENGTH_PER_VALKYRIE:
        steps = int(state.valkyries[seat])
    else:
        return strength
    return strength + steps // tables.crew_per[kind] * tables.crew_n[kind]


@compiled
def strength_without_dice(tables, state, seat, settlement_type):
    """Crew and armour. R-RAID-7, R-CREW-5."""
    total = int(state.armour[seat])
    for kind in range(len(tables.strength)):
        if state.crew[seat, kind]:
            total += state.crew[seat, kind] * member_strength(tables, state, seat, kind, settlement_type)
    return total


@compiled
def settlement_vp(tables, settlement, strength):
    """VP of a raid before crew effects. R-RAID-8."""
    vp = int(tables.fixed_vp[settlement])
    for tier in range(tables.tiers[settlement] - 1, -1, -1):
        if strength >= tables.tier_strength[settlement, tier]:
            return vp + tables.tier_vp[settlement, tier]
    return vp


@compiled
def provision_cost(tables, state, seat, settlement):
    """R-RAID-4, R-CREW-3"""
    less = raid_bonus(tables, state, seat, RAID_LESS_PROVISION, tables.settlement_type[settlement])
    return max(0, tables.provisions[settlement] - less)


@compiled
def gold_cost(tables, state, seat, settlement):
    """R-RAID-4, R-CREW-3"""
    less = raid_bonus(tables, state, seat, RAID_LESS_GOLD, tables.settlement_type[settlement])
    return max(0, tables.gold[settlement] - less)


@compiled
def sets_left(tables, state, settlement):
    """R-RAID-13"""
    first = tables.first_space[settlement]
    sets = 0
    for space in range(first, first + tables.space_count[settlement]):
        sets += state.set_left[space]
    return sets


@compiled
def can_raid(tables, state, seat, settlement):
    """R-RAID-1"""
    return (
        tables.settlement_takes[settlement, state.worker[seat]] > 0
        and state.crew_size[seat] >= tables.min_crew[settlement]
        and sets_left(tables, state, settlement) > 0
        and state.goods[seat, PROVISION] >= provision_cost(tables, state, seat, settlement)
        and state.goods[seat, GOLD] >= gold_cost(tables, state, seat, settlement)
    )


@compiled
def legal_raids(tables, state, mask):
    """R-RAID-1, -2"""
    count = 0
    for settlement in range(len(tables.min_crew)):
        if can_raid(tables, state, state.owner, settlement):
            mask[SETTLEMENT_0 + settlement] = 1
            count += 1
    return count


@compiled
def raid(tables, state, settlement):
    """Worker, costs and dice. R-RAID-3..6."""
    owner = int(state.owner)
    state.settlement = settlement
    state.raiders[settlement, state.worker[owner]] += 1
    state.worker[owner] = NO_WORKER
    provisions, gold = provision_cost(tables, state, owner, settlement), gold_cost(tables, state, owner, settlement)
    lose(state, owner, PROVISION, provisions)
    lose(state, owner, GOLD, gold)
    dice = int(tables.dice[settlement])
    for die in range(dice):
        _roll(tables, state, die)
    if dice:
        state.rerolls = raid_bonus(tables, state, owner, RAID_REROLL, tables.settlement_type[settlement])
    if state.rerolls:
        state.phase = REROLL
    else:
        _score(tables, state, owner, settlement)


@compiled
def _roll(tables, state, die):
    state.dice[die] = tables.die_face[random_below(state.rng_dice, DIE_FACES)]


@compiled
def legal_rerolls(tables, state, mask):
    """R-RAID-6; of equal dice only the first is offered."""
    count = 1
    mask[PASS] = 1
    for die in range(DICE):
        if state.dice[die] and (die == 0 or state.dice[die] != state.dice[0]):
            mask[die_0(tables) + die] = 1
            count += 1
    return count


@compiled
def reroll(tables, state, die):
    """R-RAID-6"""
    _roll(tables, state, die)
    state.rerolls -= 1
    if state.rerolls == 0:
        keep_dice(tables, state)


@compiled
def keep_dice(tables, state):
    """R-RAID-6, -8"""
    state.rerolls = 0
    _score(tables, state, int(state.owner), int(state.settlement))


@compiled
def _score(tables, state, owner, settlement):
    """R-RAID-7..9, -14"""
    settlement_type = tables.settlement_type[settlement]
    strength = strength_without_dice(tables, state, owner, settlement_type)
    for die in range(DICE):
        strength += state.dice[die]
        state.dice[die] = 0
    state.vp[owner] += settlement_vp(tables, settlement, strength)
    state.vp[owner] += raid_bonus(tables, state, owner, RAID_VP, settlement_type)
    state.phase = SET


@compiled
def legal_sets(tables, state, mask):
    """R-RAID-10"""
    count = 0
    first = tables.first_space[state.settlement]
    for k in range(tables.space_count[state.settlement]):
        if state.set_left[first + k]:
            mask[set_0(tables) + k] = 1
            count += 1
    return count


@compiled
def take_set(tables, state, k):
    """R-RAID-10..12, R-VALK-8"""
    owner = int(state.owner)
    space = tables.first_space[state.settlement] + k
    for good in range(PLUNDER_KINDS):
        state.goods[owner, good] += state.space_tokens[space, good]
    state.valkyries_left = state.space_tokens[space, VALKYRIE]
    state.valkyries_gone += state.space_tokens[space, VALKYRIE]
    state.space_tokens[space, :] = 0
    state.set_left[space] = 0
    state.worker[owner] = tables.space_worker[space]
    state.settlement = NOWHERE
    _next_valkyrie(tables, state)


# --- Valkyries ------------------------------------------------------------------------------------


@compiled
def _next_valkyrie(tables, state):
    """R-VALK-1, -2, R-RAID-12"""
    state.seat = state.owner
    if state.valkyries_left and state.crew_size[state.owner]:
        state.phase = KILL
    else:
        state.valkyries_left = 0
        end_turn(tables, state)


@compiled
def legal_crew(tables, state, seat, mask):
    """DP-KILL, DP-AVENGE-CREW, and crew to pay with: every crew member of a seat."""
    count = 0
    for kind in range(len(tables.strength)):
        if state.crew[seat, kind]:
            mask[crew_0(tables) + kind] = 1
            count += 1
    return count


@compiled
def kill(tables, state, kind):
    """R-VALK-1, -3, -4, -6"""
    owner = int(state.owner)
    state.valkyries_left -= 1
    state.valkyries[owner] = min(int(state.valkyries[owner]) + 1, len(tables.valkyrie_vp) - 1)
    leave_crew(tables, state, owner, kind)
    code = tables.crew_code[kind]
    if code == DEATH_RETURN_TO_HAND:
        take_in_sight(state, owner, kind)
    else:
        discard(state, kind)
    if code == DEATH_GAIN_GOLD:
        gain(tables, state, owner, GOLD, tables.crew_n[kind])
    elif code == DEATH_GAIN_VP:
        state.vp[owner] += tables.crew_n[kind]
    elif code == DEATH_OPPONENT_LOSES_CREW:
        state.avenges_left = tables.crew_n[kind]
    _next_avenge(tables, state)


@compiled
def _next_avenge(tables, state):
    """R-VALK-5"""
    state.seat = state.owner
    state.target = NOBODY
    if state.avenges_left:
        for other in range(state.players):
            if other != state.owner and state.crew_size[other]:
                state.phase = AVENGE_OPPONENT
                return
        state.avenges_left = 0
    _next_valkyrie(tables, state)


@compiled
def legal_avenge_opponents(tables, state, mask):
    """R-VALK-5"""
    count = 0
    for k in range(1, state.players):
        if state.crew_size[(state.owner + k) % state.players]:
            mask[opponent_0(tables) + k - 1] = 1
            count += 1
    return count


@compiled
def choose_avenge_opponent(state, k):
    """R-VALK-5: the victim chooses the crew member."""
    state.target = (state.owner + k + 1) % state.players
    state.seat = state.target
    state.phase = AVENGE_CREW


@compiled
def lose_to_avenger(tables, state, kind):
    """R-VALK-5, -6"""
    leave_crew(tables, state, int(state.target), kind)
    discard(state, kind)
    state.avenges_left -= 1
    _next_avenge(tables, state)
