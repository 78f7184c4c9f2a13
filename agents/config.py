"""The configuration of a training: what a YAML file may hold, and messages that say what is wrong with it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pydantic
import yaml
from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, PositiveFloat, PositiveInt

from agents.entities import groups_of
from agents.layers import MAX_LAYER, Network
from agents.layout import Layout
from northsea_envs.jit import MAX_SEED


class ConfigError(ValueError):
    """A configuration cannot be used; the message says which key, why, and what would be right."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class NetworkConfig(_Section):
    """Layers of the network: sizes of the hidden layers shared by both heads, and of each head's own.

    ``kind``: ``plain`` reads the observation as it is; ``entities`` first embeds each seat into ``seat`` floats and
    each card, place, ... into ``thing`` floats, by the same weights for all of a kind (``agents/entities.py``); with 0
    these are read as they are. ``look_ahead``: the network also reads what the game's ``value`` says of each action
    (``agents/look_ahead.py``), and so begins nearly as ``greedy`` plays.
    """

    kind: Literal["plain", "entities"] = "plain"
    seat: int = Field(default=64, ge=1, le=MAX_LAYER)
    thing: int = Field(default=4, ge=0, le=MAX_LAYER)
    shared: list[PositiveInt] = [256]
    policy: list[PositiveInt] = [128]
    value: list[PositiveInt] = [128]
    activation: Literal["relu", "tanh"] = "relu"
    look_ahead: bool = False

    @pydantic.field_validator("shared", "policy", "value")
    @classmethod
    def _sizes(cls, sizes: list[int]) -> list[int]:
        if any(size > MAX_LAYER for size in sizes):
            raise ValueError(f"layers have 1 to {MAX_LAYER} units")
        return sizes

    def build(self, layout: Layout) -> Network:
        """The layers for what is read and chosen among."""
        return Network(
            layout.observation_size,
            layout.num_actions,
            tuple(self.shared),
            tuple(self.policy),
            tuple(self.value),
            self.activation,
            groups_of(layout.fields, max(layout.counts), self.seat, self.thing) if self.kind == "entities" else (),
            self.look_ahead,
        )


class PPOConfig(_Section):
    """MaskablePPO. The learning rate falls in a straight line to ``final_learning_rate`` over the training."""

    n_steps: int = Field(default=64, ge=1, le=65_536)
    batch_size: PositiveInt = 2048
    epochs: PositiveInt = 3
    learning_rate: PositiveFloat = 5e-4
    final_learning_rate: NonNegativeFloat = 5e-5
    gamma: float = Field(default=1.0, gt=0, le=1)
    gae_lambda: float = Field(default=0.95, ge=0, le=1)
    clip_range: PositiveFloat = 0.2
    entropy: NonNegativeFloat = 0.01
    value: NonNegativeFloat = 0.5
    max_grad_norm: PositiveFloat = 0.5
    target_kl: PositiveFloat | None = None


class OpponentsConfig(_Section):
    """Weights by which the other seats are drawn at the start of each game.

    ``current``: the learner as it is now. ``earlier``: frozen versions of it, at most ``keep``; one is added every
    ``add_every`` decisions, and earlier once the learner wins ``add_when`` of the games against the latest.
    ``baselines``: other agents by name. ``priority`` shifts the weight of earlier versions and baselines to those that
    are ``hard`` for the learner, (1 - its win rate) squared, or ``even``, win rate times (1 - win rate). ``steady``:
    agents whose share stays as it is, such as a slow ``search:simulations=50``.
    """

    current: NonNegativeFloat = 0.5
    earlier: NonNegativeFloat = 0.2
    baselines: dict[str, NonNegativeFloat] = {}
    steady: dict[str, NonNegativeFloat] = {}
    priority: Literal["none", "hard", "even"] = "hard"
    add_every: PositiveInt = 250_000
    add_when: float | None = Field(default=None, ge=0.5, le=1)
    keep: PositiveInt = 6

    @pydantic.model_validator(mode="after")
    def _somebody(self) -> OpponentsConfig:
        if self.current + sum(self.baselines.values()) + sum(self.steady.values()) <= 0:
            raise ValueError("current, or one of the baselines or of steady, must have a weight above 0")
        for name in self.steady:
            if name in self.baselines:
                raise ValueError(f"{name!r} is both in baselines and in steady; name it once")
        return self


class WarmStartConfig(_Section):
    """Imitation of ``teacher`` in ``games`` games before PPO, ``at_once`` games in memory at a time.

    With ``max_minutes`` it ends after the first ``at_once`` games that take it over that time, and its learning rate
    follows the clock if that is ahead of the games.
    """

    teacher: str = "greedy"
    games: PositiveInt = 2000
    max_minutes: PositiveFloat | None = None
    at_once: PositiveInt = 250
    epsilon: float = Field(default=0.1, ge=0, le=1)
    # More than one pass teaches the value which game this was, not how it stands.
    epochs: PositiveInt = 1
    batch_size: PositiveInt = 512
    learning_rate: PositiveFloat = 1e-3
    value: NonNegativeFloat = 0.5


class EvaluationConfig(_Section):
    """Matches against ``opponents``: short ones every ``every`` decisions, and the table at the end.

    ``at_the_end``: agents that are met in that table alone, such as a slow ``search:simulations=100``.
    """

    opponents: list[str] = Field(default=["random", "greedy"], min_length=1)
    at_the_end: list[str] = []
    games: PositiveInt = 1000
    every: PositiveInt = 500_000
    short_games: PositiveInt = 200

    @pydantic.model_validator(mode="after")
    def _once_each(self) -> EvaluationConfig:
        for name in self.everybody:
            if self.everybody.count(name) > 1:
                raise ValueError(f"{name!r} is twice in opponents and at_the_end; name each opponent once")
        return self

    @property
    def everybody(self) -> list[str]:
        """Who is met in the table at the end."""
        return [*self.opponents, *self.at_the_end]


class TrainConfig(_Section):
    """A whole training. It ends after ``total_steps`` decisions of the learner or ``max_minutes``, what comes first.

    ``players`` is a number of seats, or a list of several: one policy for all, with as many games of each at once. Then
    ``opponents.add_when`` has to be reached at every one of them.

    ``tables`` is a folder with component tables of one's own. With ``max_minutes``, here or in ``warm_start``, the
    learning rate follows the clock, so that only trainings without it repeat exactly.

    ``shaping`` is the weight of a potential-based reward by the game's own ``value`` of positions, which does not
    change which play is best; it falls in a straight line to 0 at the share ``shaping_until`` of the training.
    """

    game: str
    tables: str | None = None
    players: int | list[int]
    options: dict[str, Any] = {}
    name: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    seed: int = Field(default=0, ge=0, le=MAX_SEED)
    total_steps: PositiveInt | None = None
    max_minutes: PositiveFloat | None = None
    threads: int = Field(default=2, ge=1, le=256)
    num_envs: int = Field(default=256, ge=1, le=65_536)
    reward: Literal["rank", "win", "score"] = "rank"
    shaping: NonNegativeFloat = 0.0
    shaping_until: float = Field(default=0.5, gt=0, le=1)
    checkpoint_minutes: PositiveFloat = 2.0
    network: NetworkConfig = Field(default_factory=NetworkConfig)
    ppo: PPOConfig = Field(default_factory=PPOConfig)
    opponents: OpponentsConfig = Field(default_factory=OpponentsConfig)
    warm_start: WarmStartConfig | None = None
    evaluation: EvaluationConfig = Field(default_factory=EvaluationConfig)

    @pydantic.field_validator("players", mode="plain")
    @classmethod
    def _numbers(cls, players: Any) -> int | list[int]:
        numbers = players if isinstance(players, list) else [players]
        if not numbers or not all(type(number) is int and number > 0 for number in numbers):
            raise ValueError(f"give a number of seats such as 4, or a list such as [2, 3, 4], not {players!r}")
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"a number of seats is twice in {players!r}; name each once")
        return sorted(numbers) if len(numbers) > 1 else numbers[0]

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players."""
        return (self.players,) if isinstance(self.players, int) else tuple(self.players)

    @pydantic.model_validator(mode="after")
    def _ends(self) -> TrainConfig:
        if self.total_steps is None and self.max_minutes is None:
            raise ValueError("give total_steps, max_minutes, or both")
        decisions = self.ppo.n_steps * self.num_envs
        batch = min(self.ppo.batch_size, decisions)
        if self.num_envs < len(self.counts):
            raise ValueError(f"num_envs={self.num_envs} is fewer than the {len(self.counts)} numbers of players")
        if self.warm_start is not None and self.warm_start.games < len(self.counts):
            raise ValueError(
                f"warm_start.games={self.warm_start.games} is fewer than the {len(self.counts)} numbers of players"
            )
        if batch == 1 or decisions % batch == 1:
            # Advantages are normalised in each minibatch: one alone has no spread to divide by.
            raise ValueError(
                f"ppo.batch_size={self.ppo.batch_size} leaves a minibatch of one of the {decisions} decisions of an "
                "update (num_envs times ppo.n_steps)"
            )
        return self


class _Loader(yaml.SafeLoader):
    """YAML 1.2 numbers: ``3e-4`` is a float too, which PyYAML by itself reads as a string. No key may come twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise ConfigError(f"key {key.value!r} is there twice, again in line {key.start_mark.line + 1}")
                seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {k: list(v) for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$"), list("-+0123456789")
)


def read_config(path: str | Path, overrides: Sequence[str] = ()) -> TrainConfig:
    """The configuration in a YAML file, with ``overrides`` such as ``"ppo.learning_rate=3e-4"`` applied.

    Raises:
        ConfigError: the file cannot be read, or it or an override holds something that is not allowed.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    values = _parse(text, str(path))
    if not isinstance(values, dict):
        raise ConfigError(f"{path} must hold keys and values, such as 'game: vikings'")
    for override in overrides:
        _override(values, override)
    try:
        return TrainConfig.model_validate(values)
    except pydantic.ValidationError as error:
        raise ConfigError("\n".join(f"{path}: {line}" for line in _complaints(error))) from error


def write_config(config: TrainConfig) -> str:
    """``config`` with all defaults filled in, as YAML that :func:`read_config` takes."""
    return yaml.safe_dump(config.model_dump(), sort_keys=False)


def _parse(text: str, where: str) -> Any:
    try:
        return yaml.load(text, _Loader)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ConfigError(f"{where} is not YAML: {' '.join(str(error).split())}") from error


def _override(values: dict[str, Any], override: str) -> None:
    key, sign, text = override.partition("=")
    if not sign or not key:
        raise ConfigError(f"--set {override}: write key=value, such as ppo.learning_rate=3e-4")
    *sections, last = key.split(".")
    place = values
    for section in sections:
        inner = place.setdefault(section, {})
        if inner is None:
            inner = place[section] = {}
        if not isinstance(inner, dict):
            raise ConfigError(f"--set {override}: {section} is a value, not a section")
        place = inner
    place[last] = _parse(text, f"--set {override}")


def _complaints(error: pydantic.ValidationError) -> Iterator[str]:
    for found in error.errors():
        key = ".".join(str(part) for part in found["loc"])
        if found["type"] == "extra_forbidden":
            *above, last = found["loc"]
            allowed = _keys(above)
            close = difflib.get_close_matches(str(last), allowed, 1)
            hint = f", did you mean {close[0]!r}?" if close else "."
            yield f"unknown key {key!r}{hint} Allowed here: {', '.join(allowed)}"
        elif found["type"] == "missing":
            yield f"{key} is missing"
        elif found["type"] == "value_error":
            yield f"{key}: {found['ctx']['error']}" if key else str(found["ctx"]["error"])
        else:
            yield f"{key}={found['input']!r} is not allowed: {found['msg']}"


def _keys(above: Sequence[int | str]) -> list[str]:
    """Keys of the section at ``above``."""
    section: type[BaseModel] = TrainConfig
    for part in above:
        annotation = section.model_fields[str(part)].annotation
        candidates = (annotation, *getattr(annotation, "__args__", ()))
        section = next(c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel))
    return list(section.model_fields)
