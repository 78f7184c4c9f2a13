"""Vikings (Michael Kiesling, 2007): the basic and the advanced game, 2 to 4 players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from northsea_envs.game import Game, Option
from northsea_envs.games.vikings.actions import action_blocks, num_actions
from northsea_envs.games.vikings.check import check
from northsea_envs.games.vikings.components import TABLES, read_tables, with_switches
from northsea_envs.games.vikings.observation import longest_auctions, observation_fields, observe
from northsea_envs.games.vikings.rules import apply_decision, decider, legal_actions
from northsea_envs.games.vikings.scoring import ranks, scores
from northsea_envs.games.vikings.setup import resample_hidden, setup
from northsea_envs.games.vikings.state import MAX_PLAYERS, SWITCHES, WHEEL_SPACES, is_advanced, state_dtype
from northsea_envs.games.vikings.text import Words
from northsea_envs.games.vikings.value import value
from northsea_envs.games.vikings.weights import WEIGHTS

OPENING_MODES = ("adjacent", "any_of_first_three")
VARIANTS = ("basic", "advanced")


def game(folder: str | Path | None = None, **variant: Any) -> Game:
    """Vikings with the component tables in ``folder``; None takes those that come with the package.

    Args:
        folder: the tables' folder.
        variant: ``variant="advanced"``, or single switches such as ``auction=True``; see ``Game.variants``.

    Raises:
        ValueError: a variant that there is not.
        TableError: a table is missing or holds something that is not allowed.
    """
    basic = bind(read_tables(TABLES if folder is None else Path(folder)))
    unknown = variant.keys() - {option.name for option in basic.variants}
    if unknown:
        raise ValueError(
            f"{min(unknown)!r} is no variant of {basic.id}; there are {', '.join(o.name for o in basic.variants)}"
        )
    return basic.with_options(variant)


def bind(tables: np.ndarray) -> Game:
    """The basic game under tables that :func:`read_tables` has read; the others are its :meth:`Game.with_options`."""

    @cache
    def switched(switches: tuple[bool, ...]) -> Game:
        return _bind(tables, switches, rebind)

    def rebind(variant: Mapping[str, Any], options: Mapping[str, Any]) -> Game:
        return switched(_switches(variant, options))

    return switched((False,) * len(SWITCHES))


def _switches(variant: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[bool, ...]:
    """Which switches are on: ``variant`` of the options sets all, a switch of its own name goes before it.

    What neither says stays as it is in ``variant``, the game that they are bound to.
    """
    switches = {switch: bool(variant.get(switch, False)) for switch in SWITCHES}
    if "variant" in options:
        switches = dict.fromkeys(SWITCHES, options["variant"] == "advanced")
    switches |= {switch: options[switch] for switch in SWITCHES if options.get(switch) is not None}
    return tuple(switches.values())


def _bind(unbound: np.ndarray, switches: tuple[bool, ...], rebind: Any) -> Game:
    """The game with these switches, under the tables of all variants."""
    tables = with_switches(unbound, switches)
    t = tables[0]
    words = Words(tables)
    auction = is_advanced(tables) and bool(t.auction)

    def longest_game(players: int) -> int:
        # Purchases, placements and choices for a viking, start rows; a move and an END_TRIP a figure, DONEs.
        purchases = len(t.large_scoring) * WHEEL_SPACES
        longest = 3 * purchases + players + 2 * int(t.viking_count.sum()) + players * int(t.large_scoring.sum())
        if is_advanced(tables):
            # A special tile taken or declined with each purchase; a tile replaced, or a boat used, for each of them.
            longest += purchases + int(t.special_count.sum()) + longest_auctions(tables, players)
        return longest

    return Game(
        name="vikings",
        version="v0",
        title="Vikings",
        min_players=2,
        max_players=MAX_PLAYERS,
        tables=tables,
        state_dtype=state_dtype(tables),
        options=(
            Option(
                "start_seat",
                (None, *range(MAX_PLAYERS)),
                None,
                "seat of the first start player; None draws it (V-SETUP-7)",
                is_seat=True,
            ),
            Option(
                "ship_opening_mode",
                OPENING_MODES,
                OPENING_MODES[int(t.default_opening_mode)],
                "second and third ship: touching an earlier one, or anywhere in columns 1 to 3 (V-SHIP-2)",
            ),
        ),
        variants=(
            Option("variant", VARIANTS, "basic", "`advanced` turns on the three switches below, `basic` none"),
            Option(
                "auction",
                (None, False, True),
                None,
                "bid for the start player's marker and lay out the vikings' colours (V-AUC); None: as `variant` says",
            ),
            Option(
                "limited_boatsmen",
                (None, False, True),
                None,
                "a trip moves one viking only (V-ADV-2); None: as `variant` says",
            ),
            Option(
                "special_tiles", (None, False, True), None, "the 25 special tiles (V-SPEC); None: as `variant` says"
            ),
        ),
        variant=MappingProxyType(dict(zip(SWITCHES, switches, strict=True)) if any(switches) else {}),
        rebind=rebind,
        unbound_tables=unbound,
        longest_game=longest_game,
        num_actions=lambda players: num_actions(int(t.columns[players]), auction),
        observation_fields=partial(observation_fields, tables),
        action_blocks=lambda players: action_blocks(int(t.columns[players]), auction),
        setup=setup,
        legal_actions=legal_actions,
        apply_decision=apply_decision,
        decider=decider,
        observe=observe,
        scores=scores,
        ranks=ranks,
        resample_hidden=resample_hidden,
        value=value,
        weights=WEIGHTS,
        check=check,
        action_name=words.action_name,
        action_text=words.action_text,
        text=words.text,
    )
