"""The compile cache: an edit in any file reaches every caller, and nothing is compiled twice without one."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

import northsea_envs
from northsea_envs import jit
from tests.conftest import python

PACKAGE = Path(northsea_envs.__file__).parent

# Scores of a hand-made position through a kernel of game.py, which calls scoring.py: fame 31 and 12.
CALLER = """
import numpy as np
import northsea_envs
game = northsea_envs.get_game("vikings")
states = np.zeros(1, game.state_dtype)
states[0].players = 2
states[0].fame[:2] = 31, 12
scores, ranks = np.zeros(2), np.zeros(2, np.int64)
game.kernels.result(game.tables, states, 0, scores, ranks)
print(northsea_envs.__file__, scores.tolist(), ranks.tolist())
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that may be edited."""
    folder = tmp_path / "copy" / "northsea_envs"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(package: Path, cache: Path, program: str = CALLER, **environment: str) -> tuple[str, str]:
    """What the program prints, and what it and numba say about it, with this copy and this cache."""
    done = python(
        "-c",
        f"import sys\nsys.path.insert(0, {str(package.parent)!r})\n{program}",
        NORTHSEA_CACHE_DIR=str(cache),
        **environment,
    )
    return done.stdout, done.stderr


def test_an_edit_in_one_file_reaches_a_compiled_caller_in_another(package, tmp_path):
    cache = tmp_path / "cache"
    out, _ = run(package, cache)
    assert out.split()[0] == str(package / "__init__.py")
    assert "[31.0, 12.0] [1, 2]" in out
    # A second process compiles nothing: it finds the kernel, a closure, and everything in it.
    out, _ = run(package, cache, NUMBA_DEBUG_CACHE="1")
    assert "[31.0, 12.0] [1, 2]" in out
    assert "data saved" not in out
    assert "data loaded" in out
    scoring = package / "games" / "vikings" / "scoring.py"
    source = scoring.read_text(encoding="utf-8")
    stamp = scoring.stat()
    assert source.count("out[seat] = state.fame[seat]\n") == 1
    scoring.write_text(
        source.replace("out[seat] = state.fame[seat]\n", "out[seat] = state.fame[seat] + 100\n"), encoding="utf-8"
    )
    # Even where the time of the file does not tell.
    os.utime(scoring, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    out, _ = run(package, cache)
    assert "[131.0, 112.0] [1, 2]" in out
    # And back: the old code is still in its own folder.
    scoring.write_text(source, encoding="utf-8")
    out, _ = run(package, cache)
    assert "[31.0, 12.0] [1, 2]" in out


SMALL = """
import warnings
from northsea_envs.jit import _multiply, mix_seed
print(_multiply(3, 5))
"""


def test_a_cache_that_cannot_be_written_warns_and_works(package, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    out, err = run(package, blocked / "cache", SMALL)
    assert out.split() == ["15"]
    assert err.count("RuntimeWarning: no compile cache") == 1
    assert "Set NORTHSEA_CACHE_DIR to a writable folder" in err
    assert not list(package.rglob("*.nbi"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_of_another_user_warns_and_works(package, tmp_path):
    cache = tmp_path / "cache"
    run(package, cache, SMALL)
    for folder in [*cache.rglob("*"), cache]:
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    try:
        out, err = run(package, cache, SMALL)
    finally:
        for folder in [cache, *cache.rglob("*")]:
            folder.chmod(0o755)
    assert out.split() == ["15"]
    assert "RuntimeWarning: no compile cache" in err


def test_functions_typed_into_an_interpreter_compile(package, tmp_path):
    """They have no file that the cache could watch."""
    program = (
        "exec('''from northsea_envs.jit import compiled\n@compiled\ndef f(x):\n    return x + 1\nprint(f(2))\n''')"
    )
    out, _ = run(package, tmp_path / "cache", program)
    assert out.split() == ["3"]


def test_plain_python_needs_no_cache(package, tmp_path):
    out, err = run(package, tmp_path / "cache", NUMBA_DISABLE_JIT="1")
    assert "[31.0, 12.0] [1, 2]" in out
    assert err == ""
    assert not list(tmp_path.rglob("*.nbi"))


def test_numba_is_left_as_it_was():
    import numba

    before = numba.config.CACHE_DIR

    @jit.compiled
    def add(a, b):
        return a + b

    assert add(2, 3) == 5
    assert before == numba.config.CACHE_DIR


def test_a_caller_outside_the_package_has_a_folder_of_its_own(tmp_path, monkeypatch):
    """Its sources count too: an edit beside it must reach it."""
    monkeypatch.setenv("NORTHSEA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(jit, "_folders", {})
    source = tmp_path / "mine" / "agent.py"
    source.parent.mkdir()
    source.write_text("one = 1\n", encoding="utf-8")
    first = jit._cache_folder(source)
    assert first != jit._cache_folder(PACKAGE / "aec.py")
    assert jit._cache_folder(PACKAGE / "aec.py") == jit._cache_folder(PACKAGE / "games" / "vikings" / "rules.py")
    (tmp_path / "mine" / "helper.py").write_text("two = 2\n", encoding="utf-8")
    monkeypatch.setattr(jit, "_folders", {})
    assert jit._cache_folder(source) != first


def test_only_our_own_old_folders_are_removed(tmp_path, monkeypatch):
    """NORTHSEA_CACHE_DIR may hold other things, and nobody has lent them to us."""
    monkeypatch.setenv("NORTHSEA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit, "_folders", {})
    present = Path(jit._cache_folder(PACKAGE / "aec.py") or "")
    assert present.parent == tmp_path
    # As named for other sources: the name of the present one with its digits turned round.
    ours = tmp_path / (present.name[:-16] + present.name[:-17:-1])
    young = tmp_path / (present.name[:-16] + "0123456789abcdef")
    foreign = tmp_path / "thesis"
    for folder in (ours, young, foreign):
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "file.nbc").write_bytes(b"1")
    long_ago = time.time() - (jit.UNUSED_DAYS + 1) * 86400
    for folder in (ours, foreign):
        os.utime(folder, (long_ago, long_ago))
    jit._remove_unused(tmp_path)
    assert not ours.exists()
    assert (young / "inside" / "file.nbc").exists()
    assert present.exists()
    assert (foreign / "inside" / "file.nbc").exists()


WIDTHS = """
import numpy as np
from northsea_envs.jit import compiled
@compiled
def double(number, really):
    return 2 * number if really else number
@compiled
def caller(small):
    return double(3, True) + double(small[0], small[0] > 0) + double(len(small), False)
print(caller(np.array([100], np.int8)), len(double.signatures))
"""


def test_literals_and_widths_of_integers_are_compiled_for_once(package, tmp_path):
    # 6 + 200 + 1: the int8 has become an int64 before it is doubled, as in plain Python.
    out, _ = run(package, tmp_path / "cache", WIDTHS)
    assert out.split() == ["207", "1"]
