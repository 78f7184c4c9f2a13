"""Words and pictures in text for people."""

from __future__ import annotations

import numpy as np

from northsea_envs.games.tiny_epic_vikings.actions import (
    PAIR_GAINS,
    PAIR_LOSES,
    TARGETS,
    action_blocks,
    num_actions,
    target_clan,
)
from northsea_envs.games.tiny_epic_vikings.battle import in_progress
from northsea_envs.games.tiny_epic_vikings.cards import active_runes
from northsea_envs.games.tiny_epic_vikings.control import influence, settlers_on_mat
from northsea_envs.games.tiny_epic_vikings.scoring import favor_points, god_rank, island_points, ranks
from northsea_envs.games.tiny_epic_vikings.state import (
    ACTIONS,
    ANY_RUNE,
    BATTLE_CARD,
    BOATS,
    BOON,
    BUILD_AT,
    CARDS,
    COLLECT,
    CONTEST,
    DEPLOY,
    DISPLACE,
    DRAFT,
    END_NAMES,
    ENEMY,
    EXPLORE_STEP,
    FAVORS,
    FROM_BOON,
    IN_DISCARD,
    IN_HAND,
    IN_PACK,
    LEADER,
    NO_ACTION,
    NOBODY,
    NOWHERE,
    OVER,
    PHASES,
    RAID,
    RESOURCES,
    ROW_NAMES,
    RUNE,
    RUNES,
    START_BOAT,
)
from northsea_envs.games.tiny_epic_vikings.turn import card_played, god_of

GOOD_NAMES = tuple(name.lower() for name in RESOURCES)
ENDS = tuple(f"{row}_{end}" for row in ROW_NAMES for end in END_NAMES)
DECISIONS = {
    "START_BOAT": "place its first boat",
    "DRAFT": "keep a card of its pack",
    "PLAY": "play a card",
    "BATTLE_CARD": "choose a card for the battle",
    "CONTEST": "choose the Favor card to fight for",
    "LEADER": "do the Leader Action or not",
    "RUNE": "do the Rune Action or not",
    "SAIL_BOAT": "choose a boat",
    "SAIL_TO": "sail on",
    "DISPLACE": "move its boat out of the Dock",
    "DEPLOY": "deploy a Settler",
    "RAID": "raid or not",
    "EXPLORE_STEP": "move a Settler",
    "HARVEST_ONE": "take a resource",
    "BUILD_SLOT": "build",
    "BUILD_AT": "place what it built",
    "TEMPLE_STEP": "move a Temple",
    "SMITE_ONE": "remove a Settler",
    "EXCHANGE_PAIR": "choose what to exchange",
    "EXCHANGE_AMOUNT": "choose how much to exchange",
    "DISCARD": "discard a card",
    "DEDICATE": "dedicate a Village",
    "BOON": "take the Boon or not",
    "FURY": "move fury",
    "RETURN_CARD": "choose a Favor card to return",
    "RETURN_END": "choose where to return it",
}
# What a chosen location, Island or YES means, by phase.
_LOCATION = {START_BOAT: "places its first boat in {}", DISPLACE: "moves its boat to {}", BUILD_AT: "launches in {}"}
_YES = {LEADER: "does the Leader Action: {}", RUNE: "does the Rune Action: {}", BOON: "takes the Boon: {}"}


def _name(cells: np.ndarray) -> str:
    return bytes(cells).rstrip(b"\0").decode()


class Words:
    """Texts of positions and actions under one set of tables (array of one tables' record)."""

    def __init__(self, tables: np.ndarray):
        self.t = t = tables[0]
        self.cards = tuple(_name(cells) for cells in t.card_id)
        self.card_names = tuple(_name(cells) for cells in t.card_name)
        self.favors = tuple(_name(cells) for cells in t.favor_id)
        self.gods = tuple(_name(cells) for cells in t.god_name)
        self.slots = tuple(_name(cells) for cells in t.slot_id)
        self.spaces = tuple(_name(cells) for cells in t.space_id)
        self._blocks = action_blocks(tables)
        self._actions = num_actions(tables)

    # --- names ------------------------------------------------------------------------------------

    def islands(self, side: int) -> tuple[str, ...]:
        """Ids of the Islands of a side."""
        return tuple(_name(cells) for cells in self.t.island_id[side, : self.t.islands[side]])

    def locations(self, side: int) -> tuple[str, ...]:
        """Ids of the locations of a side: Fjords, then Docks."""
        fjords = self.t.fjord_id[side, : self.t.fjords[side]]
        return tuple(_name(cells) for cells in (*fjords, *self.t.dock_id[side, : self.t.docks[side]]))

    def links(self, side: int) -> tuple[str, ...]:
        """The links of a side, such as ``"A1 to A2"``."""
        islands, count = self.islands(side), int(self.t.links[side])
        ends = zip(self.t.link_from[side, :count], self.t.link_to[side, :count], strict=True)
        return tuple(f"{islands[a]} to {islands[b]}" for a, b in ends)

    def action_name(self, players: int, action: int) -> str:
        """Name of an action id, such as ``"FACEUP V07"`` or ``"PASS"``; raises ValueError out of range."""
        block, offset = self._block(action)
        side = int(self.t.side_of[players])
        if block in ("PASS", "YES", "DEPLOY"):
            return block
        if block == "TARGET":
            island, target = divmod(offset, TARGETS)
            who = "enemy" if target == TARGETS - 1 else f"seat +{target + 1}"
            return f"TARGET {self._of(self.islands(side), island)} {who}"
        pairs = tuple(f"{RESOURCES[a]}>{RESOURCES[b]}" for a, b in zip(PAIR_LOSES, PAIR_GAINS, strict=True))
        names = {
            "PICK": self.cards,
            "FACEUP": self.cards,
            "FACEDOWN": self.cards,
            "END": ENDS,
            "FAVOR": self.favors,
            "LOCATION": self.locations(side),
            "ISLAND": self.islands(side),
            "RESOURCE": RESOURCES,
            "LINK": self.links(side),
            "SLOT": self.slots,
            "PAIR": pairs,
            "DEDICATE": self.spaces,
            "FURY": tuple(f"{rune} {sign}" for rune in RUNES for sign in "+-"),
        }
        if block in names:
            return f"{block} {self._of(names[block], offset)}"
        return f"{block} {offset + (block == 'AMOUNT')}"

    @staticmethod
    def _of(names: tuple[str, ...], index: int) -> str:
        """A name, or the number where this side of the map has none."""
        return names[index] if index < len(names) else f"#{index}"

    def _block(self, action: int) -> tuple[str, int]:
        for block in self._blocks:
            if block.first <= action < block.first + block.size:
                return block.name, action - block.first
        raise ValueError(f"action {action} is not allowed; actions are 0 to {self._actions - 1}")

    def card(self, card: int) -> str:
        """A card by id and name."""
        return f"{self.cards[card]} {self.card_names[card]}"

    def favor(self, favor: int) -> str:
        """A Favor card in words, such as ``"F01 (FEHU; 1 wood, 1 food, 1 steel)"``."""
        runes = " ".join(
            name for name, n in zip(RUNES, self.t.favor_runes[favor].tolist(), strict=True) for _ in range(n)
        )
        return f"{self.favors[favor]} ({runes or 'no rune'}; {self.goods(self.t.favor_bag[favor])})"

    @staticmethod
    def goods(amounts: np.ndarray) -> str:
        """Resources in words."""
        return ", ".join(f"{n} {name}" for n, name in zip(amounts.tolist(), GOOD_NAMES, strict=True) if n) or "nothing"

    def _action(self, action: int, n: int, bag: np.ndarray) -> str:
        if action == COLLECT:
            return f"COLLECT {self.goods(bag)}"
        return f"{ACTIONS[action]} {n}" if n else ACTIONS[action]

    def _offer(self, state: np.record) -> str:
        """The action that the decider is asked about, in words."""
        if state.phase == BOON:
            god = god_of(self.t, state, int(state.seat))
            return self._action(int(self.t.boon_action[god]), int(self.t.boon_n[god]), self.t.boon_bag[god])
        card = int(card_played(state))
        if state.phase == LEADER:
            return f"{ACTIONS[int(self.t.leader_action[card])]} {self.t.leader_n[card]}"
        return self._action(int(self.t.rune_action[card]), int(self.t.rune_n[card]), self.t.rune_bag[card])

    # --- decisions --------------------------------------------------------------------------------

    def action_text(self, states: np.ndarray, index: int, action: int) -> str:
        """What the action would do in this position, in words."""
        state = states[index]
        phase, side = int(state.phase), int(state.side)
        block, offset = self._block(action)
        if block == "PASS":
            return "declines" if phase in (LEADER, RUNE, BOON, RAID) else "is done"
        if block == "YES":
            return "raids the Village" if phase == RAID else _YES[phase].format(self._offer(state))
        if block == "PICK":
            return f"{'keeps' if phase == DRAFT else 'discards'} {self.card(offset)}"
        if block == "FACEUP":
            return f"plays {self.card(offset)} faceup"
        if block == "FACEDOWN":
            joins = "joins the battle with" if in_progress(state) else "starts a battle with"
            return f"{joins} {self.card(offset)}"
        if block == "END":
            row, end = divmod(offset, 2)
            if phase == CONTEST:
                cards = state.favor_row[row, : state.favor_row_size[row]]
                return f"fights for {self.favor(int(cards[-1] if end else cards[0]) - 1)} from {ENDS[offset]}"
            return f"returns {self.favors[int(state.returning) - 1]} to {ENDS[offset]}"
        if block == "FAVOR":
            return f"returns {self.favor(offset)}"
        if block == "BOAT":
            return f"sails boat {offset} in {self.locations(side)[int(state.boat_at[state.actor, offset])]}"
        if block == "LOCATION":
            return _LOCATION.get(phase, "sails to {}").format(self.locations(side)[offset])
        if block == "ISLAND":
            name = self.islands(side)[offset]
            return f"deploys a Settler from {name}" if phase == DEPLOY else f"builds a Temple on {name}"
        if block == "DEPLOY":
            return "deploys a Settler"
        return self._goods_text(state, block, offset)

    def _goods_text(self, state: np.record, block: str, offset: int) -> str:
        side = int(state.side)
        if block == "RESOURCE":
            return f"takes 1 {GOOD_NAMES[offset]}"
        if block == "LINK":
            unit = "Settler" if state.phase == EXPLORE_STEP else "Temple"
            return f"moves a {unit} from {self.links(side)[offset]}"
        if block == "TARGET":
            island, target = divmod(offset, TARGETS)
            clan = int(target_clan(int(state.players), int(state.actor), target))
            return f"removes a Settler of {_clan(clan)} from {self.islands(side)[island]}"
        if block == "SLOT":
            return f"builds {self.slots[offset]} for {self.t.slot_wood[offset]} wood"
        if block == "PAIR":
            return f"exchanges {GOOD_NAMES[PAIR_LOSES[offset]]} for {GOOD_NAMES[PAIR_GAINS[offset]]}"
        if block == "AMOUNT":
            return f"exchanges {offset + 1}"
        if block == "DEDICATE":
            effect = f"{ACTIONS[int(self.t.space_action[offset])]} {self.t.space_n[offset]}"
            return f"dedicates a Village on {self.spaces[offset]}: {effect}"
        rune, down = divmod(offset, 2)
        return f"{'lowers' if down else 'raises'} the fury of {self.gods[int(state.god[rune])]}"

    # --- positions --------------------------------------------------------------------------------

    def text(self, states: np.ndarray, index: int, seat: int | None) -> str:
        """The position as ``seat`` knows it, its own holdings first; None sees every hand."""
        state = states[index]
        lines = [*self._headline(state), "", *self._gods(state), "", *self._map(state), "", *self._favor_rows(state)]
        lines += self._battle(state, seat)
        for k in range(int(state.players)):
            lines += ["", *self._player(state, ((seat or 0) + k) % int(state.players), seat)]
        return "\n".join(lines)

    def _headline(self, state: np.record) -> list[str]:
        if state.phase == OVER:
            return ["Game over"]
        lines = [f"Era {state.era}; Chieftain is seat {state.chieftain}"]
        if state.turn_seat != NOBODY:
            lines[0] += f"; turn of seat {state.turn_seat}"
        asked = f"Seat {state.seat} is to {DECISIONS[PHASES[int(state.phase)]]}"
        if state.phase in (LEADER, RUNE, BOON):
            asked += f": {self._offer(state)}"
        elif state.action != NO_ACTION:
            asked += f": {ACTIONS[int(state.action)]} {state.amount}" if state.amount else ""
            if state.left and state.phase != BATTLE_CARD:
                asked += f", {state.left} left"
            if state.boat != NOWHERE:
                asked += f", boat {state.boat} of seat {state.actor}"
            if state.source == FROM_BOON:
                asked += ", as a Boon"
        return [*lines, asked]

    def _gods(self, state: np.record) -> list[str]:
        lines = []
        for rune, name in enumerate(RUNES):
            rank = int(god_rank(state, rune))
            god = self.gods[int(state.god[rune])]
            worth = f"Islands {self.t.island_vp[rank]}, Favor runes {self.t.favor_vp[rank]}"
            lines.append(f"{name:8s} {god:10s} fury {int(state.fury[rune]):2d}  rank {rank + 1}: {worth}")
        spaces = ", ".join(f"{name} {n}" for name, n in zip(self.spaces, state.dedicated.tolist(), strict=True))
        lines.append(f"Dedicated, up to {self.t.dedication_cap[state.players]} each: {spaces}")
        seen = [self.cards[card] for card in range(CARDS) if state.place[card] == IN_DISCARD]
        lines.append(
            f"Deck {state.deck_size}, Invaders {state.invaders}, discarded {len(seen)}"
            + (f": {', '.join(seen)}" if seen else "")
        )
        return lines

    def _map(self, state: np.record) -> list[str]:
        """Islands with units and Docks, then boats in Fjords."""
        side, players = int(state.side), int(state.players)
        locations, fjords = self.locations(side), int(self.t.fjords[side])
        boats: dict[int, list[str]] = {}
        for seat in range(players):
            for at in state.boat_at[seat].tolist():
                if at != NOWHERE:
                    boats.setdefault(at, []).append(str(seat))
        lines = ["Island           rune     holder  Settlers/Temples (Influence) by seat; Docks (v Village, boats)"]
        for island, name in enumerate(self.islands(side)):
            title = f"{name} {_name(self.t.island_name[side, island])}"
            holder = f"seat {state.holder[island]}" if state.holder[island] != NOBODY else "-"
            clans = [*range(players), *([ENEMY] if state.enemy else [])]
            units = []
            for clan in clans:
                here = int(influence(self.t, state, clan, island))
                count = f"{state.settlers[island, clan]}/{state.temples[island, clan]}({here})"
                mark = "E " if clan == ENEMY else ""
                units.append(f"{mark}{count if here or count[:3] != '0/0' else '.':7s}")
            docks = [
                f"{locations[fjords + dock]}{'v' if state.village[dock] else ''}"
                + (f"[{','.join(boats[fjords + dock])}]" if fjords + dock in boats else "")
                for dock in range(int(self.t.docks[side]))
                if self.t.dock_island[side, dock] == island
            ]
            rune = RUNES[int(self.t.island_rune[side, island])]
            lines.append(f"{title:16s} {rune:8s} {holder:7s} {' '.join(units)} {' '.join(docks)}")
        waters = []
        for fjord in range(fjords):
            edge = "*" if self.t.is_edge[side, fjord] else ""
            inside = f"[{','.join(boats[fjord])}]" if fjord in boats else ""
            waters.append(f"{locations[fjord]}{edge}{inside}")
        lines.append(f"Fjords (* at the edge): {' '.join(waters)}")
        return lines

    def _favor_rows(self, state: np.record) -> list[str]:
        lines = []
        for row, name in enumerate(ROW_NAMES):
            cards = state.favor_row[row, : state.favor_row_size[row]].tolist()
            lines.append(f"Favor {name:6s} {'  '.join(self.favor(card - 1) for card in cards) or 'empty'}")
        return lines

    def _battle(self, state: np.record, seat: int | None) -> list[str]:
        if state.starter == NOBODY:
            return []
        fighters = []
        for owner in range(int(state.players)):
            card = int(state.battle_card[owner]) - 1
            if card < 0:
                continue
            known = state.revealed or seat is None or state.kin[seat, card] == 0
            fighters.append(f"seat {owner} with {self.card(card) if known else 'a facedown card'}")
        title = f"Battle of seat {state.starter}"
        if state.contested:
            title += f" for {self.favor(int(state.contested) - 1)}"
        elif state.revealed:
            losers = [f"seat {other}" for other in range(int(state.players)) if state.loser[other]]
            title += f", decided; {', '.join(losers) or 'nobody'} still to rage"
        return [f"{title}: {', '.join(fighters)}"]

    def _player(self, state: np.record, seat: int, onlooker: int | None) -> list[str]:
        islands, favors = int(island_points(self.t, state, seat)), int(favor_points(self.t, state, seat))
        title = f"Seat {seat}: {islands + favors} points (Islands {islands}, Favor cards {favors})"
        if state.phase == OVER:
            places = np.zeros(int(state.players), np.int64)
            ranks(self.t, state, places)
            title += f", place {places[seat]}"
        built = [name for name, n in zip(self.slots, state.built[seat].tolist(), strict=True) if n]
        on_mat = int(settlers_on_mat(self.t, state, seat))
        waiting = BOATS - int(np.sum(state.boat_at[seat] != NOWHERE))
        stock = ", ".join(f"{n} {name}" for n, name in zip(state.resources[seat].tolist(), GOOD_NAMES, strict=True))
        lines = [
            title,
            f"  {stock}; "
            f"{on_mat} Settlers and {waiting} boats on the mat; built {', '.join(built) or 'nothing'}; "
            f"{state.villages[seat]} Villages",
        ]
        runes = ", ".join(f"{active_runes(self.t, state, seat, rune)} {name}" for rune, name in enumerate(RUNES))
        lines.append(f"  Active Runes {active_runes(self.t, state, seat, ANY_RUNE)}: {runes}")
        row = []
        for card in (state.row[seat, : state.row_size[seat]] - 1).tolist():
            facedown = state.battle_card[seat] == card + 1 and not state.revealed
            hidden = facedown and onlooker is not None and state.kin[onlooker, card] != 0
            row.append("facedown" if hidden else self.card(card) + (" (facedown)" if facedown else ""))
        lines.append(f"  Row: {', '.join(row) or 'empty'}")
        held = [self.favor(favor) for favor in range(FAVORS) if state.favor_owner[favor] == seat + 1]
        if onlooker in (None, seat) or self.t.favors_observable:
            lines.append(f"  Favor cards: {'  '.join(held) or 'none'}")
        else:
            lines.append(f"  Favor cards: {len(held)}")
        return lines + self._cards_of(state, seat, onlooker)

    def _cards_of(self, state: np.record, seat: int, onlooker: int | None) -> list[str]:
        hand = [self.card(card) for card in range(CARDS) if state.place[card] == IN_HAND + seat]
        pack = [self.card(card) for card in range(CARDS) if state.place[card] == IN_PACK + seat]
        if onlooker in (None, seat):
            lines = [f"  Hand: {', '.join(hand) or 'empty'}"]
            if state.phase == DRAFT:
                chosen = f"; chosen {self.cards[int(state.picked[seat]) - 1]}" if state.picked[seat] else ""
                lines.append(f"  Pack: {', '.join(pack)}{chosen}")
            return lines
        groups = _passed_groups(state, onlooker, seat)
        passed = [self.cards[card] for card in range(CARDS) if state.kin[onlooker, card] - 1 in groups]
        among = f", among them some of {', '.join(passed)}" if passed else ""
        return [f"  Hand: {len(hand)} card{'' if len(hand) == 1 else 's'}{among}"]


def _passed_groups(state: np.record, onlooker: int, seat: int) -> list[int]:
    """Classes of cards passed on by ``onlooker`` of which ``seat`` holds some."""
    groups = state.row.shape[1] - 1
    return [group for group in range(groups) if state.slots[onlooker, seat, group]]


def _clan(clan: int) -> str:
    return "the Enemy" if clan == ENEMY else f"seat {clan}"
