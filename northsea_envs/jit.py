"""The one place that knows numba: the decorator, its cache folder, and random numbers.

Game code imports :func:`compiled` and the random helpers from here and nothing from numba. With
``NUMBA_DISABLE_JIT=1`` everything runs as plain Python, for debugging and coverage.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.extending
import numpy as np
import platformdirs
from llvmlite import ir

config: Any = numba.config

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
FOLDER_PREFIX = "compiled-"
UNUSED_DAYS = 30


def _sources_hash(*paths: Path) -> str:
    """Hash over the names and contents of Python sources, and numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(paths):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Folder of all compiled code: ``NORTHSEA_CACHE_DIR`` or the user's cache directory."""
    return Path(os.environ.get("NORTHSEA_CACHE_DIR") or platformdirs.user_cache_dir("northsea-envs"))


_folders: dict[Path, str | None] = {}


def _cache_folder(source: Path) -> str | None:
    """Cache folder for a function defined in ``source``, or None where none can be written.

    numba's own cache notices an edit of a function's file, not of the functions it calls in other files;
    a folder named by all sources makes every edit start afresh.
    """
    home = source.resolve().parent
    if home.is_relative_to(PACKAGE):
        home = PACKAGE
    if home not in _folders:
        folder = _cache_root()
        try:
            # Of a folder outside the package only the files themselves: below it may lie anything.
            beside = [] if home == PACKAGE else [path for path in home.glob("*.py") if path.is_file()]
            folder /= f"{FOLDER_PREFIX}{_sources_hash(*PACKAGE.rglob('*.py'), *beside)}"
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            # A folder that cannot be written would send numba to one that does not notice edits.
            tempfile.TemporaryFile(dir=folder).close()
            _remove_unused(folder.parent)
            _folders[home] = str(folder)
        except OSError as error:
            warnings.warn(
                f"no compile cache: {folder} cannot be written ({error}); "
                "every process compiles anew. Set NORTHSEA_CACHE_DIR to a writable folder.",
                RuntimeWarning,
                stacklevel=2,
            )
            _folders[home] = None
    return _folders[home]


def _remove_unused(root: Path) -> None:
    """Remove the folders of source versions that nobody has used for UNUSED_DAYS."""
    for folder in root.glob(FOLDER_PREFIX + "?" * 16):
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            # Another process may be doing the same.
            shutil.rmtree(folder, ignore_errors=True)


def compiled(function: F) -> F:
    """Compile ``function`` with numba in nopython mode, cached by the sources of the whole package.

    It may close over numbers, strings and other compiled functions.
    """
    # Functions typed into an interpreter have no file, and no cache.
    source = Path(function.__code__.co_filename)
    folder = _cache_folder(source) if source.is_file() else None
    before = config.CACHE_DIR
    config.CACHE_DIR = folder or before
    try:
        result: Any = numba.njit(nogil=True, error_model="numpy", cache=folder is not None)(function)
    finally:
        config.CACHE_DIR = before
    if not config.DISABLE_JIT:
        _widen_arguments(result)
        if folder is not None and function.__closure__:
            _key_by_name(result)
    return result


def _widen_arguments(dispatcher: Any) -> None:
    """Let compiled callers pass integers and truth values as such, whatever their width, and literals too.

    numba would compile a function anew for every literal and every width that a caller passes. With one form each a
    first use takes a fifth less.
    """
    template = dispatcher.get_call_template

    def get_call_template(args: tuple, kws: dict) -> tuple:
        return template(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template


def _widened(kind: Any) -> Any:
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if kind in numba.types.integer_domain and kind != numba.types.uint64 else kind


def compiled_for(field: str, otherwise: Any) -> Callable[[F], F]:
    """As :func:`compiled`, for a part of the rules that only some records have: those whose ``state`` has ``field``.

    For other records the function is not compiled at all: a call is the constant ``otherwise`` (a number, a bool or
    None), so that a variant's rules cost the game without them nothing. The decorated function takes ``tables`` and
    ``state`` first, and its parameters have no defaults.

    A record with further fields must have them in front: numba takes one whose fields merely begin like a shorter
    record's for that one, and would run what was compiled for it.
    """

    def decorate(function: F) -> F:
        inner = compiled(function)
        names = ", ".join(inspect.signature(function).parameters)

        def call(*arguments: Any) -> Any:
            return inner(*arguments) if field in arguments[1].dtype.names else otherwise

        # numba compares the parameters' names, hence the generated sources.
        present = eval(f"lambda {names}: inner({names})", {"inner": inner})
        absent = eval(f"lambda {names}: {otherwise!r}")
        choose = eval(
            f"lambda {names}: present if field in state.fields else absent",
            {"present": present, "absent": absent, "field": field},
        )
        numba.extending.overload(call, jit_options={"nogil": True})(choose)
        result: Any = functools.wraps(function)(call)
        return result

    return decorate


class _Pointer(numba.types.WrapperAddressProtocol):
    """A compiled function as a value, for callers that are compiled without its code."""

    def __init__(self, dispatcher: Any, arguments: tuple[Any, ...]):
        dispatcher.compile(arguments)
        self._compiled = dispatcher.overloads[arguments]

    def __wrapper_address__(self) -> int:
        address: int = self._compiled.library.get_pointer_to_function(self._compiled.fndesc.llvm_cfunc_wrapper_name)
        return address

    def signature(self) -> Any:
        return self._compiled.signature


def pointer(function: Callable[..., Any], *examples: Any) -> Any:
    """``function``, which is :func:`compiled`, as an argument for a compiled function that is to call it by address.

    A compiled caller that knows its callee by name takes the callee's code in and optimises it again, for seconds if
    it is a whole game; called by address, for a few nanoseconds a call, it is not touched. The function must not raise.

    Args:
        function: what is to be called.
        examples: arguments of the types that it will be called with; nothing is called here.
    """
    config: Any = numba.config
    if config.DISABLE_JIT:
        return function
    return _Pointer(function, tuple(map(numba.typeof, examples)))


def _key_by_name(dispatcher: Any) -> None:
    """Make the cache know a closure by the names of what it closes over.

    numba pickles the closed-over functions for its key, and their pickles differ from process to process, so that
    closures would be compiled anew in each. A name and the hash of the sources behind it are enough.
    """

    def index_key(signature: Any, codegen: Any) -> tuple:
        return signature, codegen.magic_tuple(), _identity(dispatcher)

    dispatcher._cache._index_key = index_key


def _identity(value: Any) -> str:
    """A name for ``value`` that is the same in every process."""
    if isinstance(value, int | float | str):
        return repr(value)
    function = inspect.unwrap(value)
    inside = [_identity(cell.cell_contents) for cell in function.__closure__ or ()]
    # A game from outside the package may be edited while the kernels' own folder stays.
    sources = Path(_cache_folder(Path(function.__code__.co_filename)) or "").name
    return f"{function.__module__}.{function.__qualname__}@{sources}({', '.join(inside)})"


# --- memory ---------------------------------------------------------------------------------------


LINE = 64  # bytes that the processor fetches at a time


@numba.extending.intrinsic
def _prefetch_line(typing_context: Any, address: Any) -> Any:
    """Ask the processor to fetch the line at ``address``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), (byte, number, number, number))
        hint = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        # For reading, to be kept in every cache, data.
        builder.call(hint, [builder.inttoptr(arguments[0], byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return numba.types.void(numba.types.uintp), generate


@compiled
def _prefetch(array, row):
    begin = array.ctypes.data + row * array.strides[0]
    for offset in range(0, array.strides[0], LINE):
        _prefetch_line(np.uintp(begin + offset))  # type: ignore[call-arg]  # the context is numba's to give


@compiled
def _nothing(array, row):
    pass


# (array, row) -> None: begin to fetch a row that is needed soon. Batches larger than the caches are slow without: a
# record is read in too many places for the processor to foresee.
prefetch = _nothing if config.DISABLE_JIT else _prefetch


# --- random numbers -------------------------------------------------------------------------------
# xoshiro128** (Blackman and Vigna 2018). Its state, four 32-bit words, lives in each game's record, and all
# arithmetic stays below 2**63, so that compiled and plain Python code give the same numbers.

Integer = int | np.integer

WORD = 0xFFFFFFFF
MAX_SEED = 2**63 - 1


@compiled
def _multiply(a: Integer, b: Integer) -> Integer:
    return ((a & 0xFFFF) * b + ((((a >> 16) * b) & 0xFFFF) << 16)) & WORD


@compiled
def _mix(word: Integer) -> Integer:
    """Finalizer of MurmurHash3: every input bit reaches every output bit."""
    word ^= word >> 16
    word = _multiply(word, 0x85EBCA6B)
    word ^= word >> 13
    word = _multiply(word, 0xC2B2AE35)
    return word ^ (word >> 16)


@compiled
def random_seed(rng: np.ndarray, seed: Integer) -> None:
    """Fill the generator state ``rng`` (uint32, shape (4,)) from ``seed`` in 0 .. 2**63 - 1."""
    low = np.int64(seed) & WORD
    high = np.int64(seed) >> 32
    word = _mix(low ^ 0x9E3779B9)
    for k in range(4):
        word = _mix((word + _mix((high + k * 0x3C6EF372) & WORD) + low) & WORD)
        rng[k] = word
    rng[0] |= 1


@compiled
def random_word(rng: np.ndarray) -> Integer:
    """Next 32 random bits."""
    s0, s1, s2, s3 = np.int64(rng[0]), np.int64(rng[1]), np.int64(rng[2]), np.int64(rng[3])
    word = (s1 * 5) & WORD
    word = ((word << 7) | (word >> 25)) & WORD
    word = (word * 9) & WORD
    s2 ^= s0
    s3 ^= s1
    rng[1] = s1 ^ s2
    rng[0] = s0 ^ s3
    rng[2] = s2 ^ ((s1 << 9) & WORD)
    rng[3] = ((s3 << 11) | (s3 >> 21)) & WORD
    return word


@compiled
def random_below(rng: np.ndarray, n: Integer) -> Integer:
    """Uniform integer in 0 .. n - 1, without bias (Lemire 2019); 1 <= n <= 2**31."""
    product = random_word(rng) * n
    low = product & WORD
    if low < n:
        threshold = (WORD + 1 - n) % n
        while low < threshold:
            product = random_word(rng) * n
            low = product & WORD
    return product >> 32


@compiled
def random_shuffle(rng: np.ndarray, values: np.ndarray) -> None:
    """Shuffle a one-dimensional array in place (Fisher and Yates)."""
    for k in range(len(values) - 1, 0, -1):
        j = random_below(rng, k + 1)
        keep = values[k]
        values[k] = values[j]
        values[j] = keep


@compiled
def random_legal(rng: np.ndarray, mask: np.ndarray) -> Integer:
    """A uniformly drawn index at which ``mask`` is not zero; at least one must be."""
    count = 0
    for action in range(len(mask)):
        count += mask[action] != 0
    skip = random_below(rng, count)
    for action in range(len(mask)):
        if mask[action]:
            if skip == 0:
                return action
            skip -= 1
    return -1


@compiled
def mix_seed(seed: Integer, number: Integer) -> Integer:
    """A seed in 0 .. 2**63 - 1 that depends on both arguments, each in 0 .. 2**63 - 1."""
    rng = np.empty(4, np.uint32)
    random_seed(rng, seed)
    a, b = random_word(rng), random_word(rng)
    low = _mix(a ^ (np.int64(number) & WORD))
    high = _mix((b + low + (np.int64(number) >> 32)) & WORD)
    return (np.int64(high & 0x7FFFFFFF) << 32) | low
