"""Which version of an agent played: what results must agree in to be comparable."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from pathlib import Path

import northsea_envs
from agents.policy import ABOUT_FILE, WEIGHTS_FILE, named_folder, policy_folder
from agents.shipped import PRETRAINED
from northsea_envs.agent import AgentError, _factories, _parameters
from northsea_envs.tables import WEIGHTS_FILE as VALUE_FILE


def agent_version(spec: str, shipped: Path | None = None) -> str:
    """The version of the agent that a string names.

    Args:
        spec: as ``make_agent`` takes it.
        shipped: the folder of the policy that the agent ``pretrained`` plays.

    Returns:
        ``"sha256:"`` and 16 hex digits over the files that the agent is made of: a policy's two files where the string
        is a folder or holds one (``search:policy=FOLDER``) or ``pretrained``, the file of ``greedy:weights=``, the
        module's for ``module:Class``. The package's version for everything else.

    Raises:
        AgentError: such a file cannot be read, or the string's parameters not be understood.
    """
    name, _, rest = spec.partition(":")
    # As make_agent has it: what is registered comes before folders, and these before modules. What has no parameters
    # behind its colon is the class of an object, in a module that has the name of an agent.
    if name in _factories and (not rest or "=" in rest):
        parameters = _parameters(spec, rest)
        files = [file for key, value in parameters.items() for file in _FILES.get((name, key), _none)(value)]
        if name == PRETRAINED and shipped is not None:
            files += _policy_files(shipped)
        return _digest(spec, files) if files else northsea_envs.__version__
    named = named_folder(spec)
    if named:
        return _digest(spec, _policy_files(named[0]))
    if rest.isidentifier() and all(part.isidentifier() for part in name.split(".")):
        try:
            found_module = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            # ValueError: a script that was started, or a module made by hand.
            found_module = None
        if found_module and found_module.origin and Path(found_module.origin).is_file():
            return _digest(spec, [Path(found_module.origin)])
    return northsea_envs.__version__


def _policy_files(folder: str | Path) -> list[Path]:
    found = policy_folder(Path(folder))
    return [found / ABOUT_FILE, found / WEIGHTS_FILE]


def _weights_files(source: str) -> list[Path]:
    path = Path(source)
    return [path / VALUE_FILE if path.is_dir() else path]


def _none(value: str) -> list[Path]:
    return []


# The files that a parameter of a named agent stands for.
_FILES: dict[tuple[str, str], Callable[[str], list[Path]]] = {
    ("search", "policy"): _policy_files,
    ("greedy", "weights"): _weights_files,
}


def _digest(spec: str, files: list[Path]) -> str:
    try:
        contents = b"".join(path.read_bytes() for path in files)
    except OSError as error:
        raise AgentError(f"agent {spec!r}: {error.filename} cannot be read ({error.strerror})") from error
    return "sha256:" + hashlib.sha256(contents).hexdigest()[:16]
