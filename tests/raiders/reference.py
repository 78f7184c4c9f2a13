"""A slow second implementation of Raiders of the North Sea, written from the rules document alone.

It shares no code with the engine: it reads the component tables by itself, because the document says that they hold
the numbers, and interprets every card by its effect code. Kinds of cards, buildings and settlements go by their keys,
resources and colours by the words of the tables. Only the action ids are numbers, those of section 14.1.

The rules are one generator that asks: it yields an :class:`Ask` at every decision point of section 14.2, forced ones
included, and is sent the chosen action. Chance comes from outside (:class:`Chance`), so that the game can be driven
in lockstep with another implementation.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

PASS = 0
BUILDING, SETTLEMENT, HAND, CREW, OPPONENT = 1, 9, 19, 45, 71
DISPLAY, SET, RESOURCE, DIE, COUNT, OPTION = 74, 77, 80, 85, 87, 95
ACTIONS = 97

RESOURCES = ("GOLD", "IRON", "LIVESTOCK", "SILVER", "PROVISION")
PLUNDER = ("GOLD", "IRON", "LIVESTOCK")
TOKENS = ("VALKYRIE", *PLUNDER)
COLOURS = ("BLACK", "GREY", "WHITE")
TILE_COSTS = {"GOLD": "gold", "IRON": "iron", "LIVESTOCK": "livestock", "SILVER": "silver"}
SCOPE_OF_BUILDING = {key: key.upper() for key in ("gate_house", "mill", "silversmith", "long_house", "barracks")}
EXTRA = {"gate_house": "CARD", "mill": "PROVISION", "silversmith": "SILVER"}  # R-CREW-4; the Long House: actions


class Ask(NamedTuple):
    """A decision: who decides, its point in section 14.2, and the legal action ids."""

    seat: int
    point: str
    legal: frozenset[int]


Asking = Generator[Ask, int, None]


class Chance(Protocol):
    """Everything that is drawn, rolled or shuffled."""

    def hands(self) -> list[list[str]]:
        """The cards dealt to each seat (R-SETUP-9)."""

    def pile(self) -> list[str]:
        """The draw pile after dealing, from the top (R-SETUP-2)."""

    def tiles(self) -> list[int]:
        """All offering tiles; the first are revealed, the rest is the stack from the top (R-SETUP-3)."""

    def tokens(self) -> list[Counter[str]]:
        """What is drawn from the bag for each raid space (R-SETUP-4)."""

    def bottom(self, cards: Sequence[str]) -> list[str]:
        """The cards given back in the draft in the order in which they lie under the pile (R-SETUP-10)."""

    def start_player(self) -> int:
        """Who wins the roll for the first turn (R-SETUP-11)."""

    def dice(self, number: int) -> list[int]:
        """A raid's dice (R-RAID-5)."""

    def reroll(self, die: int) -> int:
        """The new value of one die (R-RAID-6)."""

    def shuffle(self, cards: Sequence[str]) -> list[str]:
        """A new draw pile from the discard pile, from the top (R-DECK-1)."""


class Tables:
    """The component tables as rows of words and numbers, by key."""

    def __init__(self, folder: Path) -> None:
        def rows(file: str) -> list[dict]:
            with (folder / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
                return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in csv.DictReader(lines)]

        self.cards = {row["key"]: row for row in rows("townsfolk")}
        self.kinds = sorted(self.cards, key=lambda kind: self.cards[kind]["card_id"])
        self.tiles = {row["offering_id"]: row for row in rows("offerings")}
        self.settlements = {row["key"]: row for row in rows("settlements")}
        self.spaces = sorted(rows("raid_spaces"), key=lambda row: row["space_id"])
        self.buildings = {row["key"]: row for row in rows("buildings")}
        self.actions = rows("building_actions")
        self.constants = {row["key"]: row["value"] for row in rows("constants")}
        self.tracks = {(row["track"], row["position"]): row["vp"] for row in rows("tracks")}

    def id_of_card(self, kind: str) -> int:
        return self.kinds.index(kind)

    def hand(self, kinds: Iterable[str]) -> set[int]:
        return {HAND + self.id_of_card(kind) for kind in kinds}

    def crew(self, kinds: Iterable[str]) -> set[int]:
        return {CREW + self.id_of_card(kind) for kind in kinds}

    def building(self, keys: Iterable[str]) -> set[int]:
        return {BUILDING + self.buildings[key]["building_id"] for key in keys}

    def building_of(self, action: int) -> str:
        return next(key for key, row in self.buildings.items() if row["building_id"] == action - BUILDING)

    def settlement_of(self, action: int) -> str:
        return next(key for key, row in self.settlements.items() if row["settlement_id"] == action - SETTLEMENT)


class Player:
    """What one player owns."""

    def __init__(self, constants: Mapping[str, int]) -> None:
        self.goods: Counter[str] = Counter({r: constants[f"start_{r.lower()}"] for r in RESOURCES})
        self.armour = constants["start_armour"]
        self.valkyrie = constants["start_valkyrie"]
        self.vp = constants["start_vp"]
        self.worker: str | None = "BLACK"
        self.hand: Counter[str] = Counter()
        self.crew: Counter[str] = Counter()
        self.tiles: set[int] = set()
        self.turns = 0


class Reference:
    """One game.

    Args:
        players: 2, 3 or 4.
        tables: the component tables.
        chance: what is drawn, rolled and shuffled.
    """

    def __init__(self, players: int, tables: Tables, chance: Chance) -> None:
        self.tables, self.chance = tables, chance
        c = self.constants = tables.constants
        self.players = [Player(c) for _ in range(players)]
        self.buildings = {
            key: None if row["initial_worker"] == "NONE" else row["initial_worker"]
            for key, row in tables.buildings.items()
        }
        self.spaces: list[Counter[str] | None] = list(chance.tokens())  # None once the set is taken
        self.spots: dict[str, list[str]] = {key: [] for key in tables.settlements}
        tiles = chance.tiles()
        shown = c["offering_display"]
        self.display: list[int | None] = list(tiles[:shown])
        self.stack = list(tiles[shown:])
        self.pile = list(chance.pile())
        self.discard: Counter[str] = Counter()
        self.supply: Counter[str] = Counter(
            {resource: c[f"tokens_{resource.lower()}"] for resource in (*RESOURCES, "VALKYRIE")}
        )
        for tokens in self.spaces:
            self.supply -= tokens
        for player, cards in zip(self.players, chance.hands(), strict=True):
            self.supply -= player.goods
            player.hand += Counter(cards)
        self.owner: int | None = None
        self.triggered = False
        self.turns_left: int | None = None
        self.truncated = False
        self.used: set[str] = set()
        self.dice: list[int] = []
        self.happened: Counter[str] = Counter()
        self._rules = self._game()
        self.ask: Ask | None = next(self._rules)

    # --- driving ----------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Carry out one legal action, and what follows from it by itself up to the next decision point."""
        if self.ask is None or action not in self.ask.legal:
            raise ValueError(f"{action} is not legal at {self.ask}")
        self.happened[self.ask.point] += len(self.ask.legal) > 1
        try:
            self.ask = self._rules.send(action)
        except StopIteration:
            self.ask = None

    def settle(self) -> None:
        """Play every decision that has one legal action."""
        while self.ask is not None and len(self.ask.legal) == 1:
            self.apply(*self.ask.legal)

    # --- the game ---------------------------------------------------------------------------------

    def _game(self) -> Asking:
        yield from self._draft()
        seat = self.chance.start_player()  # R-SETUP-11
        while True:
            self.owner = seat
            yield from self._turn(seat)
            if self._over(seat):
                return
            seat = (seat + 1) % len(self.players)  # R-SETUP-12

    def _draft(self) -> Asking:
        returned: list[list[str]] = []
        for seat in range(len(self.players)):
            count = self.constants["draft_deal"] - self.constants["draft_keep"]
            picked: list[str] = []
            yield from self._pick(seat, "DP-DRAFT", count, picked)
            returned.append(picked)
        for player, cards in zip(self.players, returned, strict=True):
            player.hand -= Counter(cards)
        self.pile += self.chance.bottom([card for cards in returned for card in cards])  # R-SETUP-10

    def _turn(self, seat: int) -> Asking:
        player = self.players[seat]
        places = [key for key, worker in self.buildings.items() if worker is None and self._accepts(key, player.worker)]
        raids = [key for key in self.tables.settlements if self._may_raid(player, key)]
        settlements = {SETTLEMENT + self.tables.settlements[key]["settlement_id"] for key in raids}
        action = yield self._ask(seat, "DP-MAIN", self.tables.building(places) | settlements)
        if action in settlements:
            yield from self._raid(seat, self.tables.settlement_of(action))
        else:
            yield from self._work(seat, self.tables.building_of(action))
        for resource in ("SILVER", "PROVISION"):  # R-LIMIT-2
            surplus = player.goods[resource] - self.constants[f"limit_{resource.lower()}"]
            if surplus > 0:
                self.happened[f"surplus {resource}"] += 1
                self._pay(player, resource, surplus)
        surplus = player.hand.total() - self.constants["limit_hand"]
        if surplus > 0:
            yield from self._pick(seat, "DP-LIMIT", surplus)
        player.turns += 1
        self.used = set()  # R-WORK-5 is about one turn

    def _over(self, seat: int) -> bool:
        """R-TURN-4: the end check after the turn of ``seat``."""
        if self.triggered:
            self.turns_left -= 1
            if self.turns_left == 0:
                return True
        else:
            fortresses = sum(
                tokens is not None and self.tables.settlements[row["settlement_key"]]["type"] == "FORTRESS"
                for row, tokens in zip(self.tables.spaces, self.spaces, strict=True)
            )
            valkyries = sum(tokens["VALKYRIE"] for tokens in self.spaces if tokens is not None)
            reached = {
                "trigger fortresses": fortresses <= self.constants["end_fortress_sets_left"],
                "trigger offerings": len(self.stack) <= self.constants["end_offering_stack_left"],
                "trigger valkyries": valkyries <= self.constants["end_valkyrie_on_board"],
            }
            if any(reached.values()):
                self.happened.update(word for word, yes in reached.items() if yes)
                self.triggered = True
                self.turns_left = len(self.players) * self.constants["final_turns_per_player"]
        if all(player.turns >= self.constants["max_turns_per_player"] for player in self.players):  # R-END-5
            self.truncated = True
            return True
        return False

    # --- small things -----------------------------------------------------------------------------

    def _ask(self, seat: int, point: str, legal: Iterable[int]) -> Ask:
        legal = frozenset(legal)
        assert legal, f"nothing is legal at {point}"
        return Ask(seat, point, legal)

    def _pick(self, seat: int, point: str, count: int, picked: list[str] | None = None) -> Asking:
        """``count`` cards of the own hand, one by one: into ``picked`` (still held), else discarded."""
        player = self.players[seat]
        rest = +player.hand
        for _ in range(count):
            kind = self.tables.kinds[(yield self._ask(seat, point, self.tables.hand(rest))) - HAND]
            self._remove(rest, kind)
            if picked is None:
                self._discard_from_hand(player, kind)
            else:
                picked.append(kind)

    @staticmethod
    def _remove(cards: Counter[str], kind: str) -> None:
        assert cards[kind] > 0, kind
        cards[kind] -= 1
        if not cards[kind]:
            del cards[kind]

    def _discard_from_hand(self, player: Player, kind: str) -> None:
        self._remove(player.hand, kind)
        self.discard[kind] += 1

    def _discard_from_crew(self, player: Player, kind: str) -> None:
        self._remove(player.crew, kind)
        self.discard[kind] += 1

    def _draw(self, player: Player, count: int) -> None:
        for _ in range(count):
            if not self.pile:  # R-DECK-1
                if not self.discard.total():
                    self.happened["nothing left to draw"] += 1
                    return  # R-DECK-2
                self.happened["reshuffle"] += 1
                cards = sorted(self.discard.elements())
                self.pile = list(self.chance.shuffle(cards))
                assert sorted(self.pile) == cards
                self.discard.clear()
            player.hand[self.pile.pop(0)] += 1

    def _stock(self, player: Player, resource: str) -> int:
        """How much of a resource can be gained at most."""
        if resource == "CARD":
            return len(self.pile) + self.discard.total()
        if resource == "ARMOUR":
            return self.constants["limit_armour"] - player.armour  # R-ARM-2
        if resource == "PLUNDER":
            return max(self.supply[kind] for kind in PLUNDER)
        return 0 if resource == "NONE" else self.supply[resource]

    def _gain(self, player: Player, resource: str, count: int) -> None:
        """R-SUP-1."""
        if resource == "CARD":
            self._draw(player, count)
            return
        gained = min(count, self._stock(player, resource))
        if gained < count:
            self.happened["short supply"] += resource != "ARMOUR"
            self.happened["armour cap"] += resource == "ARMOUR"
        if resource == "ARMOUR":
            player.armour += gained
        else:
            player.goods[resource] += gained
            self.supply[resource] -= gained

    def _held(self, player: Player, resource: str) -> int:
        counted = {"CARD": player.hand.total(), "CREW": player.crew.total(), "ARMOUR": player.armour}
        if resource == "PLUNDER":
            return max(player.goods[kind] for kind in PLUNDER)
        return counted[resource] if resource in counted else player.goods[resource]

    def _pay(self, player: Player, resource: str, count: int) -> None:
        """R-SUP-3."""
        assert 0 <= count <= player.goods[resource]
        player.goods[resource] -= count
        self.supply[resource] += count

    def _accepts(self, building: str, colour: str) -> bool:
        return bool(self.tables.buildings[building][f"allow_{colour.lower()}"])

    def _opponents(self, seat: int) -> list[int]:
        """Clockwise."""
        return [(seat + r) % len(self.players) for r in range(1, len(self.players))]

    def _crew_sum(self, player: Player, code: str, *scopes: str) -> int:
        """Sum of ``crew_n`` over all hired copies with this code and one of these scopes (R-CREW-2)."""
        cards = self.tables.cards
        return sum(
            n * cards[kind]["crew_n"]
            for kind, n in player.crew.items()
            if cards[kind]["crew_code"] == code and (not scopes or cards[kind]["crew_scope"] in scopes)
        )

    def _choose_opponent(self, seat: int, point: str, seats: Iterable[int]) -> Generator[Ask, int, int]:
        """Ask for one of ``seats``; returns the seat."""
        players = len(self.players)
        action = yield self._ask(seat, point, {OPPONENT + (other - seat) % players - 1 for other in seats})
        return (seat + action - OPPONENT + 1) % players

    def _choose_resource(self, seat: int, point: str, resources: Iterable[str]) -> Generator[Ask, int, str]:
        action = yield self._ask(seat, point, {RESOURCE + RESOURCES.index(resource) for resource in resources})
        return RESOURCES[action - RESOURCE]

    def _choose_crew(self, seat: int, point: str, kinds: Iterable[str]) -> Generator[Ask, int, str]:
        action = yield self._ask(seat, point, self.tables.crew(kinds))
        return self.tables.kinds[action - CREW]

    # --- section 4.1: work ------------------------------------------------------------------------

    def _work(self, seat: int, placed: str) -> Asking:
        player = self.players[seat]
        colour = player.worker
        self.buildings[placed], player.worker = colour, None
        yield from self._use(seat, placed, colour)
        others = [key for key, worker in self.buildings.items() if worker is not None and key != placed]  # R-WORK-7
        left = self.tables.building_of((yield self._ask(seat, "DP-PICK", self.tables.building(others))))
        player.worker, self.buildings[left] = self.buildings[left], None
        yield from self._use(seat, left, player.worker)

    def _use(self, seat: int, building: str, colour: str, *, must: bool = False) -> Asking:
        """A building's action, which may be declined unless ``must`` (the Merchant)."""
        if building in self.used or not self._has_result(seat, building, colour):  # R-WORK-5, R-WORK-6
            self.happened["second use of a building"] += building in self.used
            return
        codes = {row["op_code"] for row in self._rows(building, colour)}
        if "PLAY_CARD" in codes:
            yield from self._town_hall(seat, colour)
        elif "HIRE" in codes:
            yield from self._barracks(seat, must)
        elif "OFFER" in codes:
            yield from self._long_house(seat, must)
        else:
            yield from self._options(seat, building, colour, must)

    def _rows(self, building: str, colour: str) -> list[dict]:
        """The rows of building_actions.csv for a worker of this colour."""
        return [
            row
            for row in self.tables.actions
            if row["building_key"] == building and row["worker_colour"] in ("ANY", colour)
        ]

    def _result(self, player: Player, row: Mapping) -> bool:
        """R-WORK-6, R-SUP-2 for a GAIN or an EXCHANGE."""
        if row["op_code"] == "EXCHANGE" and self._held(player, row["pay_res"]) < row["pay_n"]:
            return False
        return self._stock(player, row["get_res"]) > 0

    def _has_result(self, seat: int, building: str, colour: str) -> bool:
        player = self.players[seat]
        results = {
            "PLAY_CARD": lambda row: self._playable(seat, colour),
            "HIRE": lambda row: self._hires(player),
            "OFFER": lambda row: self._payable_slots(player),
            "GAIN": lambda row: self._result(player, row),
            "EXCHANGE": lambda row: self._result(player, row),
        }
        return any(results[row["op_code"]](row) for row in self._rows(building, colour))

    def _options(self, seat: int, building: str, colour: str, must: bool) -> Asking:
        player = self.players[seat]
        rows = {OPTION + r["option_index"]: r for r in self._rows(building, colour) if self._result(player, r)}
        action = yield self._ask(seat, "DP-ACT", rows.keys() | (set() if must else {PASS}))
        if action == PASS:
            return
        self.used.add(building)
        row = rows[action]
        if row["op_code"] == "EXCHANGE":
            if row["pay_res"] == "CARD":
                yield from self._pick(seat, "DP-TRE", row["pay_n"])
            else:
                self._pay(player, row["pay_res"], row["pay_n"])
        extra = 0
        if row["get_res"] == EXTRA.get(building):
            extra = self._crew_sum(player, "BUILDING_EXTRA", SCOPE_OF_BUILDING[building])
        self._gain(player, row["get_res"], row["get_n"] + extra)

    # --- the Barracks, and hiring at large --------------------------------------------------------

    def _price(self, player: Player, kind: str, fixed: int | None = None) -> int:
        """R-BAR-3; ``fixed`` is the Recruiter's price (R-TH-13)."""
        if fixed is not None:
            return fixed
        return max(0, self.tables.cards[kind]["hire_cost"] - self._crew_sum(player, "HIRE_DISCOUNT", "BARRACKS"))

    def _heroes(self, crew: Counter[str]) -> int:
        return sum(n for kind, n in crew.items() if self.tables.cards[kind]["is_hero"])

    def _hirable(self, player: Player, fixed: int | None = None) -> list[str]:
        """Cards of the hand that may be hired as the crew is now."""
        if player.crew.total() >= self.constants["limit_crew"]:
            return []
        return [
            kind
            for kind in player.hand
            if self._price(player, kind, fixed) <= player.goods["SILVER"]
            and self._heroes(player.crew + Counter([kind])) <= self.constants["limit_hero_crew"]
        ]

    def _dismissable(self, player: Player, fixed: int | None = None) -> list[str]:
        """Crew Members after whose discard something can be hired (R-BAR-5)."""
        kinds = []
        for kind in list(player.crew):
            player.crew[kind] -= 1
            if self._hirable(player, fixed):
                kinds.append(kind)
            player.crew[kind] += 1
        return kinds

    def _hires(self, player: Player, fixed: int | None = None) -> bool:
        return bool(self._hirable(player, fixed) or self._dismissable(player, fixed))

    def _hire(self, seat: int, point: str, may_pass: bool, fixed: int | None = None) -> Generator[Ask, int, bool]:
        """R-BAR-1 to R-BAR-5; returns whether a card was hired."""
        player, tables = self.players[seat], self.tables
        direct, first = tables.hand(self._hirable(player, fixed)), tables.crew(self._dismissable(player, fixed))
        action = yield self._ask(seat, point, direct | first | ({PASS} if may_pass else set()))
        if action == PASS:
            return False
        if action in first:
            self.happened["discard before hiring"] += 1
            self._discard_from_crew(player, tables.kinds[action - CREW])
            action = yield self._ask(seat, point, tables.hand(self._hirable(player, fixed)))
        kind = tables.kinds[action - HAND]
        self._pay(player, "SILVER", self._price(player, kind, fixed))
        self._remove(player.hand, kind)
        player.crew[kind] += 1
        return True

    def _barracks(self, seat: int, must: bool) -> Asking:
        if (yield from self._hire(seat, "DP-BAR", may_pass=not must)):
            self.used.add("barracks")

    # --- the Long House ---------------------------------------------------------------------------

    def _cost(self, tile: int) -> dict[str, int]:
        return {res: self.tables.tiles[tile][column] for res, column in TILE_COSTS.items()}

    def _payable_slots(self, player: Player) -> set[int]:
        return {
            slot
            for slot, tile in enumerate(self.display)
            if tile is not None and all(player.goods[res] >= n for res, n in self._cost(tile).items())
        }

    def _take_tile(self, player: Player, slot: int, cost: Mapping[str, int]) -> None:
        """R-LONG-2."""
        for resource, count in cost.items():
            self._pay(player, resource, count)
        player.tiles.add(self.display[slot])
        self.display[slot] = self.stack.pop(0) if self.stack else None
        self.happened["slot stays empty"] += self.display[slot] is None

    def _long_house(self, seat: int, must: bool) -> Asking:
        player = self.players[seat]
        actions = 1 + self._crew_sum(player, "BUILDING_EXTRA", "LONG_HOUSE")  # R-LONG-3
        for number in range(actions):
            rows = {
                OPTION + row["option_index"]: row
                for row in self._rows("long_house", "ANY")
                if row["op_code"] != "OFFER" and self._result(player, row)
            }
            legal = rows.keys() | {DISPLAY + slot for slot in self._payable_slots(player)}
            if not legal:
                return
            action = yield self._ask(seat, "DP-LONG", legal | (set() if must and number == 0 else {PASS}))
            if action == PASS:
                return
            self.used.add("long_house")
            self.happened["second Long House action"] += number > 0
            if action in rows:
                row = rows[action]
                self._pay(player, row["pay_res"], row["pay_n"])
                self._gain(player, row["get_res"], row["get_n"])
            else:
                slot = action - DISPLAY
                self._take_tile(player, slot, self._cost(self.display[slot]))

    # --- section 6: the Town Hall -----------------------------------------------------------------

    def _playable(self, seat: int, colour: str) -> list[str]:
        player = self.players[seat]
        playable = []
        for kind in list(player.hand):
            # R-TH-3 speaks of the position after the card has left the hand.
            self._discard_from_hand(player, kind)
            if self._changes_something(seat, self.tables.cards[kind], colour):
                playable.append(kind)
            self._remove(self.discard, kind)
            player.hand[kind] += 1
        return playable

    def _town_hall(self, seat: int, colour: str) -> Asking:
        action = yield self._ask(seat, "DP-TH", self.tables.hand(self._playable(seat, colour)) | {PASS})
        if action == PASS:
            return
        self.used.add("town_hall")
        kind = self.tables.kinds[action - HAND]
        self._discard_from_hand(self.players[seat], kind)
        self.happened[f"played {kind}"] += 1
        card = self.tables.cards[kind]
        yield from getattr(self, f"_th_{card['th_code'].lower()}")(seat, card, colour)

    def _changes_something(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(getattr(self, f"_can_{card['th_code'].lower()}")(seat, card, colour))

    def _can_none(self, seat: int, card: Mapping, colour: str) -> bool:
        return False  # R-TH-2

    # GAIN: R-TH-5

    def _can_gain(self, seat: int, card: Mapping, colour: str) -> bool:
        return any(self._stock(self.players[seat], card[column]) > 0 for column in ("th_get_res", "th_get2_res"))

    def _th_gain(self, seat: int, card: Mapping, colour: str) -> Asking:
        for number in ("", "2"):
            if card[f"th_get{number}_res"] != "NONE":
                self._gain(self.players[seat], card[f"th_get{number}_res"], card[f"th_get{number}_n"])
        yield from ()

    # EXCHANGE: R-TH-6

    def _can_exchange(self, seat: int, card: Mapping, colour: str) -> bool:
        player = self.players[seat]
        paid = self._held(player, card["th_pay_res"]) >= card["th_pay_n"]
        return paid and self._stock(player, card["th_get_res"]) > 0

    def _th_exchange(self, seat: int, card: Mapping, colour: str) -> Asking:
        player = self.players[seat]
        if card["th_pay_res"] == "CREW":
            for _ in range(card["th_pay_n"]):
                self._discard_from_crew(player, (yield from self._choose_crew(seat, "DP-CREW", player.crew)))
        else:
            self._pay(player, card["th_pay_res"], card["th_pay_n"])
        resource = card["th_get_res"]
        if resource == "PLUNDER":
            stocked = [kind for kind in PLUNDER if self.supply[kind] > 0]
            resource = yield from self._choose_resource(seat, "DP-RES", stocked)
        self._gain(player, resource, card["th_get_n"])

    # ALL_OPPONENTS_LOSE: R-TH-7; OPPONENT_LOSES: R-TH-8

    def _holders(self, seat: int, resource: str) -> list[int]:
        return [other for other in self._opponents(seat) if self._held(self.players[other], resource) > 0]

    def _lose(self, other: int, resource: str, count: int) -> None:
        player = self.players[other]
        if resource == "ARMOUR":
            player.armour -= min(count, player.armour)
        else:
            self._pay(player, resource, min(count, player.goods[resource]))

    def _can_all_opponents_lose(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self._holders(seat, card["th_pay_res"]))

    def _th_all_opponents_lose(self, seat: int, card: Mapping, colour: str) -> Asking:
        for other in self._holders(seat, card["th_pay_res"]):
            self._lose(other, card["th_pay_res"], card["th_pay_n"])
        yield from ()

    def _can_opponent_loses(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self._holders(seat, card["th_pay_res"]))

    def _th_opponent_loses(self, seat: int, card: Mapping, colour: str) -> Asking:
        other = yield from self._choose_opponent(seat, "DP-OPP", self._holders(seat, card["th_pay_res"]))
        self._lose(other, card["th_pay_res"], card["th_pay_n"])

    # STEAL: R-TH-9

    def _can_steal(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self._holders(seat, card["th_get_res"]))

    def _th_steal(self, seat: int, card: Mapping, colour: str) -> Asking:
        resource = card["th_get_res"]
        other = yield from self._choose_opponent(seat, "DP-OPP", self._holders(seat, resource))
        victim = self.players[other]
        if resource == "PLUNDER":
            held = [kind for kind in PLUNDER if victim.goods[kind] > 0]
            resource = yield from self._choose_resource(seat, "DP-RES", held)
        count = min(card["th_get_n"], victim.goods[resource])
        victim.goods[resource] -= count
        self.players[seat].goods[resource] += count

    # ALL_OPPONENTS_GIVE: R-TH-10

    def _can_all_opponents_give(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self._holders(seat, "SILVER") or self._holders(seat, "PROVISION"))

    def _th_all_opponents_give(self, seat: int, card: Mapping, colour: str) -> Asking:
        for other in self._opponents(seat):
            for _ in range(card["th_get_n"]):
                held = [res for res in ("SILVER", "PROVISION") if self.players[other].goods[res] > 0]
                if held:
                    resource = yield from self._choose_resource(other, "DP-PAY", held)
                    self.players[other].goods[resource] -= 1
                    self.players[seat].goods[resource] += 1

    # SWAP_WORKER: R-TH-11

    def _swaps(self, other: int) -> list[str]:
        mine = self.players[other].worker
        return [
            key
            for key, worker in self.buildings.items()
            if worker is not None and worker != mine and self._accepts(key, mine)
        ]

    def _can_swap_worker(self, seat: int, card: Mapping, colour: str) -> bool:
        return any(self._swaps(other) for other in self._opponents(seat))

    def _th_swap_worker(self, seat: int, card: Mapping, colour: str) -> Asking:
        others = [other for other in self._opponents(seat) if self._swaps(other)]
        other = yield from self._choose_opponent(seat, "DP-OPP", others)
        action = yield self._ask(seat, "DP-BLD", self.tables.building(self._swaps(other)))
        key = self.tables.building_of(action)
        self.buildings[key], self.players[other].worker = self.players[other].worker, self.buildings[key]

    # SWAP_CREW_WITH_HAND: R-TH-12

    def _partners(self, player: Player, leaving: str) -> list[str]:
        """Cards of the hand that may take the place of ``leaving``."""
        rest = player.crew - Counter([leaving])
        return [
            kind
            for kind in player.hand
            if kind != leaving and self._heroes(rest + Counter([kind])) <= self.constants["limit_hero_crew"]
        ]

    def _can_swap_crew_with_hand(self, seat: int, card: Mapping, colour: str) -> bool:
        player = self.players[seat]
        return any(self._partners(player, leaving) for leaving in player.crew)

    def _th_swap_crew_with_hand(self, seat: int, card: Mapping, colour: str) -> Asking:
        player = self.players[seat]
        leaving = yield from self._choose_crew(seat, "DP-CREW", [k for k in player.crew if self._partners(player, k)])
        partners = self.tables.hand(self._partners(player, leaving))
        kind = self.tables.kinds[(yield self._ask(seat, "DP-HIRE", partners)) - HAND]
        # Both cards move at once (R-INV-5).
        for giver, taker, card in ((player.crew, player.hand, leaving), (player.hand, player.crew, kind)):
            self._remove(giver, card)
            taker[card] += 1

    # HIRE_AT_PRICE: R-TH-13

    def _can_hire_at_price(self, seat: int, card: Mapping, colour: str) -> bool:
        return self._hires(self.players[seat], card["th_pay_n"])

    def _th_hire_at_price(self, seat: int, card: Mapping, colour: str) -> Asking:
        yield from self._hire(seat, "DP-HIRE", may_pass=False, fixed=card["th_pay_n"])

    # USE_BUILDING: R-TH-14

    def _targets(self, seat: int, colour: str) -> list[str]:
        return [
            key
            for key in self.buildings
            if key != "town_hall"
            and key not in self.used
            and self._accepts(key, colour)
            and self._has_result(seat, key, colour)
        ]

    def _can_use_building(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self._targets(seat, colour))

    def _th_use_building(self, seat: int, card: Mapping, colour: str) -> Asking:
        action = yield self._ask(seat, "DP-BLD", self.tables.building(self._targets(seat, colour)))
        yield from self._use(seat, self.tables.building_of(action), colour, must=True)

    # CYCLE_OFFERINGS: R-TH-15

    def _can_cycle_offerings(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self.stack)

    def _th_cycle_offerings(self, seat: int, card: Mapping, colour: str) -> Asking:
        shown = len(self.display)
        self.stack += self.display
        self.display, self.stack = self.stack[:shown], self.stack[shown:]
        yield from ()

    # SWAP_CARDS, SWAP_WHOLE_HANDS: R-TH-16

    def _can_swap_cards(self, seat: int, card: Mapping, colour: str) -> bool:
        return self.players[seat].hand.total() > 0 and bool(self._holders(seat, "CARD"))

    def _th_swap_cards(self, seat: int, card: Mapping, colour: str) -> Asking:
        player = self.players[seat]
        other = yield from self._choose_opponent(seat, "DP-OPP", self._holders(seat, "CARD"))
        partner = self.players[other]
        most = min(player.hand.total(), partner.hand.total())
        count = (yield self._ask(seat, "DP-COUNT", {COUNT + k - 1 for k in range(1, most + 1)})) - COUNT + 1
        given: list[str] = []
        taken: list[str] = []
        yield from self._pick(seat, "DP-SWAP-A", count, given)
        yield from self._pick(other, "DP-SWAP-B", count, taken)
        player.hand = player.hand - Counter(given) + Counter(taken)
        partner.hand = partner.hand - Counter(taken) + Counter(given)

    def _can_swap_whole_hands(self, seat: int, card: Mapping, colour: str) -> bool:
        return self.players[seat].hand.total() > 0 or bool(self._holders(seat, "CARD"))

    def _th_swap_whole_hands(self, seat: int, card: Mapping, colour: str) -> Asking:
        player = self.players[seat]
        anyone = player.hand.total() > 0
        others = [o for o in self._opponents(seat) if anyone or self.players[o].hand.total()]
        partner = self.players[(yield from self._choose_opponent(seat, "DP-OPP", others))]
        player.hand, partner.hand = partner.hand, player.hand

    # OFFER_AT_DISCOUNT: R-TH-17

    def _discounts(self, player: Player, tile: int, less: int) -> list[str]:
        """The resources of the tile's cost with which the tile can be paid if ``less`` units of them are spared."""
        cost = self._cost(tile)
        return [
            spared
            for spared, n in cost.items()
            if n > 0 and all(player.goods[res] >= max(0, m - (less if res == spared else 0)) for res, m in cost.items())
        ]

    def _discounted_slots(self, player: Player, less: int) -> list[int]:
        return [s for s, tile in enumerate(self.display) if tile is not None and self._discounts(player, tile, less)]

    def _can_offer_at_discount(self, seat: int, card: Mapping, colour: str) -> bool:
        return bool(self._discounted_slots(self.players[seat], card["th_pay_n"]))

    def _th_offer_at_discount(self, seat: int, card: Mapping, colour: str) -> Asking:
        player, less = self.players[seat], card["th_pay_n"]
        slots = {DISPLAY + slot for slot in self._discounted_slots(player, less)}
        slot = (yield self._ask(seat, "DP-SLOT", slots)) - DISPLAY
        tile = self.display[slot]
        spared = yield from self._choose_resource(seat, "DP-RES", self._discounts(player, tile, less))
        cost = self._cost(tile)
        cost[spared] = max(0, cost[spared] - less)
        self._take_tile(player, slot, cost)

    # --- section 8: raids -------------------------------------------------------------------------

    def _sets(self, settlement: str) -> dict[int, int]:
        """Space ids of the remaining sets by slot."""
        return {
            row["slot"]: index
            for index, row in enumerate(self.tables.spaces)
            if row["settlement_key"] == settlement and self.spaces[index] is not None
        }

    def _raid_costs(self, player: Player, settlement: str) -> dict[str, int]:
        """R-RAID-4."""
        row = self.tables.settlements[settlement]
        scopes = (row["type"], "ANY")
        return {
            "PROVISION": max(0, row["provisions"] - self._crew_sum(player, "RAID_LESS_PROVISION", *scopes)),
            "GOLD": max(0, row["gold"] - self._crew_sum(player, "RAID_LESS_GOLD", *scopes)),
        }

    def _may_raid(self, player: Player, settlement: str) -> bool:
        """R-RAID-1."""
        row = self.tables.settlements[settlement]
        return bool(
            self._sets(settlement)
            and row[f"allow_{player.worker.lower()}"]
            and player.crew.total() >= row["min_crew"]
            and all(player.goods[res] >= n for res, n in self._raid_costs(player, settlement).items())
        )

    def strength(self, player: Player, settlement: str, dice: Sequence[int]) -> int:
        """R-RAID-7."""
        scopes = (self.tables.settlements[settlement]["type"], "ANY")
        strength = sum(dice) + player.armour + self._crew_sum(player, "RAID_STRENGTH", *scopes)
        measures = {
            "STRENGTH_PER_ARMOUR": player.armour,
            "STRENGTH_PER_OTHER_CREW": player.crew.total() - 1,
            "STRENGTH_PER_VALKYRIE": player.valkyrie,
        }
        for kind, n in player.crew.items():
            card = self.tables.cards[kind]
            strength += n * card["strength"]
            if card["crew_code"] in measures and card["crew_scope"] in scopes:
                strength += n * card["crew_n"] * (measures[card["crew_code"]] // card["crew_per"])
        return strength

    def raid_vp(self, player: Player, settlement: str, dice: Sequence[int]) -> int:
        """R-RAID-8, R-RAID-9."""
        row = self.tables.settlements[settlement]
        strength = self.strength(player, settlement, dice)
        vp = row["fixed_vp"]
        for tier in range(1, row["tiers"] + 1):
            if strength >= row[f"t{tier}_strength"]:
                vp = row[f"t{tier}_vp"]
        return vp + self._crew_sum(player, "RAID_VP", row["type"], "ANY")

    def _raid(self, seat: int, settlement: str) -> Asking:
        player, row = self.players[seat], self.tables.settlements[settlement]
        self.spots[settlement].append(player.worker)
        player.worker = None
        for resource, count in self._raid_costs(player, settlement).items():
            self._pay(player, resource, count)
        self.dice = list(self.chance.dice(row["dice"])) if row["dice"] else []
        yield from self._reroll(seat, row["type"])
        vp = self.raid_vp(player, settlement, self.dice)
        self.happened[f"raid {row['type']}"] += 1
        self.happened["raid without VP"] += vp == 0
        player.vp += vp
        slots = self._sets(settlement)
        space = slots[(yield self._ask(seat, "DP-SET", {SET + slot for slot in slots})) - SET]
        tokens, self.spaces[space] = self.spaces[space], None
        player.worker = self.tables.spaces[space]["worker_colour"]
        for kind in PLUNDER:
            player.goods[kind] += tokens[kind]
        self.supply["VALKYRIE"] += tokens["VALKYRIE"]
        yield from self._valkyries(seat, tokens["VALKYRIE"])

    def _reroll(self, seat: int, kind: str) -> Asking:
        """R-RAID-6."""
        rerolls = self._crew_sum(self.players[seat], "RAID_REROLL", kind, "ANY") if self.dice else 0
        for _ in range(rerolls):
            different = [d for d, value in enumerate(self.dice) if value not in self.dice[:d]]
            action = yield self._ask(seat, "DP-REROLL", {PASS} | {DIE + d for d in different})
            if action == PASS:
                return
            self.happened["reroll"] += 1
            self.dice[action - DIE] = self.chance.reroll(action - DIE)

    # --- section 9: Valkyries ---------------------------------------------------------------------

    def _valkyries(self, seat: int, count: int) -> Asking:
        player, limit = self.players[seat], self.constants["limit_valkyrie_track"]
        for _ in range(count):
            if not player.crew:  # R-VALK-2
                self.happened["Valkyrie without Crew"] += 1
                return
            kind = yield from self._choose_crew(seat, "DP-KILL", player.crew)
            card = self.tables.cards[kind]
            self._remove(player.crew, kind)
            self.happened["Valkyrie beyond the track"] += player.valkyrie == limit
            player.valkyrie = min(limit, player.valkyrie + 1)  # R-VALK-3
            code = card["crew_code"]
            if code == "DEATH_RETURN_TO_HAND":
                player.hand[kind] += 1
            else:
                self.discard[kind] += 1
            self.happened[f"death {code}"] += code.startswith("DEATH")
            if code == "DEATH_GAIN_GOLD":
                self._gain(player, "GOLD", card["crew_n"])
            elif code == "DEATH_GAIN_VP":
                player.vp += card["crew_n"]
            elif code == "DEATH_OPPONENT_LOSES_CREW":
                yield from self._avenge(seat)

    def _avenge(self, seat: int) -> Asking:
        """R-VALK-5."""
        victims = [other for other in self._opponents(seat) if self.players[other].crew]
        if victims:
            other = yield from self._choose_opponent(seat, "DP-AVENGE-OPP", victims)
            victim = self.players[other]
            self._discard_from_crew(victim, (yield from self._choose_crew(other, "DP-AVENGE-CREW", victim.crew)))

    # --- section 11: final scoring ----------------------------------------------------------------

    def score(self, player: Player) -> int:
        """R-SCORE-1 to R-SCORE-6."""
        c, tracks = self.constants, self.tables.tracks
        score = player.vp + tracks["VALKYRIE", player.valkyrie] + tracks["ARMOUR", player.armour]
        score += sum(self.tables.tiles[tile]["vp"] for tile in player.tiles)
        for kind, n in player.crew.items():
            card = self.tables.cards[kind]
            if card["crew_code"] == "END_VP":
                score += n * card["crew_n"]
            elif card["crew_code"] == "END_VP_PER_LIVESTOCK":
                score += n * card["crew_n"] * (player.goods["LIVESTOCK"] // card["crew_per"])
            elif card["crew_code"] == "END_VP_PER_OFFERING":
                score += n * card["crew_n"] * (len(player.tiles) // card["crew_per"])
        return score + sum(player.goods[res] // c[f"score_{res.lower()}_per_vp"] for res in PLUNDER)

    def scores(self) -> list[int]:
        """VP of every seat if the game were over."""
        return [self.score(player) for player in self.players]

    def ranks(self) -> list[int]:
        """R-SCORE-7."""
        results = [(self.score(player), player.valkyrie, player.armour) for player in self.players]
        return [1 + sum(other > own for other in results) for own in results]
