"""Alike things in an observation, found by the names and sizes of its fields: the same for every game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from agents.layers import Group, Span
from northsea_envs.game import Field, seat_of

# Fields of one size speak of the same things, such as cards, where there are so many of them and they are that long.
LEAST_FIELDS = 3
LEAST_THINGS = 8


def groups_of(observed: Sequence[Field], players: int, seat_units: int, thing_units: int) -> tuple[Group, ...]:
    """The groups of an observation.

    ``seats``: what ``seat_0.*``, ``seat_1.*``, ... all have. ``others``: what only the seats from ``seat_1`` have,
    where these are several. ``things_N``: of ``LEAST_FIELDS`` or more other fields of the same size N the i-th floats,
    which speak of the i-th of N cards, places, ...

    Args:
        observed: the fields of the observation.
        players: number of seats.
        seat_units: floats that a seat becomes.
        thing_units: floats that a card, place, ... becomes; with 0 these are not grouped.
    """
    spans: dict[str, Span] = {}
    seats: dict[str, dict[int, Field]] = defaultdict(dict)
    end = 0
    for field in observed:
        spans[field.name] = (end, end + field.size)
        end += field.size
        seat, rest = seat_of(field.name)
        if seat is not None:
            seats[rest][seat] = field
    groups = []
    used: set[str] = set()
    for name, first in (("seats", 0), ("others", 1)):
        numbers = range(first, players)
        fields = [
            [of_seat[k].name for k in numbers]
            for of_seat in seats.values()
            if list(of_seat) == list(numbers) and len({field.size for field in of_seat.values()}) == 1
        ]
        if fields and len(numbers) > 1:
            things = tuple(_merge(spans[names[k]] for names in fields) for k in range(len(numbers)))
            groups.append(Group(name, things, seat_units))
            used |= {name for names in fields for name in names}
    by_size: dict[int, list[str]] = defaultdict(list)
    for field in observed:
        if field.name not in used and field.size >= LEAST_THINGS:
            by_size[field.size].append(field.name)
    for size, names in sorted(by_size.items()):
        if thing_units and len(names) >= LEAST_FIELDS:
            things = tuple(_merge((spans[n][0] + i, spans[n][0] + i + 1) for n in names) for i in range(size))
            groups.append(Group(f"things_{size}", things, thing_units))
    return tuple(groups)


def _merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same columns in the same order, spans that touch joined."""
    merged: list[Span] = []
    for first, end in spans:
        if merged and merged[-1][1] == first:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((first, end))
    return tuple(merged)
