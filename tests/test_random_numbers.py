"""The random numbers of the records: the published generators, without bias, the same compiled and as plain Python."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

from northsea_envs import GAMES
from northsea_envs.jit import (
    MAX_SEED,
    _mix,
    _multiply,
    mix_seed,
    random_below,
    random_legal,
    random_seed,
    random_shuffle,
    random_word,
)
from tests.conftest import python
from tests.test_determinism import WHOLE_GAMES

WORD = 2**32 - 1
# Far below what chance gives to a sound generator with the fixed seeds, far above what a biased one gives.
UNLIKELY = 1e-5


def seeded(seed: int) -> np.ndarray:
    rng = np.empty(4, np.uint32)
    random_seed(rng, seed)
    return rng


class Published:
    """xoshiro128** as its authors publish it, in integers without a word size."""

    def __init__(self, state: list[int]):
        self.s = state[:]

    def word(self) -> int:
        def rotated(x: int, k: int) -> int:
            return ((x << k) | (x >> (32 - k))) & WORD

        s = self.s
        result = rotated(s[1] * 5 & WORD, 7) * 9 & WORD
        t = s[1] << 9 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 11)
        return result

    def below(self, n: int) -> int:
        """Lemire's multiplication: the words whose low part lies under 2**32 mod n are thrown away."""
        while True:
            product = self.word() * n
            if (product & WORD) >= 2**32 % n:
                return product >> 32


class TestGenerator:
    def test_first_words_from_1_2_3_4(self):
        """The first by hand: rotate 2 * 5 left by 7, times 9; the others are published with the generator's ports."""
        rng = np.array([1, 2, 3, 4], np.uint32)
        assert random_word(rng) == 2 * 5 * 2**7 * 9 == 11520
        # s1 is then 2 ^ (3 ^ 1) = 0, which gives 0.
        rest = [random_word(rng) for _ in range(9)]
        assert rest == [
            0,
            5927040,
            70819200,
            2031721883,
            1637235492,
            1287239034,
            3734860849,
            3729100597,
            4258142804,
        ]

    def test_state_after_one_word(self):
        """By hand: s2 = 3^1 = 2, s3 = 4^2 = 6, s1 = 2^2 = 0, s0 = 1^6 = 7, s2 ^= 2<<9, s3 = 6<<11."""
        rng = np.array([1, 2, 3, 4], np.uint32)
        random_word(rng)
        assert rng.tolist() == [7, 0, 2 ^ (2 << 9), 6 << 11]

    @pytest.mark.parametrize("seed", [0, 1, 12345, 2**32, 2**63 - 1])
    def test_is_the_published_one(self, seed):
        rng = seeded(seed)
        published = Published(rng.tolist())
        for _ in range(2000):
            assert random_word(rng) == published.word()
        assert rng.tolist() == published.s

    def test_extreme_states(self):
        for state in ([WORD] * 4, [0, 0, 0, 1], [1, 0, 0, 0], [WORD, 0, WORD, 0], [2**31] * 4):
            rng = np.array(state, np.uint32)
            published = Published(state)
            assert [random_word(rng) for _ in range(100)] == [published.word() for _ in range(100)]

    def test_words_are_uniform(self):
        rng = seeded(7)
        words = np.array([random_word(rng) for _ in range(40_000)], np.uint64)
        assert stats.chisquare(np.bincount((words >> np.uint64(24)).astype(int), minlength=256)).pvalue > UNLIKELY
        assert stats.chisquare(np.bincount((words & np.uint64(255)).astype(int), minlength=256)).pvalue > UNLIKELY
        bits = [int(((words >> np.uint64(bit)) & np.uint64(1)).sum()) for bit in range(32)]
        assert min(stats.binomtest(count, len(words)).pvalue for count in bits) > UNLIKELY
        # Neighbouring words: pairs of their top three bits.
        top = (words >> np.uint64(29)).astype(int)
        assert stats.chisquare(np.bincount(top[:-1:2] * 8 + top[1::2], minlength=64)).pvalue > UNLIKELY


class TestSeeding:
    def test_mix_is_the_finalizer_of_murmurhash3(self):
        """Hashes of the empty key, which are the finalizer of the seed alone, published with MurmurHash3."""
        assert _mix(0) == 0
        assert _mix(1) == 0x514E28B7
        assert _mix(0xFFFFFFFF) == 0x81F16F39

    def test_multiply_is_the_product_modulo_a_word(self):
        values = [0, 1, 2, 0xFFFF, 0x10000, 0x85EBCA6B, 0xC2B2AE35, 2**31, WORD - 1, WORD]
        for a in values:
            for b in values:
                assert _multiply(a, b) == a * b & WORD

    def test_no_two_seeds_share_a_state(self):
        near = range(20_000)
        far = [k << 32 for k in range(1, 5000)] + [MAX_SEED - k for k in range(5000)] + [1 << k for k in range(63)]
        seeds = {*near, *far}
        states = {seeded(seed).tobytes() for seed in seeds}
        assert len(states) == len(seeds)
        assert np.zeros(4, np.uint32).tobytes() not in states

    def test_every_bit_of_a_seed_reaches_every_bit_of_the_state(self):
        rng = np.random.default_rng(1)
        seeds = rng.integers(0, MAX_SEED, 120)
        for bit in range(63):
            flips = np.zeros(128)
            for seed in seeds:
                other = int(seed) ^ (1 << bit)
                both = seeded(int(seed)) ^ seeded(other)
                flips += np.unpackbits(both.view(np.uint8), bitorder="little")
            # The lowest bit is always set, so that no state is all zeros.
            assert flips[0] == 0
            assert flips[1:].min() > 120 * 0.2
            assert flips[1:].max() < 120 * 0.8
            assert 0.47 < flips[1:].mean() / 120 < 0.53

    def test_first_words_of_consecutive_seeds_are_uniform(self):
        first = np.array([random_word(seeded(seed)) >> 24 for seed in range(40_000)])
        assert stats.chisquare(np.bincount(first, minlength=256)).pvalue > UNLIKELY
        pairs = first[:-1:2] // 32 * 8 + first[1::2] // 32
        assert stats.chisquare(np.bincount(pairs, minlength=64)).pvalue > UNLIKELY

    def test_mix_seed(self):
        numbers = [*range(3000), *(1 << k for k in range(12, 63)), MAX_SEED]
        for seed in (0, 1, 2**40, MAX_SEED):
            mixed = [mix_seed(seed, number) for number in numbers]
            assert len(set(mixed)) == len(numbers)
            assert min(mixed) >= 0
            assert max(mixed) <= MAX_SEED
            # All 63 bits are used.
            assert np.bitwise_or.reduce(np.array(mixed)) == MAX_SEED
        assert len({mix_seed(seed, 3) for seed in numbers}) == len(numbers)
        assert mix_seed(1, 2) != mix_seed(2, 1)

    def test_mix_seed_gives_streams_of_their_own(self):
        """The seeds that follow from one another never come back to an earlier one."""
        seed, seen = 5, set()
        for _ in range(20_000):
            assert seed not in seen
            seen.add(seed)
            seed = mix_seed(seed, 0)


class TestBelow:
    @pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 12, 72, 78, 1000, 3 * 2**29, 2**31 - 1, 2**31])
    def test_is_the_published_method(self, n):
        rng = seeded(n)
        published = Published(rng.tolist())
        for _ in range(1500):
            assert random_below(rng, n) == published.below(n)
        assert rng.tolist() == published.s

    def test_one_is_always_zero(self):
        rng = seeded(1)
        assert {random_below(rng, 1) for _ in range(100)} == {0}

    @pytest.mark.parametrize("n", [2, 3, 4, 6, 12, 20, 78, 222])
    def test_uniform(self, n):
        rng = seeded(1000 + n)
        values = np.array([random_below(rng, n) for _ in range(200 * n if n > 20 else 20_000)])
        assert values.min() == 0
        assert values.max() == n - 1
        assert stats.chisquare(np.bincount(values, minlength=n)).pvalue > UNLIKELY

    def test_uniform_where_words_are_thrown_away(self):
        """Of 3 * 2**29 numbers a quarter of the words must be refused; without that, the last third comes twice."""
        n = 3 * 2**29
        rng = seeded(4)
        thirds = np.bincount([random_below(rng, n) // 2**29 for _ in range(30_000)], minlength=3)
        assert stats.chisquare(thirds).pvalue > UNLIKELY
        fine = np.bincount([random_below(rng, n) % 3 for _ in range(30_000)], minlength=3)
        assert stats.chisquare(fine).pvalue > UNLIKELY


class TestShuffleAndChoice:
    def test_keeps_the_contents(self):
        rng = seeded(1)
        for size in range(12):
            values = np.arange(size, dtype=np.uint8) // 2
            random_shuffle(rng, values)
            assert sorted(values.tolist()) == sorted((np.arange(size) // 2).tolist())

    def test_every_order_is_as_likely(self):
        rng = seeded(2)
        counts: dict[tuple, int] = {}
        for _ in range(12_000):
            values = np.arange(4, dtype=np.int64)
            random_shuffle(rng, values)
            counts[tuple(values.tolist())] = counts.get(tuple(values.tolist()), 0) + 1
        assert len(counts) == 24
        assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY

    def test_every_element_to_every_place(self):
        rng = seeded(3)
        table = np.zeros((72, 72))
        for _ in range(7200):
            values = np.arange(72, dtype=np.uint8)
            random_shuffle(rng, values)
            table[np.arange(72), values] += 1
        assert stats.chisquare(table.ravel(), ddof=2 * 72 - 2).pvalue > UNLIKELY

    def test_legal_actions_are_as_likely(self):
        rng = seeded(4)
        mask = np.zeros(222, np.int8)
        legal = [0, 7, 8, 100, 221]
        mask[legal] = 1
        counts = np.bincount([random_legal(rng, mask) for _ in range(10_000)], minlength=222)
        assert np.flatnonzero(counts).tolist() == legal
        assert stats.chisquare(counts[legal]).pvalue > UNLIKELY

    def test_a_single_legal_action_and_none(self):
        rng = seeded(5)
        mask = np.zeros(9, np.int8)
        assert random_legal(rng, mask) == -1
        mask[8] = 1
        assert {random_legal(rng, mask) for _ in range(20)} == {8}


# Prints numbers of every helper from many seeds, the largest included.
HELPERS = """
import numpy as np
from northsea_envs.jit import *
for seed in [*range(200), *((1 << k) - 1 for k in range(1, 64)), *(1 << k for k in range(63))]:
    rng = np.empty(4, np.uint32)
    random_seed(rng, seed)
    values = np.arange(20, dtype=np.uint8)
    mask = (np.arange(30) % 3 == 0).astype(np.int8)
    line = [random_word(rng) for _ in range(5)]
    line += [random_below(rng, n) for n in (1, 2, 3, 78, 3 * 2**29, 2**31 - 1, 2**31)]
    random_shuffle(rng, values)
    line += [*values, random_legal(rng, mask), mix_seed(seed, 7), mix_seed(7, seed), *rng]
    print([int(value) for value in line])
"""


def test_helpers_are_the_same_in_plain_python():
    compiled = python("-c", HELPERS, NUMBA_DISABLE_JIT="0").stdout
    assert len(compiled.splitlines()) == 200 + 63 + 63
    assert python("-W", "error", "-c", HELPERS, NUMBA_DISABLE_JIT="1").stdout == compiled


def test_whole_games_are_the_same_in_plain_python():
    """Every position, mask and observation, byte for byte; small numpy integers that overflow warn, and so fail."""
    program = WHOLE_GAMES.format(seeds=[3])
    compiled = python("-c", program, NUMBA_DISABLE_JIT="0").stdout
    assert len(re.findall(r"[0-9a-f]{64}", compiled)) >= len(GAMES)
    assert python("-W", "error", "-c", program, NUMBA_DISABLE_JIT="1").stdout == compiled
