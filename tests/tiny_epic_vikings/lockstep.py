"""One game in the engine and in the reference, side by side."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from northsea_envs.games.tiny_epic_vikings import state as fields
from tests.tiny_epic_vikings.positions import PRINTED, Position, Rules, eagerness, fresh
from tests.tiny_epic_vikings.reference import ENEMY, NOBODY, Player, Reference


class RecordedChance:
    """Chance as the engine's record shows it after the action that the reference is about to follow."""

    def __init__(self, position: Position) -> None:
        self.p = position
        self.reference: Reference | None = None

    def gods(self) -> list[str]:
        return list(self.p.gods)

    def deck(self) -> list[str]:
        return self.p.deck()

    def favor_rows(self) -> dict[str, list[str]]:
        return {"TOP": self.p.top(), "BOTTOM": self.p.bottom()}

    def chieftain(self) -> int:
        return self.p.chieftain

    def dealt(self, holder: int, pack: list[str]) -> str:
        whole = self.p.enemy_pack() if holder == ENEMY else self.p.pack(holder)
        # In which order is not known, and does not matter.
        return min(whole.intersection(self.reference.deck).difference(pack))

    def enemy_discard(self, pack: list[str]) -> str:
        (card,) = set(pack) - self.p.enemy_pack()
        return card

    def invader(self) -> str:
        (card,) = self.p.invaders() - set(self.reference.invaders)
        return card

    def drawn(self, seat: int, hand: list[str]) -> str:
        (card,) = (self.p.hand(seat) - set(hand)) or (self.p.discard() - set(self.reference.discard))
        return card


def player_of(p: Position, seat: int) -> dict:
    """What the engine's record says about one seat."""
    s = p.s
    assert int(s["hand_size"][seat]) == len(p.hand(seat))
    assert int(s["row_size"][seat]) == len(p.row(seat))
    assert {card.strip("()") for card in p.row(seat)} == p.at(fields.IN_ROW + seat)
    picked = int(s["picked"][seat])
    return {
        "resources": p.resources(seat),
        "on mat": p.on_mat(seat),
        "boats": p.boats(seat),
        "built": p.built(seat),
        "villages": p.villages(seat),
        "favors": p.favors(seat),
        "hand": p.hand(seat),
        "row": p.row(seat),
        "public": bool(s["battle_public"][seat]) if p.row(seat) and "(" in p.row(seat)[-1] else None,
        "pack": p.pack(seat),
        "pick": p.cards[picked - 1] if picked else None,
    }


def player_as(player: Player) -> dict:
    """The same of the reference."""
    facedown = [laid for laid in player.row if not laid.faceup]
    return {
        "resources": tuple(player.resources.values()),
        "on mat": player.settlers_on_mat,
        "boats": list(player.boats.values()),
        "built": set(player.built),
        "villages": player.villages,
        "favors": set(player.favors),
        "hand": {*player.hand, *player.kept},
        "row": [laid.card if laid.faceup else f"({laid.card})" for laid in player.row],
        "public": facedown[0].public if facedown else None,
        "pack": set(player.pack),
        "pick": player.pick,
    }


def table_of(p: Position) -> dict:
    """What the engine's record says about the rest."""
    assert int(p.s["invaders"]) == len(p.invaders())
    assert set(p.deck()) == p.at(fields.IN_DECK)
    return {
        "era": p.era,
        "chieftain": p.chieftain,
        "deck": p.deck(),
        "discard": p.discard(),
        "invaders": p.invaders(),
        "enemy pack": p.enemy_pack(),
        "rows": (p.top(), p.bottom()),
        "battle": p.battle,
        "fury": p.fury,
        "gods": p.gods,
        "spaces": p.spaces(),
        "settlers": {island: p.settlers(island) for island in p.islands},
        "temples": {island: p.temples(island) for island in p.islands},
        "holders": {island: p.holder(island) for island in p.islands},
        "villages": p.docks_with_village(),
    }


def table_as(reference: Reference) -> dict:
    """The same of the reference."""

    def pieces(counts: dict[int, int]) -> dict:
        return {"E" if clan == ENEMY else clan: n for clan, n in counts.items() if n}

    battle = reference.battle
    return {
        "era": reference.era,
        "chieftain": reference.chieftain,
        "deck": reference.deck,
        "discard": set(reference.discard),
        "invaders": set(reference.invaders),
        "enemy pack": set(reference.enemy_pack),
        "rows": (reference.rows["TOP"], reference.rows["BOTTOM"]),
        "battle": battle and (battle.starter, battle.favor, " ".join(battle.end)),
        "fury": tuple(reference.fury.values()),
        "gods": tuple(reference.god.values()),
        "spaces": {space: n for space, n in reference.spaces.items() if n},
        "settlers": {island: pieces(counts) for island, counts in reference.settlers.items()},
        "temples": {island: pieces(counts) for island, counts in reference.temples.items()},
        "holders": {island: None if h is NOBODY else h for island, h in reference.holder.items()},
        "villages": reference.villages,
    }


class Lockstep:
    """One game in the engine and in the reference, compared at every decision."""

    def __init__(self, players: int, seed: int, rules: Rules = PRINTED) -> None:
        self.p = fresh(players, seed=seed, rules=rules)
        chance = RecordedChance(self.p)
        self.reference = chance.reference = Reference(players, rules.tables(players), chance)

    def asked(self) -> tuple[int | None, set[int]]:
        """Whom the engine asks, and the legal ids."""
        return self.p.seat, {self.p.ids[name] for name in self.p.legal()}

    def same(self) -> bool:
        """Whether the reference asks for the same."""
        ask = self.reference.ask
        return self.asked() == ((None, set()) if ask is None else (ask.seat, set(ask.legal)))

    def play(self, name: str) -> None:
        """Play one action in both; the engine first, so that its record shows the chance."""
        self.p.apply(name)
        self.reference.apply(self.p.ids[name])
        # One may ask what is forced where the other does not.
        while not self.same():
            ask, (_, legal) = self.reference.ask, self.asked()
            if ask is not None and len(ask.legal) == 1:
                self.reference.apply(*ask.legal)
            elif len(legal) == 1:
                self.p.apply(*self.p.legal())
            else:
                break
        if self.reference.shuffled:
            assert sorted(self.reference.deck) == sorted(self.p.deck())
            self.reference.deck, self.reference.shuffled = self.p.deck(), False

    def compare(self) -> None:
        """Everything that both know must agree."""
        ask, seat = self.reference.ask, self.p.seat
        assert seat == (None if ask is None else ask.seat), (ask and ask.point, self.p.point)
        if ask is not None:
            assert self.p.legal() == {self.p.names[action] for action in ask.legal}, ask.point
            assert self.p.point == ask.point
            if self.p.turn >= 0:
                assert self.p.turn == self.reference.turn
        assert table_of(self.p) == table_as(self.reference)
        for who, player in enumerate(self.reference.players):
            assert player_of(self.p, who) == player_as(player), f"seat {who}"

    def compare_results(self) -> None:
        """Scores and ranks."""
        assert self.p.scores() == self.reference.scores()
        assert self.p.ranks() == self.reference.ranks()


Policy = Callable[[str], float]


def uniform(name: str) -> float:
    """Every legal action alike."""
    return 1.0


def sailor(name: str) -> float:
    """Docks, Settlers and Villages."""
    word, _, what = name.partition(" ")
    if word in ("TO", "MAT", "BOAT", "YES", "SPACE", "ISLAND"):
        return 12.0 if what[1:2] == "D" else 5.0
    return {"UP": 4.0, "STOP": 0.2}.get(word, 1.0)


def wanderer(name: str) -> float:
    """Settlers and Temples on the move, and other people's off the map."""
    word = name.split()[0]
    if ">" in word and "D" not in word:
        return 4.0
    return {"UP": 5.0, "STOP": 0.2, "YES": 4.0, "SMITE": 6.0, "MAT": 3.0, "BUILD": 3.0}.get(word, 1.0)


def fighter(name: str) -> float:
    """Battles, again and again."""
    word = name.split()[0]
    return {"DOWN": 8.0, "YES": 3.0, "FAVOR": 1.0, "STEEL": 4.0}.get(word, 1.0)


def builder(name: str) -> float:
    """Wood, boats and Temples; Settlers for the Temples to stand by."""
    word = name.split()[0]
    weights = {"BUILD": 5.0, "WOOD": 4.0, "YES": 4.0, "UP": 5.0, "MAT": 5.0, "STOP": 0.2}
    return 20.0 if name.startswith("BUILD TEMPLE") else weights.get(word, 1.0)


POLICIES: dict[Policy, float] = {
    eagerness: 3.0,
    sailor: 3.0,
    wanderer: 2.0,
    fighter: 2.0,
    builder: 2.0,
    uniform: 0.5,
}


def play_game(players: int, number: int, rules: Rules = PRINTED) -> Counter[str]:
    """Game ``number`` with a policy of its own for each seat; what happened in it."""
    chooser = random.Random(f"{players} {number}")
    step = Lockstep(players, chooser.randrange(2**63), rules)
    policies = chooser.choices(list(POLICIES), list(POLICIES.values()), k=players)
    step.compare()
    while step.p.seat is not None:
        names = sorted(step.p.legal())
        weights = [policies[step.p.seat](name) for name in names]
        step.play(chooser.choices(names, weights)[0])
        step.compare()
        step.compare_results()
    assert all(player.played == sum(era["hand_size"] for era in step.p.t.eras.values())
               for player in step.reference.players)  # fmt: skip
    return step.reference.happened
