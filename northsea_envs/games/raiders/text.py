"""Words and pictures in text for people."""

from __future__ import annotations

import numpy as np

from northsea_envs.games.raiders.actions import (
    action_blocks,
    num_actions,
)
from northsea_envs.games.raiders.raid import strength_without_dice
from northsea_envs.games.raiders.scoring import SOURCES, ranks, score_steps
from northsea_envs.games.raiders.state import (
    ACT,
    ACTION_BUILDING,
    AVENGE_CREW,
    AVENGE_OPPONENT,
    BUILDING_KEYS,
    COLOURS,
    DISCOUNT_ON,
    DRAFT,
    FREE_HIRE,
    GAIN_PLUNDER,
    GOODS,
    HIRE,
    KILL,
    LIMIT,
    LONG_HOUSE,
    MAIN,
    OP_GAIN,
    OPPONENT,
    OVER,
    PAY,
    PAY_CARD,
    PAY_CREW,
    PAY_PLUNDER,
    PICK_UP,
    REROLL,
    RESOURCES,
    RETURN_CREW,
    SET,
    SLOT,
    STEAL_PLUNDER,
    SWAP_A,
    SWAP_B,
    SWAP_COUNT,
    TOKENS,
    TOWN_HALL,
    WORKER_BUILDING,
)

BUILDING_NAMES = tuple(key.replace("_", " ").title() for key in BUILDING_KEYS)
GOOD_NAMES = tuple(name.lower() for name in RESOURCES[:GOODS])
TOKEN_NAMES = (*GOOD_NAMES[: TOKENS - 1], "Valkyrie")
WORKER_NAMES = tuple(colour.lower() for colour in COLOURS)
DECISIONS = {
    DRAFT: "give a drafted card back",
    MAIN: "place its worker, or raid",
    ACT: "take the action or decline it",
    TOWN_HALL: "play a card or decline",
    PAY_CARD: "discard a card",
    HIRE: "hire",
    LONG_HOUSE: "trade, make an offering, or stop",
    PICK_UP: "pick up a worker",
    OPPONENT: "choose an opponent",
    WORKER_BUILDING: "choose the building whose worker changes places",
    ACTION_BUILDING: "choose a building to use",
    GAIN_PLUNDER: "choose Plunder from the supply",
    STEAL_PLUNDER: "choose Plunder to steal",
    PAY_PLUNDER: "choose Plunder to pay",
    PAY_CREW: "give up a crew member",
    RETURN_CREW: "choose a crew member to take back to hand",
    FREE_HIRE: "choose who joins the crew instead",
    SLOT: "choose an offering",
    DISCOUNT_ON: "choose what to pay less of",
    SWAP_COUNT: "choose how many cards to exchange",
    SWAP_A: "choose a card to give away",
    SWAP_B: "choose a card to give in exchange",
    PAY: "hand over silver or a provision",
    REROLL: "roll a die again or keep the dice",
    SET: "choose a set",
    KILL: "choose a crew member for the Valkyries",
    AVENGE_OPPONENT: "choose the opponent who loses a crew member",
    AVENGE_CREW: "choose the crew member to lose",
    LIMIT: "discard a surplus card",
}
# What choosing an own card does, by phase.
_HAND = {
    DRAFT: "gives {} back",
    TOWN_HALL: "plays {} at the Town Hall",
    PAY_CARD: "discards {} as payment",
    HIRE: "hires {}",
    FREE_HIRE: "lets {} join the crew",
    LIMIT: "discards {}",
    SWAP_A: "puts {} into the exchange",
    SWAP_B: "puts {} into the exchange",
}
_CREW = {
    HIRE: "dismisses {}",
    KILL: "loses {} to a Valkyrie",
    AVENGE_CREW: "loses {} to the Avenger",
    RETURN_CREW: "takes {} back to hand",
    PAY_CREW: "gives {} up",
}
_RESOURCE = {
    PAY: "hands over 1 {}",
    STEAL_PLUNDER: "steals 1 {}",
    GAIN_PLUNDER: "takes 1 {}",
    PAY_PLUNDER: "pays 1 {}",
    DISCOUNT_ON: "pays less {}",
}
_BUILDING = {
    MAIN: "places its {worker} worker on the {building}",
    PICK_UP: "picks up the {there} worker from the {building}",
    WORKER_BUILDING: "exchanges the {target} worker of seat {seat} with the {there} one on the {building}",
    ACTION_BUILDING: "uses the {building}",
}


def _name(cells: np.ndarray) -> str:
    return bytes(cells).rstrip(b"\0").decode()


class Words:
    """Texts of positions and actions under one set of tables (array of one tables' record)."""

    def __init__(self, tables: np.ndarray):
        self.t = t = tables[0]
        self.cards = tuple(_name(cells) for cells in t.card_name)
        self.settlements = tuple(_name(cells) for cells in t.settlement_name)
        self._blocks = action_blocks(tables)
        self._actions = num_actions(tables)

    def action_name(self, players: int, action: int) -> str:
        """Name of an action id, such as ``"BUILDING Mill"`` or ``"PASS"``; raises ValueError out of range."""
        block, offset = self._block(action)
        names = {
            "BUILDING": BUILDING_NAMES,
            "SETTLEMENT": self.settlements,
            "HAND": self.cards,
            "CREW": self.cards,
            "RESOURCE": GOOD_NAMES,
        }
        if block in names:
            return f"{block} {names[block][offset]}"
        if block == "PASS":
            return block
        return f"{block} {offset + (block in ('OPPONENT', 'COUNT'))}"

    def _block(self, action: int) -> tuple[str, int]:
        for block in self._blocks:
            if block.first <= action < block.first + block.size:
                return block.name, action - block.first
        raise ValueError(f"action {action} is not allowed; actions are 0 to {self._actions - 1}")

    def tile(self, tile: int) -> str:
        """A tile in words, such as ``"2 livestock, 1 silver for 4 VP"``."""
        return f"{self._goods(self.t.tile_cost[tile])} for {self.t.tile_vp[tile]} VP"

    def _goods(self, amounts: np.ndarray, names: tuple[str, ...] = GOOD_NAMES) -> str:
        return ", ".join(f"{n} {name}" for n, name in zip(amounts.tolist(), names, strict=True) if n) or "nothing"

    def _counts(self, counts: np.ndarray) -> str:
        words = (f"{name} x{n}" if n > 1 else name for name, n in zip(self.cards, counts.tolist(), strict=True) if n)
        return ", ".join(words)

    def action_text(self, states: np.ndarray, index: int, action: int) -> str:
        """What the action would do in this position, in words."""
        state = states[index]
        phase, owner = int(state.phase), int(state.owner)
        block, offset = self._block(action)
        if block == "PASS":
            return {REROLL: "keeps the dice", LONG_HOUSE: "stops", HIRE: "hires nobody"}.get(phase, "declines")
        if block == "BUILDING":
            return _BUILDING[phase].format(
                worker=WORKER_NAMES[int(state.worker[owner])],
                building=BUILDING_NAMES[offset],
                there=WORKER_NAMES[int(state.building_worker[offset])],
                target=WORKER_NAMES[int(state.worker[state.target])],
                seat=int(state.target),
            )
        if block == "SETTLEMENT":
            return f"raids {self.settlements[offset]}"
        if block == "HAND":
            return _HAND[phase].format(self.cards[offset])
        if block == "CREW":
            return _CREW[phase].format(self.cards[offset])
        if block == "OPPONENT":
            return f"chooses seat {(int(state.seat) + offset + 1) % int(state.players)}"
        if block == "DISPLAY":
            verb = "chooses" if phase == SLOT else "makes"
            return f"{verb} the offering of {self.tile(int(state.display[offset]) - 1)}"
        if block == "SET":
            space = int(self.t.first_space[state.settlement]) + offset
            return f"takes {self._goods(state.space_tokens[space], TOKEN_NAMES)} and the {self._colour(space)} worker"
        if block == "RESOURCE":
            return _RESOURCE[phase].format(GOOD_NAMES[offset])
        if block == "DIE":
            return f"rolls the die showing {state.dice[offset]} again"
        if block == "COUNT":
            return f"exchanges {offset + 1}"
        return self._option(state, offset)

    def _option(self, state: np.record, option: int) -> str:
        at = int(state.building), option, int(state.act_colour)
        gets = f"{self.t.op_get_n[at]} {RESOURCES[int(self.t.op_get_res[at])].lower()}"
        if self.t.op[at] == OP_GAIN:
            return f"takes {gets} at the {BUILDING_NAMES[at[0]]}"
        pays = f"{self.t.op_pay_n[at]} {RESOURCES[int(self.t.op_pay_res[at])].lower()}"
        return f"pays {pays} for {gets} at the {BUILDING_NAMES[at[0]]}"

    def text(self, states: np.ndarray, index: int, seat: int | None) -> str:
        """The position as ``seat`` knows it, its own holdings first; None sees every hand."""
        state = states[index]
        lines = [*self._headline(state), "", *self._village(state), "", *self._board(state)]
        for k in range(int(state.players)):
            lines += ["", *self._player(state, ((seat or 0) + k) % int(state.players), seat)]
        return "\n".join(lines)

    def _headline(self, state: np.record) -> list[str]:
        if state.phase == OVER:
            return ["Game over, cut short" if state.truncated else "Game over"]
        lines = []
        if state.phase == DRAFT:
            lines.append("Draft")
        else:
            final = f"; final round, {state.turns_left} turns left" if state.final else ""
            lines.append(f"Turn {int(state.turns[state.owner]) + 1} of seat {state.owner}{final}")
        pending = []
        if state.building >= 0:
            pending.append(f"at the {BUILDING_NAMES[int(state.building)]}")
        if state.card:
            pending.append(f"{self.cards[int(state.card) - 1]} in effect")
        if state.settlement >= 0:
            pending.append(f"raiding {self.settlements[int(state.settlement)]}")
        if state.dice.any():
            pending.append(f"dice {' '.join(str(die) for die in state.dice if die)}")
            strength = strength_without_dice(self.t, state, int(state.owner), self._type(int(state.settlement)))
            pending.append(f"strength {int(strength) + int(state.dice.sum())}")
        pending += [
            f"{state[field]} {words}"
            for field, words in (
                ("left", "to choose"),
                ("long_left", "actions left"),
                ("rerolls", "rerolls left"),
                ("valkyries_left", "Valkyries left"),
            )
            if state[field]
        ]
        asked = f"Seat {state.seat} is to {DECISIONS[int(state.phase)]}"
        lines.append(f"{asked}: {', '.join(pending)}" if pending else asked)
        return lines

    def _type(self, settlement: int) -> int:
        return int(self.t.settlement_type[settlement])

    def _colour(self, space: int) -> str:
        return WORKER_NAMES[int(self.t.space_worker[space])]

    def _village(self, state: np.record) -> list[str]:
        workers = [
            f"{name} {WORKER_NAMES[int(colour)] if colour else '-'}{' (used)' if used else ''}"
            for name, colour, used in zip(BUILDING_NAMES, state.building_worker, state.used, strict=True)
        ]
        lines = ["Village: " + ", ".join(workers)]
        lines.append(f"Supply:  {self._goods(state.supply)}")
        lines.append(
            f"Cards:   {state.pile_size} in the pile, {state.discard_size} discarded"
            + (f" ({self._counts(state.discard)})" if state.discard_size else "")
        )
        lines.append(f"Offerings, {state.stack_size} in the stack:")
        for slot, tile in enumerate(state.display.tolist()):
            lines.append(f"  {slot}: {self.tile(tile - 1) if tile else '-'}")
        known = [self.tile(int(state.stack[k])) for k in range(int(state.stack_known) - 1, -1, -1)]
        if known:
            lines.append(f"  at the bottom of the stack: {'; '.join(known)}")
        return lines

    def _board(self, state: np.record) -> list[str]:
        lines = ["Settlement         crew food gold dice  VP                  sets"]
        for index, name in enumerate(self.settlements):
            first, spaces = int(self.t.first_space[index]), int(self.t.space_count[index])
            tiers = [
                f"{self.t.tier_strength[index, k]}:{self.t.tier_vp[index, k]}" for k in range(int(self.t.tiers[index]))
            ]
            points = " ".join(tiers) if tiers else str(self.t.fixed_vp[index])
            sets = [
                f"{self._goods(state.space_tokens[space], TOKEN_NAMES)}, {self._colour(space)}"
                for space in range(first, first + spaces)
                if state.set_left[space]
            ]
            takes = "".join(
                name[0] if accepted else " "
                for name, accepted in zip(WORKER_NAMES[1:], self.t.settlement_takes[index, 1:].tolist(), strict=True)
            )
            lines.append(
                f"{name:15s} {takes} {self.t.min_crew[index]:4d} {self.t.provisions[index]:4d} {self.t.gold[index]:4d} "
                f"{self.t.dice[index]:4d}  {points:18s}  {'; '.join(sets) or 'closed'}"
            )
        return lines

    def _player(self, state: np.record, seat: int, onlooker: int | None) -> list[str]:
        steps = np.zeros(len(SOURCES), np.int64)
        score_steps(self.t, state, seat, steps)
        title = f"Seat {seat}: {steps.sum()} points"
        if state.phase == OVER:
            places = np.zeros(int(state.players), np.int64)
            ranks(self.t, state, places)
            title += f", place {places[seat]}"
        sources = (f"{name} {n}" for name, n in zip(SOURCES, steps.tolist(), strict=True) if n)
        lines = [f"{title} ({', '.join(sources) or 'none'})"]
        lines.append(
            f"  {WORKER_NAMES[int(state.worker[seat])]} worker; {self._goods(state.goods[seat])}; "
            f"armour {state.armour[seat]}, Valkyries {state.valkyries[seat]}"
        )
        lines.append(f"  crew: {self._counts(state.crew[seat]) or 'none'}")
        if onlooker is None or onlooker == seat:
            lines.append(f"  hand: {self._counts(state.hand[seat]) or 'none'}")
            if state.picked[seat].any():
                lines.append(f"  picked: {self._counts(state.picked[seat])}")
            if onlooker is not None and state.returned[seat].any():
                lines.append(f"  given back, still at the bottom of the pile: {self._counts(state.returned[seat])}")
        else:
            known = self._counts(state.known[onlooker, seat])
            lines.append(f"  hand: {state.hand_size[seat]} cards" + (f", among them {known}" if known else ""))
        made = [self.tile(tile) for tile, owner in enumerate(state.tile_owner.tolist()) if owner == seat + 1]
        if made:
            lines.append(f"  offerings: {'; '.join(made)}")
        return lines
