"""What each seat knows of hidden cards, derived from a game as it is played; nothing of it is read from the engine.

A pack that a seat has passed on holds what it held then, less what the others took: each of them exactly one card.
Once the seat sees the pack again, or all of its cards are taken, the set of what was taken is closed: a *fact*.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from northsea_envs.games.tiny_epic_vikings import state as fields
from tests.tiny_epic_vikings.positions import E, Position


@dataclass
class Passed:
    """Cards of a pack as a seat passed it on, and the clans that took one of them since."""

    cards: frozenset[str]
    takers: list[int] = field(default_factory=list)


class Memory:
    """Follows one game: tell it every action before it is played, and let it look afterwards."""

    def __init__(self, p: Position) -> None:
        self.p = p
        self.n = p.players
        self.circle = [0, E, 1] if p.s["enemy"] else list(range(self.n))
        self.at: dict[int, int] = {}  # clan -> the clan to which the pack was dealt that it holds
        self.open: dict[tuple[int, int], Passed] = {}  # seat, pack -> what the seat passed on and has not seen since
        self.facts: list[list[Passed]] = [[] for _ in range(self.n)]
        self.shown: list[set[str]] = [set() for _ in range(self.n)]  # of each seat's cards of this era
        self.enemy_known: list[set[str]] = [set() for _ in range(self.n)]  # the Enemy's discards of earlier eras
        self.drawn_new = [0] * self.n  # cards drawn from a deck that was shuffled in this era
        self.old_discards: set[str] = set()  # what that deck was made of
        self.reshuffled = False
        self.picks: dict[int, str] = {}
        self.era = 0
        self.look("", None)

    def play(self, name: str) -> None:
        """Play one action."""
        seat, before = self.p.seat, self.p.copy()
        self.p.apply(name)
        self.look(name, seat, before)

    def look(self, name: str, seat: int | None, before: Position | None = None) -> None:
        """Take note of what happened."""
        p = self.p
        word, _, card = name.partition(" ")
        if before is not None and before.point == "DP-2":
            self.picks[seat] = card
            if len(self.picks) == self.n:
                self._pass(before)
        if word == "UP" or (before is not None and before.point == "DP-19"):
            self.shown[seat].add(card)
        if before is not None:
            self._note_reshuffle(before)
            for who in range(self.n):
                new = set(p.row(who)) - set(before.row(who))
                self.shown[who] |= {card for card in new if "(" not in card}
        if p.seat is not None and p.point == "DP-2" and p.era != self.era:
            self._new_era()

    def _note_reshuffle(self, before: Position) -> None:
        p = self.p
        if not set(p.deck()) <= set(before.deck()):
            self.reshuffled = True
            self.old_discards = before.at(fields.IN_DISCARD)
            # What was discarded openly, and what the Enemy's known discards were, may be anywhere now.
            self.enemy_known = [set() for _ in range(self.n)]
        if self.reshuffled and p.point == "DP-19" and before.point != "DP-19":
            self.drawn_new[p.seat] += 1

    def _new_era(self) -> None:
        p, dealing = self.p, self.p.era != self.era
        assert dealing
        for who in range(self.n):
            if not self.reshuffled:
                # All cards of players have been seen: what is left of a fact was discarded by the Enemy.
                seen = set().union(*self.shown)
                for fact in self.facts[who]:
                    if E in fact.takers:
                        self.enemy_known[who] |= fact.cards - seen
        self.era = p.era
        self.at = {clan: clan for clan in self.circle}
        self.open, self.picks = {}, {}
        self.facts = [[] for _ in range(self.n)]
        self.shown = [set() for _ in range(self.n)]
        self.reshuffled, self.drawn_new = False, [0] * self.n

    def _pass(self, before: Position) -> None:
        """All have chosen: the packs go round."""
        p = self.p
        for clan in self.circle:
            pack = self.at[clan]
            if clan == E:
                continue
            for who in range(self.n):
                if who != clan and (who, pack) in self.open:
                    self.open[who, pack].takers.append(clan)
            self.open[clan, pack] = Passed(frozenset(before.pack(clan) - {self.picks[clan]}))
        step = {"CW": 1, "CCW": -1}[p.t.eras[before.era]["pass_direction"]]
        size = len(self.circle)
        self.at = {self.circle[(k + step) % size]: self.at[clan] for k, clan in enumerate(self.circle)}
        last = len(before.pack(before.seat)) == 2
        for clan, pack in self.at.items():
            if clan == E:
                for who in range(self.n):
                    if (who, pack) in self.open:
                        self.open[who, pack].takers.append(E)
                continue
            mine = self.open.pop((clan, pack), None)
            if last:
                for who in range(self.n):
                    if (who, pack) in self.open:
                        self.open[who, pack].takers.append(clan)
                if mine:
                    # The one card left has joined the own hand; all others were taken.
                    (left,) = mine.cards & p.hand(clan)
                    self.facts[clan].append(Passed(mine.cards - {left}, mine.takers))
            elif mine:
                self.facts[clan].append(Passed(mine.cards - p.pack(clan), mine.takers))
        if last:
            for (who, _), passed in self.open.items():
                self.facts[who].append(passed)
            self.open = {}
        self.picks = {}

    # --- what follows -----------------------------------------------------------------------------

    def had(self, q: Position, clan: int) -> set[str]:
        """Cards of an era that a clan has or had in a position."""
        if clan == E:
            return q.at(fields.IN_ENEMY_DISCARD)
        hidden = {card.strip("()") for card in q.row(clan) if "(" in card}
        return q.hand(clan) | hidden | self.shown[clan]

    def contradictions(self, who: int, q: Position) -> list[str]:
        """What seat ``who`` knows, and ``q`` has otherwise."""
        found = []
        for passed in self.facts[who] + [mine for (seat, _), mine in self.open.items() if seat == who]:
            assert len(set(passed.takers)) == len(passed.takers)
            for clan in passed.takers:
                number = len(self.had(q, clan) & passed.cards)
                # After a new deck, one more of them may have been drawn; and the Enemy's may be gone.
                if not (number == 1 or (self.reshuffled and (clan == E or number > 1))):
                    found.append(f"clan {clan} has {number} of {sorted(passed.cards)}")
        for (seat, pack), passed in self.open.items():
            if seat == who:
                (holder,) = [clan for clan, held in self.at.items() if held == pack]
                rest = q.enemy_pack() if holder == E else q.pack(holder)
                if not rest <= passed.cards or len(rest) != len(passed.cards) - len(passed.takers):
                    found.append(f"clan {holder} holds {sorted(rest)} of {sorted(passed.cards)}")
        if not self.enemy_known[who] <= q.discard():
            found.append(f"the Enemy discarded {sorted(self.enemy_known[who] - q.discard())}")
        if self.reshuffled and self.p.point not in ("DP-2", "DP-1"):
            for clan in range(self.n):
                new = q.hand(clan) & self.old_discards
                if clan != who and len(new) > self.drawn_new[clan]:
                    found.append(f"clan {clan} holds {sorted(new)} of a deck it never drew so many from")
        return found
