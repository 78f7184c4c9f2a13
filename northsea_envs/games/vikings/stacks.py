"""Stacks and bags: filling them, and drawing what is hidden of them anew."""

from northsea_envs.jit import compiled, random_shuffle


@compiled
def fill(values, counts):
    """Write each index k of ``counts`` into ``values`` ``counts[k]`` times, in order."""
    place = 0
    for k in range(len(counts)):
        for _ in range(counts[k]):
            values[place] = k
            place += 1


@compiled
def redraw(rng, values, kinds):
    """Shuffle ``values``, each below ``kinds``, by ``rng`` and their contents, whatever their present order."""
    # Sorted first, so that two orders of the same contents give the same draw.
    place = 0
    for kind in range(kinds):
        for k in range(place, len(values)):
            if values[k] == kind:
                values[k] = values[place]
                values[place] = kind
                place += 1
    random_shuffle(rng, values)
