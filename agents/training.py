"""A training from its first decision to its last: :class:`Training`."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import rich.progress
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from torch.utils.tensorboard import SummaryWriter

import northsea_envs
from agents.checkpoint import Progress, load_checkpoint, save_checkpoint, save_opponent
from agents.config import ConfigError, TrainConfig, WarmStartConfig
from agents.evaluation import evaluate
from agents.layout import Layout
from agents.learner import SelfPlayVecEnv
from agents.look_ahead import LookAhead
from agents.match import play_match
from agents.mixed import MixedVecEnv, share_out
from agents.network import policy_arguments, policy_class, weights_of
from agents.policy import BEST_FOLDER, PolicyAgent, policy_folder, save_policy
from agents.pool import CURRENT, OpponentPool
from agents.report import document, table
from agents.runs import EVALUATION_FILE, LEARNER_NAME, METRICS_FILE, metrics_of
from agents.summary import win_shares
from agents.warm_start import Lessons, collect, lesson_seeds, study, together
from northsea_envs.agent import Agent, make_agent
from northsea_envs.files import write_atomically
from northsea_envs.game import Game
from northsea_envs.jit import mix_seed

# Masked actions have a logit of -1e8 in sb3-contrib: logits near that no longer tell legal from illegal ones.
MAX_LOGIT = 1e7

# SB3 writes its log every so many updates; here it is written after what is added to it.
NEVER = sys.maxsize

# Second arguments of mix_seed: what the run's seed is used for.
_GAMES, _LESSONS, _SHORT_EVALUATION, _FINAL_EVALUATION = range(10, 14)


class Interrupts:
    """Ctrl-C: the first asks to stop at the next good moment, the second (or one ``at_once``) stops there and then."""

    def __init__(self, console: Console):
        self.requested = False
        self.at_once = False
        self._console = console

    def __enter__(self) -> Interrupts:
        self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _handle(self, *_: object) -> None:
        if self.requested or self.at_once:
            raise KeyboardInterrupt
        self.requested = True
        self._console.print("Stopping after this update; press Ctrl-C again to stop at once.")


def say(console: Console, text: str) -> None:
    """Print a line as it is: paths are not broken, brackets are no markup."""
    console.print(text, soft_wrap=True, markup=False, highlight=False)


class DivergedError(ArithmeticError):
    """The training went wrong and cannot recover."""


class Training:
    """One run: its folder, the learner, and where it stands.

    Args:
        config: the configuration.
        folder: the run's folder, which exists and holds the configuration.
        checkpoint: the folder to go on from, or None to begin.

    Raises:
        ConfigError: the configuration does not fit the game, or names an agent that is not known.
        AgentError: the checkpoint cannot be used.
    """

    def __init__(self, config: TrainConfig, folder: Path, checkpoint: Path | None, console: Console):
        self.config, self.folder, self.console = config, folder, console
        self.game, self.opponents = check_against_game(config)
        self.layout = Layout(self.game, config.counts)
        self.network = config.network.build(self.layout)
        self.progress = Progress(next_opponent=config.opponents.add_every, next_evaluation=config.evaluation.every)
        self.progress.warm_started = config.warm_start is None
        self._clock = time.monotonic()
        torch.set_num_threads(config.threads)
        # The distributions' own argument checks cost a tenth of the training and can only find bugs in SB3.
        torch.distributions.Distribution.set_default_validate_args(False)
        self.model, self.env, self.learner = self._build()
        self.env.shaping = self._shaping()
        if checkpoint is not None:
            self.progress = load_checkpoint(folder, checkpoint, self.model, self.env, self.layout, self.network)
        self._forget_later_metrics()
        self.model.set_logger(self._board(checkpoint is not None))

    def _pool(self, players: int) -> OpponentPool:
        """Whom the learner meets at so many seats; in place of the learner itself, which comes last, a random agent."""
        opponents, agents = self.config.opponents, self.opponents[players]
        return OpponentPool(
            {
                CURRENT: (make_agent("random", self.game, players), opponents.current),
                **{n: (agents[n], w) for n, w in (opponents.baselines | opponents.steady).items()},
            },
            opponents.earlier,
            opponents.keep,
            opponents.priority,
            opponents.steady,
        )

    def _build(self) -> tuple[MaskablePPO, SelfPlayVecEnv | MixedVecEnv, PolicyAgent]:
        config, ppo = self.config, self.config.ppo
        look_ahead = LookAhead(self.game, self.game.tables) if self.network.look_ahead else None
        parts = [
            SelfPlayVecEnv(
                self.game,
                players,
                rows,
                self._seed(_GAMES),
                self._pool(players),
                config.reward,
                config.shaping,
                ppo.gamma,
                config.options,
                look_ahead,
            )
            for players, rows in share_out(config.num_envs, config.counts).items()
        ]
        env = parts[0] if len(parts) == 1 else MixedVecEnv(self.layout, parts)
        model = MaskablePPO(
            policy_class(self.network),
            env,
            learning_rate=lambda _: self._learning_rate(),
            n_steps=ppo.n_steps,
            batch_size=min(ppo.batch_size, ppo.n_steps * config.num_envs),
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.entropy,
            vf_coef=ppo.value,
            max_grad_norm=ppo.max_grad_norm,
            target_kl=ppo.target_kl,
            policy_kwargs=policy_arguments(self.network),
            seed=config.seed % 2**32,
            device="cpu",
        )
        env.seed(self._seed(_GAMES))
        learner = PolicyAgent(self.network, weights_of(model.policy, self.network), False, look_ahead)
        for part in parts:
            part.opponents.agents[0] = learner.at(self.layout, part.players)
        return model, env, learner

    def _where(self, players: int) -> str:
        """What comes before names in metrics where there are several numbers of players."""
        return f"{players}p/" if len(self.config.counts) > 1 else ""

    def _seed(self, purpose: int) -> int:
        return int(mix_seed(self.config.seed, purpose))

    def _forget_later_metrics(self) -> None:
        """Drop what a session noted after the checkpoint that this one goes on from."""
        path = self.folder / METRICS_FILE
        if path.exists():
            lines = path.read_bytes().splitlines() if self.progress.warm_started else []
            write_atomically(path, b"".join(line + b"\n" for line in lines if self._is_earlier(line)))

    def _board(self, resumed: bool) -> Logger:
        """TensorBoard's log, which hides what a session noted after the checkpoint that this one goes on from."""
        folder = str(self.folder / "tensorboard")
        output = TensorBoardOutputFormat(folder)
        if resumed:
            output.writer.close()
            output.writer = SummaryWriter(folder, purge_step=self.progress.steps + 1)
        return Logger(folder, [output])

    def _is_earlier(self, line: bytes) -> bool:
        """Whether a line of metrics is from before the checkpoint; False where it cannot be read."""
        values = metrics_of(line)
        return values is not None and values["steps"] <= self.progress.steps

    def done(self) -> float:
        """Share of the training that is done, 0 to 1."""
        shares = [0.0]
        if self.config.total_steps is not None:
            shares.append(self.progress.steps / self.config.total_steps)
        if self.config.max_minutes is not None:
            shares.append(self.progress.seconds / 60 / self.config.max_minutes)
        return min(max(shares), 1.0)

    def _learning_rate(self) -> float:
        ppo = self.config.ppo
        return ppo.learning_rate + (ppo.final_learning_rate - ppo.learning_rate) * self.done()

    def _shaping(self) -> float:
        """Its weight now."""
        return self.config.shaping * max(0.0, 1 - self.done() / self.config.shaping_until)

    def run(self, interrupts: Interrupts) -> bool:
        """Train to the end; False where it was interrupted, with a checkpoint to go on from."""
        self._clock = time.monotonic()
        self.progress.complete = False
        # What it says is of a policy that will no longer be the best.
        (self.folder / EVALUATION_FILE).unlink(missing_ok=True)
        with self._bar() as show:
            if not self.progress.steps:
                self.save()
            if not self.progress.warm_started:
                if not self._warm_start(interrupts, show):
                    return False
                self.save()
            saved = time.monotonic()
            while self.done() < 1:
                if interrupts.requested:
                    self.save()
                    self.draw()
                    return False
                self._iterate(show)
                if time.monotonic() - saved > 60 * self.config.checkpoint_minutes:
                    self.save()
                    self.draw()
                    saved = time.monotonic()
        if not self.progress.steps:
            say(self.console, "The warm start took all the time: nothing was learnt by play. Raise max_minutes.")
        self.progress.complete = True
        self.save()
        return True

    def _iterate(self, show: Callable[[str], None]) -> None:
        """One rollout, one update, and what is due after it."""
        config, progress = self.config, self.progress
        before, began = progress.seconds, progress.steps
        self.env.shaping = self._shaping()
        try:
            self.model.learn(config.ppo.n_steps * config.num_envs, reset_num_timesteps=False, log_interval=NEVER)
        except (ValueError, RuntimeError):
            # With unusable logits torch refuses to draw an action, or draws an illegal one.
            self._check_sane()
            raise
        self._check_sane()
        progress.steps = self.model.num_timesteps
        self._tick()
        values = dict(self.model.logger.name_to_value)
        values["time/steps_per_second"] = (progress.steps - began) / max(progress.seconds - before, 1e-9)
        for part in self.env.parts:
            where = self._where(part.players)
            for name, (share, games) in part.take_wins().items():
                values |= {f"training/win_share/{where}{name}": share, f"training/games/{where}{name}": games}
            values[f"pool/rating/{where}learner"] = part.opponents.rating
        if self.config.shaping:
            values["training/shaping"] = self.env.shaping
        add_when = config.opponents.add_when
        improved = add_when is not None and all(part.opponents.improved(add_when) for part in self.env.parts)
        if progress.steps >= progress.next_opponent or improved:
            progress.next_opponent = progress.steps + config.opponents.add_every
            frozen = self.learner.frozen(deterministic=False)
            # Every pool has had as many, so that all give it one number.
            (number,) = {part.opponents.add(frozen.at(self.layout, part.players)) for part in self.env.parts}
            save_opponent(self.folder, self.layout, number, frozen, progress.steps)
            values |= self._pool_figures()
        if progress.steps >= progress.next_evaluation or self.done() >= 1:
            values |= self._pool_figures()
            progress.next_evaluation = progress.steps + config.evaluation.every
            values |= {f"evaluation/win_share/{name}": share for name, share in self.short_evaluation().items()}
        self._note(values)
        shares = "  ".join(f"{name} {share:.0%}" for name, share in (progress.shares or {}).items())
        speed = f"{values['time/steps_per_second']:,.0f}/s"
        show(f"{progress.steps:,} decisions, {speed}  {self._pool_in_words()}  {shares}")

    def _pool_figures(self) -> dict[str, float]:
        figures: dict[str, float] = {}
        for part in self.env.parts:
            figures |= part.opponents.figures(self._where(part.players))
        return figures

    def _pool_in_words(self) -> str:
        """The learner's ratings, and who is hardest for it."""
        words = ((self._where(part.players), _standing_in_words(part.opponents)) for part in self.env.parts)
        return "  ".join(where.replace("/", " ") + text for where, text in words if text)

    def _check_sane(self) -> None:
        """Raise DivergedError where the learner can no longer play."""
        when = f"after {self.model.num_timesteps:,} decisions"
        if not all(np.isfinite(weights).all() for weights in self.learner.weights.values()):
            raise DivergedError(f"the weights are no longer finite {when}")
        if isinstance(self.model._last_obs, np.ndarray):
            with np.errstate(over="ignore", invalid="ignore"):
                logits = self.learner.logits(self.model._last_obs)
            # Written so that NaN fails too.
            if not (np.abs(logits) < MAX_LOGIT).all():
                raise DivergedError(f"the policy's logits are no longer below {MAX_LOGIT:g} {when}")

    def _tick(self) -> None:
        now = time.monotonic()
        self.progress.seconds += now - self._clock
        self._clock = now

    def _note(self, values: dict[str, Any]) -> None:
        line = {"steps": self.progress.steps, "seconds": round(self.progress.seconds, 3)}
        line |= {name: float(value) for name, value in values.items()}
        with (self.folder / METRICS_FILE).open("a") as file:
            file.write(json.dumps(line) + "\n")
        for name, value in values.items():
            self.model.logger.record(name, value)
        self.model.logger.dump(self.progress.steps)

    def _warm_start(self, interrupts: Interrupts, show: Callable[[str], None]) -> bool:
        config = self.config.warm_start
        assert config is not None
        optimizer = torch.optim.Adam(self.model.policy.parameters())
        studied, began = 0, self.progress.seconds
        say(self.console, f"warm start: {config.games:,} games of {config.teacher}")
        for seeds in lesson_seeds(self._seed(_LESSONS), config.games, config.at_once):
            if interrupts.requested:
                return False
            share = studied / config.games
            if config.max_minutes is not None:
                share = max(share, (self.progress.seconds - began) / 60 / config.max_minutes)
                if share >= 1:
                    say(self.console, f"warm start: time is up after {studied:,} games")
                    break
            optimizer.param_groups[0]["lr"] = config.learning_rate * (1 - 0.9 * share)
            lessons = self._lessons(config, studied, seeds)
            entropy, squared = study(
                self.model.policy, optimizer, lessons, config.epochs, config.batch_size, config.value
            )
            self._check_sane()
            studied += len(seeds)
            self._tick()
            self._note({"warm_start/games": studied, "warm_start/entropy": entropy, "warm_start/value_loss": squared})
            show(f"warm start: {studied} of {config.games} games of {config.teacher}, cross-entropy {entropy:.3f}")
        self.progress.warm_started = True
        self._note({f"evaluation/win_share/{name}": share for name, share in self.short_evaluation().items()})
        return True

    def _lessons(self, config: WarmStartConfig, studied: int, seeds: np.ndarray) -> Lessons:
        """Lessons of games from ``seeds``, each number of players in turn, as the network reads them."""
        parts, counts = [], self.config.counts
        turns = (studied + np.arange(len(seeds))) % len(counts)
        for turn in np.unique(turns):
            players = counts[turn]
            lessons = collect(
                self.game,
                players,
                self.opponents[players][config.teacher],
                seeds[turns == turn],
                config.epsilon,
                self.config.reward,
                self.config.options,
                self.learner.inputs,
            )
            fit = self.layout.fit(players, self.network.look_ahead)
            parts.append(lessons if fit is None else lessons.fitted(fit))
        return together(parts)

    def short_evaluation(self) -> dict[str, float]:
        """Win shares of the policy against ``evaluation.opponents``; keeps the policy as ``best`` if it is."""
        config, progress = self.config.evaluation, self.progress
        agent = self.learner.frozen(deterministic=True)
        progress.shares = {
            self._where(players) + name: self._win_share(agent, players, name, config.short_games)
            for players, name in product(self.config.counts, config.opponents)
        }
        self._tick()
        mean = float(np.mean(list(progress.shares.values())))
        if mean > progress.best_share:
            progress.best_share = mean
            save_policy(
                self.folder / BEST_FOLDER, self.game, self.config.players, self.network, agent.weights, progress.steps
            )
        shares = ", ".join(f"{share:.1%} against {name}" for name, share in progress.shares.items())
        say(self.console, f"{progress.steps:,} decisions, {progress.seconds / 60:.1f} minutes: wins {shares}")
        return progress.shares

    def _win_share(self, agent: PolicyAgent, players: int, name: str, games: int) -> float:
        """Win share of ``agent`` in every seat in turn against others called ``name``, always the same deals."""
        lineups = (np.arange(games)[:, None] % players != np.arange(players)).astype(np.int64)
        seed = self._seed(_SHORT_EVALUATION)
        seeds = [int(mix_seed(seed, deal // players)) for deal in range(games)]
        agents = {"learner": agent.at(self.layout, players), "opponent": self.opponents[players][name]}
        result = play_match(self.game, players, agents, lineups, seeds, self.config.options)
        return float(win_shares(result.ranks)[lineups == 0].mean())

    def draw(self) -> None:
        """Write the picture of the learning curve, where there is something to draw."""
        from agents.curve import draw_run  # matplotlib takes a while to load

        metrics = self.folder / METRICS_FILE
        if metrics.exists() and metrics.stat().st_size:
            draw_run(self.folder)

    def save(self) -> None:
        """Write a checkpoint."""
        save_checkpoint(self.folder, self.model, self.env, self.layout, self.network, self.progress)

    def evaluate(self) -> None:
        """Play the final matches of the best policy, print their table and write ``evaluation.json``."""
        config = self.config
        policy = policy_folder(self.folder)
        if policy.name != BEST_FOLDER:
            say(self.console, f"{self.folder} holds no {BEST_FOLDER}/; the policy of {policy} is evaluated.")
        documents = []
        for players, name in product(config.counts, config.evaluation.everybody):
            evaluation = evaluate(
                self.game,
                players=players,
                agents={LEARNER_NAME: str(policy), name: name},
                games=config.evaluation.games,
                seed=self._seed(_FINAL_EVALUATION),
                options=config.options,
            )
            self.console.print(table(evaluation))
            documents.append(document(evaluation))
        write_atomically(self.folder / EVALUATION_FILE, (json.dumps(documents) + "\n").encode())

    @contextmanager
    def _bar(self) -> Iterator[Callable[[str], None]]:
        """A progress bar for terminals; call what it gives with the text to show."""
        columns = (
            rich.progress.BarColumn(),
            rich.progress.TaskProgressColumn(),
            rich.progress.TimeRemainingColumn(elapsed_when_finished=True),
            rich.progress.TextColumn("{task.description}"),
        )
        with rich.progress.Progress(*columns, console=self.console, disable=not self.console.is_terminal) as bar:
            task = bar.add_task("", total=1.0)
            yield lambda text: bar.update(task, completed=self.done(), description=text)


def _standing_in_words(pool: OpponentPool) -> str:
    """The learner's rating in the pool, and who is hardest for it."""
    drawn = {n: pool.standings[n] for n, share in pool.shares().items() if share > 0 and n in pool.standings}
    if not drawn:
        return ""
    number, standing = min(drawn.items(), key=lambda item: item[1].rate)
    return f"rating {pool.rating:+.0f}, hardest {pool.names[number]} {standing.rating:+.0f} ({standing.rate:.0%})"


def check_against_game(config: TrainConfig) -> tuple[Game, dict[int, dict[str, Agent]]]:
    """The game, and every agent that the configuration names, by number of players and name.

    Raises:
        ConfigError: no such game, number of players, option, or agent.
    """
    try:
        game = northsea_envs.get_game(config.game, config.tables).with_options(config.options)
        for players in config.counts:
            game.check_players(players)
            game.option_codes(players, config.options)
        names = {*config.opponents.baselines, *config.opponents.steady, *config.evaluation.everybody}
        if config.warm_start is not None:
            names.add(config.warm_start.teacher)
        return game, {
            players: {name: make_agent(name, game, players) for name in sorted(names)} for players in config.counts
        }
    except ValueError as error:
        raise ConfigError(str(error)) from error
