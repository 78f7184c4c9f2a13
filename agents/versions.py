"""Which version of an agent played: what results must agree in to be comparable."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

import northsea_envs
from agents.policy import ABOUT_FILE, WEIGHTS_FILE, policy_folder


def agent_version(spec: str) -> str:
    """The version of the agent that a string names.

    Returns:
        For a folder ``"sha256:"`` and 16 hex digits over its policy's two files, for ``module:Class`` over the module's
        file, and the package's version for everything else.
    """
    for folder in (spec, spec.rpartition(":")[0]):
        if folder and Path(folder).is_dir():
            found = policy_folder(Path(folder))
            return _digest(found / ABOUT_FILE, found / WEIGHTS_FILE)
    module, _, attribute = spec.partition(":")
    if attribute.isidentifier() and all(part.isidentifier() for part in module.split(".")):
        try:
            found_module = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            # ValueError: a script that was started, or a module made by hand.
            found_module = None
        if found_module and found_module.origin and Path(found_module.origin).is_file():
            return _digest(Path(found_module.origin))
    return northsea_envs.__version__


def _digest(*paths: Path) -> str:
    return "sha256:" + hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]
