"""Train an agent: ``python train.py configs/vikings/quick.yaml``.

Everything about a training is in its YAML file (``agents/config.py`` says what it may hold); ``--set`` changes single
values. A run's folder holds checkpoints that it can go on from, the best policy, metrics, the learning curve and the
final evaluation (``docs/training.md``).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

# Read when numpy and torch are loaded. Threads that wait in a busy loop for one another lose more than they bring where
# anything else runs on the machine (measured: a twentieth of the speed), and opponents' batches are small.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from rich.console import Console

from agents.checkpoint import MismatchError
from agents.config import ConfigError, TrainConfig, read_config, write_config
from agents.policy import checkpoints
from agents.runs import CONFIG_FILE, METRICS_FILE, RUN_FILE, describe, lock, new_folder, note_session
from agents.training import DivergedError, Interrupts, Training, check_against_game, say
from northsea_envs.agent import AgentError
from northsea_envs.files import write_atomically


def go_on(config: TrainConfig, folder: Path, console: Console) -> Training:
    """The run in ``folder`` from its newest checkpoint that is whole; damaged ones are set aside with a warning.

    One that ended before anything was noted begins anew.

    Raises:
        ConfigError: it has no checkpoint any more.
        AgentError: no checkpoint can be used.
    """
    found = checkpoints(folder)
    if not found and not (folder / METRICS_FILE).exists():
        say(console, f"{folder} has not come to its first checkpoint; it begins anew.")
        return Training(config, folder, None, console)
    if not found:
        raise ConfigError(f"--resume {folder}: it holds no checkpoint")
    damaged: dict[Path, AgentError] = {}
    for checkpoint in reversed(found):
        try:
            training = Training(config, folder, checkpoint, console)
        except MismatchError:
            raise
        except AgentError as error:
            damaged[checkpoint] = error
            continue
        for bad, reason in damaged.items():
            aside = bad.with_name(f"damaged_{bad.name}")
            if aside.exists():
                aside = bad.with_name(f"{aside.name}_{time.time_ns()}")
            # Under its own name it would count as the newest.
            bad.rename(aside)
            say(console, f"Warning: {reason}. It is set aside as {aside.name}; going on from {checkpoint}.")
        return training
    raise damaged[found[-1]]


def begin(arguments: argparse.Namespace, console: Console, held: ExitStack) -> Training:
    """A new run, or one that goes on; its folder stays locked until ``held`` closes."""
    if arguments.resume is not None:
        folder = Path(arguments.resume)
        if not (folder / CONFIG_FILE).is_file():
            raise ConfigError(f"--resume {folder}: there is no {CONFIG_FILE}, so it is no run's folder")
        held.callback(lock(folder).release)
        config = read_config(folder / CONFIG_FILE, arguments.set)
        training = go_on(config, folder, console)
        write_atomically(folder / CONFIG_FILE, write_config(config).encode())
        _note_session(training, arguments.set)
        return training
    config = read_config(arguments.config, arguments.set)
    game, _ = check_against_game(config)
    folder = new_folder(config, config.name or Path(arguments.config).stem, arguments.run_dir)
    held.callback(lock(folder).release)
    write_atomically(folder / CONFIG_FILE, write_config(config).encode())
    write_atomically(folder / RUN_FILE, (json.dumps(describe(config, game), indent=2) + "\n").encode())
    training = Training(config, folder, None, console)
    _note_session(training, arguments.set)
    return training


def _note_session(training: Training, overrides: Sequence[str]) -> None:
    about = describe(training.config, training.game)
    warning = note_session(training.folder, about, training.progress.steps, overrides)
    if warning is not None:
        say(training.console, warning)


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="train.py", description="Train an agent by self-play with MaskablePPO.")
    parser.add_argument("config", nargs="?", help="YAML file, such as configs/vikings/quick.yaml")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change a value: ppo.learning_rate=3e-4"
    )
    parser.add_argument("--resume", metavar="RUN", help="go on with the run in this folder")
    parser.add_argument("--run-dir", metavar="DIR", help="the run's folder; runs/<game>/<name of the file> by default")
    arguments = parser.parse_args(argv)
    if (arguments.config is None) == (arguments.resume is None):
        parser.error("give either a configuration or --resume RUN")
    if arguments.resume is not None and arguments.run_dir is not None:
        parser.error("--run-dir is for new runs; --resume RUN goes on in its own folder")
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code: 0 when the training has ended, 1 if it diverged, 2 for bad input, 130 after Ctrl-C."""
    arguments = parse(argv)
    console = Console()
    training = None
    with Interrupts(console) as interrupts, ExitStack() as held:
        try:
            training = begin(arguments, console, held)
            say(console, f"Run: {training.folder}")
            if training.progress.complete and training.done() >= 1:
                say(console, f"{training.folder} is complete; raise total_steps or max_minutes with --set to go on.")
            elif training.run(interrupts):
                say(console, f"Trained {training.progress.steps:,} decisions: {training.folder}")
            else:
                raise KeyboardInterrupt
            training.draw()
            interrupts.at_once = True
            if interrupts.requested:
                raise KeyboardInterrupt
            training.evaluate()
        except KeyboardInterrupt:
            where = training.folder if training is not None else None
            say(
                console,
                "Interrupted." + (f" Go on with: python train.py --resume {shlex.quote(str(where))}" if where else ""),
            )
            return 130
        except (ConfigError, AgentError) as error:
            print(f"train.py: {error}", file=sys.stderr)
            return 2
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            print(f"train.py: {place}{error.strerror or error}", file=sys.stderr)
            return 2
        except (MemoryError, RuntimeError) as error:
            # torch has no class of its own for this.
            if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
                raise
            print(
                "train.py: there is not enough memory; lower num_envs, ppo.n_steps, the layers of network or "
                "warm_start.at_once",
                file=sys.stderr,
            )
            return 2
        except DivergedError as error:
            print(
                f"train.py: {error}; the last checkpoint of {training.folder if training else None} is from before. "
                "Go on with a lower ppo.learning_rate: --resume ... --set ppo.learning_rate=...",
                file=sys.stderr,
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
