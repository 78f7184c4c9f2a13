"""Tournaments: chunks, journals, early stopping, processes. The games are the toy game's but where processes play."""

from __future__ import annotations

import json
import math
import os
import signal
import sys

import numpy as np
import pytest

from agents.chunks import InProcess, NotPossibleError
from agents.cluster import RayWorkers
from agents.evaluation import evaluate, plan
from agents.failures import AgentFailedError
from agents.journal import Journal, JournalError, read
from agents.tournament import Tournament
from agents.until import Question
from agents.workers import Processes, WorkerDiedError
from northsea_envs.agent import RandomAgent
from northsea_envs.replay import Replay
from tests.toy_game import FOLD, KEEP, Always, toy_game

GAME = toy_game()
EXACT = ("seeds", "lineups", "ranks", "scores", "decisions", "truncated")


class Counting(Always):
    """Keeps, counts its decisions, and behaves as told before a certain one."""

    def __init__(self, stop=None, at=0):
        super().__init__(KEEP)
        self.stop, self.at, self.decisions = stop, at, 0

    def act(self, decisions):
        if self.stop and self.decisions >= self.at:
            self.stop()
        self.decisions += len(decisions)
        return super().act(decisions)


def planned(keeper=None, games=64, seed=3):
    return plan(GAME, 2, {"keep": keeper or Counting(), "random": RandomAgent(GAME, 2)}, games=games, seed=seed)


def play(prepared, journal=None, until=None, **keywords):
    tournament = Tournament(prepared, until=until, **keywords)
    if journal:
        tournament.open_journal(journal)
    return tournament, tournament.play(InProcess(tournament.setup, prepared.agents))


def same(one, other):
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in EXACT)


def crash():
    raise RuntimeError("crash")


# --- chunks ---------------------------------------------------------------------------------------


def test_a_tournament_is_the_evaluation_in_chunks():
    whole = evaluate(GAME, 2, {"keep": Counting(), "random": RandomAgent(GAME, 2)}, games=64, seed=3)
    tournament, outcome = play(planned())
    assert len(list(tournament.chunks())) == 16
    assert outcome.complete
    assert same(outcome.evaluation.result, whole.result)
    _, uneven = play(planned(), chunk_deals=[5])
    assert same(uneven.evaluation.result, whole.result)


def test_chunks_cover_every_game_once():
    tournament = Tournament(plan(GAME, 4, {name: Always(KEEP) for name in "abc"}, games=100, seed=1))
    played = [
        (chunk.pairing, chunk.first + deal, *seating)
        for chunk in tournament.chunks()
        for deal in range(len(chunk.seeds))
        for seating in chunk.seatings.tolist()
    ]
    assert len(played) == len(set(played)) == len(tournament) == 3 * 108  # 12 seatings, 9 deals


def test_thinking_time_leaves_the_first_call_out():
    prepared = planned()
    _, outcome = play(prepared)
    # Each chunk is a match of its own, whose first call asks for at most a decision of each game.
    decisions, seconds = outcome.thinking["keep"]
    asked = prepared.agents["keep"].decisions
    assert 0 < asked - decisions <= len(Tournament(prepared))
    assert seconds > 0
    assert outcome.evaluation.result.thinking_times["keep"] == seconds / decisions


@pytest.mark.parametrize("batch", [0, -1])
def test_a_batch_has_games(batch):
    with pytest.raises(NotPossibleError, match=f"batch={batch} is not allowed"):
        Tournament(planned(), batch=batch)


# --- going on -------------------------------------------------------------------------------------


def test_going_on_after_a_crash_plays_the_rest_and_nothing_twice(tmp_path):
    whole = play(planned())[1].evaluation.result
    per_seat = int(whole.decisions.sum()) // 2
    broken = Counting(crash, at=per_seat // 2)
    with pytest.raises(RuntimeError, match="crash"):
        play(planned(broken), tmp_path / "journal")
    # Torn as by kill -9 while a line was written.
    with (tmp_path / "journal").open("ab") as file:
        file.write(b'{"chunk": [0, 30, 32], "ranks": [[1,')
    kept = len(read(tmp_path / "journal")[1])
    assert 0 < kept < 16

    healthy = Counting()
    tournament = Tournament(planned(healthy))
    assert tournament.open_journal(tmp_path / "journal") == 4 * kept
    outcome = tournament.play(InProcess(tournament.setup, tournament.plan.agents))
    assert same(outcome.evaluation.result, whole)
    # The keeper decides as often as its opponent.
    assert healthy.decisions == int(whole.decisions[4 * kept :].sum()) // 2
    assert len(read(tmp_path / "journal")[1]) == 16


def test_a_finished_journal_plays_nothing(tmp_path):
    first = play(planned(), tmp_path / "journal")[1]
    idle = Counting()
    second = play(planned(idle), tmp_path / "journal")[1]
    assert idle.decisions == 0
    assert same(first.evaluation.result, second.evaluation.result)
    assert first.thinking == second.thinking


def test_ctrl_c_lets_the_chunk_end(tmp_path):
    told = []
    broken = Counting(lambda: os.kill(os.getpid(), signal.SIGINT), at=1)
    prepared = planned(broken)
    tournament = Tournament(prepared)
    tournament.open_journal(tmp_path / "journal")
    broken_once = broken.stop

    def stop_once():
        broken.stop = None
        broken_once()

    broken.stop = stop_once
    before = signal.getsignal(signal.SIGINT)
    outcome = tournament.play(InProcess(tournament.setup, prepared.agents), notice=lambda: told.append("told"))
    assert told == ["told"]
    assert not outcome.complete
    assert len(outcome.evaluation.result) == 4
    assert len(read(tmp_path / "journal")[1]) == 1
    assert signal.getsignal(signal.SIGINT) is before


def test_another_tournament_does_not_go_on(tmp_path):
    path = tmp_path / "journal"
    play(planned(), path)
    with pytest.raises(JournalError, match=r"another tournament .*: seed 3 there, 4 here\. Give the same command"):
        Tournament(planned(seed=4)).open_journal(path)
    with pytest.raises(JournalError, match="games 64 there, 32 here; chunk_deals"):
        Tournament(planned(games=32)).open_journal(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: ["{}\n", *lines[1:]], "not a journal: its first line does not have format"),
        (lambda lines: [lines[0], "nonsense\n", *lines[1:]], "damaged: line 2 is not JSON"),
        (lambda lines: [lines[0], "[1]\n", *lines[1:]], "damaged: line 2 is not a JSON object"),
        (lambda lines: [*lines, lines[1]], "damaged: line 18 is no chunk of this tournament"),
        (lambda lines: [lines[0], lines[1].replace('"ranks": [[', '"ranks": [[9], ['), *lines[2:]], "damaged: line 2"),
        (lambda lines: [lines[0], lines[1].replace("decisions", "other"), *lines[2:]], "damaged: line 2"),
    ],
)
def test_a_damaged_journal_is_refused(tmp_path, change, message):
    path = tmp_path / "journal"
    play(planned(), path)
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    before = path.read_bytes()
    with pytest.raises(JournalError) as error:
        Tournament(planned()).open_journal(path)
    assert message in str(error.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: line["ranks"].__setitem__(0, [10**30, 1]), "ranks of object"),
        (lambda line: line["ranks"].__setitem__(0, [7, 9]), "ranks that are not the places of a game"),
        (lambda line: line["ranks"].__setitem__(0, [1.5, 1]), "ranks of float64"),
        (lambda line: line["ranks"].pop(), "ranks of int64 and shape (3, 2), which must have shape (4, 2)"),
        (lambda line: line["scores"].__setitem__(0, [math.nan, 1]), "scores that are not finite"),
        (lambda line: line["scores"].__setitem__(0, [10**400, 1]), "scores of object"),
        (lambda line: line["decisions"].__setitem__(0, -1), "decisions below 0"),
        (lambda line: line["truncated"].__setitem__(0, 1), "truncated of"),
        (lambda line: line["thinking"].update(keep=[-5, 1.0]), "thinking of 'keep' -5 and 1.0"),
        (lambda line: line["thinking"].update(keep=[1, -1.0]), "thinking of 'keep' 1 and -1.0"),
        (lambda line: line["thinking"].update(keep=[1, 10**400]), "OverflowError"),
        # A game has at most 6 decisions, and the chunk four games.
        (lambda line: line["thinking"].update(keep=[25, 1.0]), "more decisions were timed than made"),
        (lambda line: line["thinking"].pop("keep"), "KeyError('keep')"),
    ],
)
def test_a_line_that_no_chunk_can_give_is_refused(tmp_path, change, message):
    path = tmp_path / "journal"
    play(planned(), path)
    lines = path.read_text().splitlines()
    line = json.loads(lines[1])
    change(line)
    path.write_text("\n".join((lines[0], json.dumps(line), *lines[2:])) + "\n")
    with pytest.raises(JournalError) as error:
        Tournament(planned()).open_journal(path)
    assert str(error.value).startswith(f"{path}: damaged: line 2 is no chunk of this tournament (")
    assert message in str(error.value)


@pytest.mark.parametrize("seed", [-4, 2**63, True, "3"])
def test_a_journal_of_a_seed_that_is_none_is_refused(tmp_path, seed):
    path = tmp_path / "journal"
    Journal(path, {"seed": seed}, {}).close()
    with pytest.raises(JournalError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: damaged: line 1: seed={seed!r} is not allowed")


def test_a_journal_torn_in_its_first_line_begins_anew(tmp_path):
    path = tmp_path / "journal"
    path.write_bytes(b'{"format": "northsea-jou')
    journal = Journal(path, {"seed": 1}, {})
    journal.add({"chunk": [0, 0, 1]})
    journal.close()
    header, lines, size = read(path)
    assert header["identity"] == {"seed": 1}
    assert (lines, size) == ([{"chunk": [0, 0, 1]}], path.stat().st_size)


# --- early stopping -------------------------------------------------------------------------------


def test_a_tournament_stops_when_its_question_is_settled():
    prepared = plan(GAME, 2, {"keep": Always(KEEP), "fold": Always(FOLD)}, games=4000, seed=3)
    question = Question("keep", "fold", 95)
    tournament, outcome = play(prepared, until=question)
    assert outcome.complete
    assert outcome.answer.settled == 1
    # Won always: between ln 40 / ln 1.75 = 6.6 deals and a dozen.
    assert 7 <= outcome.answer.deals < 12
    assert len(outcome.evaluation.result) == 2 * outcome.answer.deals
    assert tournament.finished.sum() < 4000
    # Where it stops does not depend on how games were gathered.
    other = play(prepared, until=question, chunk_deals=[3])[1]
    assert other.answer == outcome.answer
    assert same(other.evaluation.result, outcome.evaluation.result)


def test_an_open_question_plays_everything():
    prepared = plan(GAME, 2, {"a": Always(KEEP), "b": Always(KEEP)}, games=20, seed=3)
    outcome = play(prepared, until=Question("a", "b", 95))[1]
    assert (outcome.answer.settled, outcome.answer.deals, outcome.complete) == (0, 10, True)
    assert "not settled at 95% after 10 deals" in str(outcome.answer)


# --- replays --------------------------------------------------------------------------------------


def test_replays_are_the_games(tmp_path):
    prepared = plan(GAME, 2, {"keep": Always(KEEP), "random": RandomAgent(GAME, 2)}, games=6, seed=3)
    _, outcome = play(prepared, replays=tmp_path / "replays")
    assert len(list((tmp_path / "replays").iterdir())) == 6
    result = outcome.evaluation.result
    for k in range(6):
        path = tmp_path / "replays" / f"pairing_0_deal_{k // 2}_seating_{k % 2}.json"
        replay = Replay.load(path)
        final = replay.verify(GAME)
        assert replay.seed == result.seeds[k]
        assert len(replay.actions) == result.decisions[k]
        assert final[0].points[:2].tolist() == result.scores[k].tolist()
        assert json.loads(path.read_text())["seating"] == [result.names[a] for a in result.lineups[k]]


# --- processes ------------------------------------------------------------------------------------


def test_one_process_and_several_give_the_same(tmp_path):
    prepared = plan("vikings", 2, ["random", "greedy"], games=48, seed=11)
    _, alone = play(prepared)
    tournament = Tournament(prepared, replays=tmp_path / "replays")
    tournament.open_journal(tmp_path / "journal")
    together = tournament.play(Processes(tournament.setup, 2))
    assert same(alone.evaluation.result, together.evaluation.result)
    assert len(read(tmp_path / "journal")[1]) == len(list(tournament.chunks()))
    assert len(list((tmp_path / "replays").iterdir())) == 48
    assert together.thinking["greedy"][0] > 0


def test_a_worker_that_dies_is_told(tmp_path):
    prepared = plan("vikings", 2, ["random", "tests.test_tournament:Dying"], games=48, seed=11)
    tournament = Tournament(prepared)
    with pytest.raises(WorkerDiedError, match="a worker process died before its chunk was done"):
        tournament.play(Processes(tournament.setup, 1))


def test_what_an_agent_raises_in_another_process_is_told():
    prepared = plan("vikings", 2, ["random", "tests.test_tournament:Raising"], games=48, seed=11)
    tournament = Tournament(prepared)
    with pytest.raises(AgentFailedError, match=r"test_tournament:Raising' raised TwoTextsError: one when") as told:
        tournament.play(Processes(tournament.setup, 1))
    assert "in act\n    raise TwoTextsError" in told.value.trace


class TwoTextsError(Exception):
    """Cannot be unpickled: its arguments are not those of its text."""

    def __init__(self, one, two):
        super().__init__(one)


class Raising:
    """Raises when asked."""

    needs_observation = False

    def __init__(self, game, players):
        pass

    def act(self, decisions):
        raise TwoTextsError("one", "two")


class Dying:
    """Ends the process that asks it."""

    needs_observation = False

    def __init__(self, game, players):
        pass

    def act(self, decisions):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_cluster_needs_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NotPossibleError, match=r'a cluster needs Ray: pip install "northsea-envs\[cluster\]"'):
        RayWorkers(Tournament(planned()).setup, "auto")


def test_there_is_at_least_one_process():
    with pytest.raises(NotPossibleError, match="processes=0 is not allowed"):
        Processes(Tournament(planned()).setup, 0)


def test_places_are_filled_in_the_schedules_order():
    tournament, outcome = play(planned(games=10))
    result = outcome.evaluation.result
    assert np.array_equal(result.seeds, tournament.plan.deal_seeds[tournament.plan.schedule.deal])
    assert outcome.evaluation.plan.schedule.lineups.tolist() == result.lineups.tolist()
