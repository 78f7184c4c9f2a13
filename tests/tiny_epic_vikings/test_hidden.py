"""Redrawing hidden things against all that may have happened, counted one by one. Section 20.5.

Small drafts: an era with hands of three, and so few cards in the game that every deal and every choice of the others
can be listed. A redrawn game must be one of those that look the same, each as likely as any other.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from northsea_envs.games.tiny_epic_vikings import state as fields
from tests.tiny_epic_vikings.changes import changed, constant
from tests.tiny_epic_vikings.positions import E, Position, Rules, idle, position, read, seat

NO, YES = "STOP", "YES"
SAMPLES = 1000
CARDS = [f"V{k:02}" for k in range(1, 49)]

Clan = int
Packs = dict[Clan, frozenset[str]]


@pytest.fixture
def rules(tmp_path):
    """Hands of three in era 2, and a draw with every card; without the Enemy if asked."""

    def make(enemy: bool = True) -> Rules:
        every = {"rune_action": "DRAW_REPLACE", "rune_n": 1, "req1_rune": "ANY", "req1_n": 1, "req2_rune": "NONE"}
        every |= {"req2_n": 0, "rune_wood": 0, "rune_food": 0, "rune_steel": 0}
        draws = [("viking_cards", {}, column, value) for column, value in every.items()]
        three = ("era_mat", {"era": "2"}, "hand_size", 3)
        return changed(tmp_path, three, *draws, constant("two_player_enemy", int(enemy)))

    return make


def second_era(players: int, old: int, new: int, rules: Rules) -> Position:
    """The draft of era 2, of hands of three: ``old`` cards were in the deck, ``new`` on the discard pile.

    All others are Invaders, so that every seat knows both sets.
    """
    deck, rest = CARDS[:old], CARDS[old:]
    last, discard, invaders = rest[0], rest[1:new], rest[new:]
    seats = [seat(hand="") for _ in range(players - 1)] + [seat(hand=last)]
    p = position(
        *seats, turn=players - 1, chieftain=0, deck=" ".join(deck), discard=" ".join(discard),
        invaders=" ".join(invaders), rules=rules,
    )  # fmt: skip
    idle(p)
    assert (p.era, p.point) == (2, "DP-2")
    return p


class Observer:
    """What one seat saw of a draft, and all the drafts that it may have been."""

    def __init__(self, p: Position, who: int, old: int, new: int) -> None:
        self.p, self.who = p, who
        self.old, self.new = CARDS[:old], CARDS[old : old + new]
        self.enemy = bool(p.s["enemy"])
        self.circle = [0, E, 1] if self.enemy else list(range(p.players))
        self.step = -1  # era 2
        self.packs: list[frozenset[str]] = []
        self.picks: list[str] = []

    def choose(self) -> None:
        """One round of the real draft, in which everybody takes the middle card."""
        p = self.p
        self.packs.append(frozenset(p.pack(self.who)))
        for _ in range(p.players):
            who, cards = p.seat, sorted(p.pack(p.seat))
            if who == self.who:
                self.picks.append(cards[len(cards) // 2])
            p.do(f"PICK {cards[len(cards) // 2]}")

    def deals(self) -> Iterator[tuple[Packs, frozenset[str]]]:
        """Every deal, and the cards left in the deck."""
        sizes = {clan: 3 - (clan == E) for clan in sorted(self.circle)}  # seats first, the Enemy last
        old, new = frozenset(self.old), frozenset(self.new)

        def deal(clans: list[Clan], old: frozenset[str], new: frozenset[str]) -> Iterator[tuple[Packs, frozenset[str]]]:
            if not clans:
                # An old deck with the discard pile still apart, or the new one.
                yield {}, new if len(new) < len(self.new) else old
                return
            first = min(sizes[clans[0]], len(old))
            for a in itertools.combinations(sorted(old), first):
                for b in itertools.combinations(sorted(new), sizes[clans[0]] - first):
                    pack = frozenset(a + b)
                    if clans[0] == self.who and pack != self.packs[0]:
                        continue
                    for packs, left in deal(clans[1:], old - set(a), new - set(b)):
                        yield {clans[0]: pack, **packs}, left

        return deal(list(sizes), old, new)

    def drafts(self) -> Iterator[tuple[Packs, Packs, frozenset[str], frozenset[str]]]:
        """Packs, kept cards, deck and the Enemy's discards after as many rounds as the observer has seen."""
        nothing = {clan: frozenset[str]() for clan in self.circle}
        for packs, left in self.deals():
            yield from self._rounds(packs, nothing, left, frozenset(), 0)

    def _rounds(self, packs: Packs, kept: Packs, left, gone, number: int):
        if number == len(self.packs):
            # The pack that has just come, or its last card, which has joined the hand.
            mine = self.p.pack(self.who) if self.p.point == "DP-2" else packs[self.who] & self.p.hand(self.who)
            if packs[self.who] == mine:
                yield packs, kept, left, gone
            return
        if packs[self.who] != self.packs[number]:
            return
        humans = [clan for clan in self.circle if clan != E]
        choices = [[self.picks[number]] if clan == self.who else sorted(packs[clan]) for clan in humans]
        for picks in itertools.product(*choices):
            taken = dict(zip(humans, picks, strict=True))
            after = {clan: packs[clan] - {taken.get(clan, "")} for clan in self.circle}
            size = len(self.circle)
            moved = {self.circle[(k + self.step) % size]: after[clan] for k, clan in enumerate(self.circle)}
            mine = {clan: kept[clan] | ({taken[clan]} if clan in taken else set()) for clan in self.circle}
            if not self.enemy:
                yield from self._rounds(moved, mine, left, gone, number + 1)
                continue
            for card in sorted(moved[E]):
                rest = moved | {E: moved[E] - {card}}
                yield from self._rounds(rest, mine, left, gone | {card}, number + 1)

    def games(self) -> set[tuple]:
        """What is hidden in all the games that the seat cannot tell from this one, each once."""
        found = set()
        for packs, kept, left, gone in self.drafts():
            if self.p.point != "DP-2":
                hands = {clan: kept[clan] | packs[clan] for clan in packs}
                found.add((self.others(hands), (), left, gone))
            else:
                found.add((self.others(kept), self.others(packs), left, gone))
        return found

    def others(self, cards: Packs) -> tuple:
        return tuple(cards[clan] for clan in self.circle if clan != self.who)

    def drawn(self, seed: int) -> tuple:
        """The same of a redrawn game."""
        q = self.p.redrawn(self.who, seed)
        hands = {clan: frozenset() if clan == E else frozenset(q.hand(clan)) for clan in self.circle}
        packs = {clan: frozenset(q.enemy_pack() if clan == E else q.pack(clan)) for clan in self.circle}
        gone = frozenset(q.at(fields.IN_ENEMY_DISCARD))
        return self.others(hands), self.others(packs) if self.p.point == "DP-2" else (), frozenset(q.deck()), gone


def check_evenly(possible: set[tuple], drawn: Counter[tuple]) -> None:
    """All that is drawn is possible, and chi square is where it should be for equal chances."""
    assert set(drawn) <= possible
    expected = drawn.total() / len(possible)
    chi_square = sum((drawn[game] - expected) ** 2 / expected for game in possible)
    degrees = len(possible) - 1
    # Five standard deviations of chi square.
    assert abs(chi_square - degrees) < 5 * (2 * degrees) ** 0.5 + 5, (chi_square, degrees)


@pytest.mark.rules("T-DRAFT-1", "T-DRAFT-2", "T-DRAFT-3")
@pytest.mark.parametrize(("old", "new"), [(4, 7), (8, 3)])
@pytest.mark.parametrize("who", [0, 1, 2])
@pytest.mark.parametrize("rounds", [1, 2])
def test_three_players(rules, who, old, new, rounds):
    p = second_era(3, old, new, rules())
    observer = Observer(p, who, old, new)
    for _ in range(rounds):
        observer.choose()
    check_evenly(observer.games(), Counter(observer.drawn(seed) for seed in range(SAMPLES)))


@pytest.mark.rules("T-DRAFT-1", "T-DRAFT-6", "T-2P-6")
@pytest.mark.parametrize(("old", "new"), [(4, 6), (7, 3)])
@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("rounds", [1, 2])
def test_two_players_and_the_enemy(rules, who, old, new, rounds):
    p = second_era(2, old, new, rules())
    observer = Observer(p, who, old, new)
    for _ in range(rounds):
        observer.choose()
    check_evenly(observer.games(), Counter(observer.drawn(seed) for seed in range(SAMPLES)))


@pytest.mark.rules("T-DRAFT-2")
@pytest.mark.parametrize(("old", "new"), [(4, 6)])
@pytest.mark.parametrize("who", [0, 1])
def test_two_players_alone(rules, who, old, new):
    p = second_era(2, old, new, rules(enemy=False))
    observer = Observer(p, who, old, new)
    observer.choose()
    check_evenly(observer.games(), Counter(observer.drawn(seed) for seed in range(SAMPLES)))


def shown(observer: Observer, hidden: set[tuple], other: int, card: str) -> set[tuple]:
    """The games left after ``other`` has shown ``card`` of its hand, which goes elsewhere."""
    place = [clan for clan in observer.circle if clan != observer.who].index(other)
    found = set()
    for hands, packs, deck, gone in hidden:
        if card in hands[place]:
            found.add((tuple(h - {card} if k == place else h for k, h in enumerate(hands)), packs, deck, gone))
    return found


@pytest.mark.rules("T-DRAFT-1", "T-TURN-3")
@pytest.mark.parametrize(("old", "new"), [(4, 7), (5, 5)])
@pytest.mark.parametrize("who", [0, 1, 2])
def test_cards_that_are_played_say_something_about_the_rest(rules, who, old, new):
    p = second_era(3, old, new, rules())
    observer = Observer(p, who, old, new)
    observer.choose()
    observer.choose()
    possible = observer.games()
    for _ in range(3):
        other = p.turn
        card = sorted(p.hand(other))[1]
        p.do(f"UP {card}", NO, NO)
        if other != who:
            possible = shown(observer, possible, other, card)
        check_evenly(possible, Counter(observer.drawn(seed) for seed in range(SAMPLES)))


@pytest.mark.rules("T-DRAW-1", "T-DRAW-2", "T-DRAFT-6")
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("pick", [0, 1, 2])
def test_a_draw_from_a_deck_that_holds_what_was_discarded(rules, players, pick):
    # All cards are dealt; the discard pile has one card of the last era and, with two players, two of the Enemy's.
    old = 8 if players == 2 else 9
    p = second_era(players, old, 3, rules())
    observer = Observer(p, 0, old, 3)
    observer.choose()
    observer.choose()
    possible = observer.games()
    assert p.turn == 0 or p.turn == 1
    while p.turn != 1:
        card = min(p.hand(p.turn))
        mover = p.turn
        p.do(f"UP {card}", NO, NO)
        if mover:
            possible = shown(observer, possible, mover, card)
    card = sorted(p.hand(1))[1]
    p.do(f"UP {card}", NO)
    possible = shown(observer, possible, 1, card)
    assert len(p.deck()) == 0
    p.do(YES)
    back = sorted(p.hand(1))[pick]
    p.do(f"PICK {back}")
    place = [clan for clan in observer.circle if clan].index(1)
    after = set()
    for hands, packs, _, gone in possible:
        pile = frozenset(observer.new) | gone
        for drawn in pile:
            hand = hands[place] | {drawn}
            if back in hand:
                held = tuple(hand - {back} if k == place else h for k, h in enumerate(hands))
                after.add((held, packs, pile - {drawn}, frozenset()))
    check_evenly(after, Counter(observer.drawn(seed) for seed in range(SAMPLES)))


def test_every_card_is_in_the_lists():
    assert [row["card_id"] for row in read("viking_cards")] == CARDS
