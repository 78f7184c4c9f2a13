"""The command line, the table and the JSON document. Results of the toy game are worked out by hand."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock
from rich.console import Console

import evaluate as script
import northsea_envs
from agents import report
from agents.commands import COMMANDS
from agents.evaluation import evaluate
from agents.tournament import Tournament
from tests.conftest import python
from tests.toy_game import FOLD, KEEP, Always, cut_short, toy_game

GAME = toy_game()
ROOT = Path(__file__).resolve().parents[1]
KEEPER = "tests.toy_game:Keeper"


@pytest.fixture
def toy(monkeypatch):
    """The command line plays the toy game, whatever game it is asked for."""
    monkeypatch.setattr(northsea_envs, "get_game", lambda name, tables=None: GAME)
    monkeypatch.setattr(sys, "path", sys.path[:])


def keep_and_fold(games: int = 4):
    return evaluate(GAME, 2, {"keep": Always(KEEP), "fold": Always(FOLD)}, games=games, seed=3)


def printed(evaluation, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(report.table(evaluation))
    return console.file.getvalue()


def words(text: str) -> str:
    """Text with all white space made single spaces."""
    return " ".join(text.split())


# --- table ----------------------------------------------------------------------------------------


def test_table_says_who_won_how_often():
    text = printed(keep_and_fold(games=40))
    assert "Toy (toy_v0), 2 players" in text
    assert "keep vs fold" in text
    # Twenty deals, all won: 0.025 ** (1 / 20) = 0.8316; places on 1 .. 2: 1 + 0.1684.
    assert "keep 100.0% (83.2..100.0) 1.00 (1.00..1.17)" in words(text)
    assert "fold 0.0% (0.0..16.8) 2.00 (1.83..2.00) 0.0 (0.0..0.0)" in words(text)
    assert "40 games a pairing" in text
    assert "an even field wins 50.0%" in words(text)
    assert max(map(len, text.splitlines())) <= 80


def test_table_says_how_many_games_were_cut_short():
    game = replace(GAME, truncated=cut_short)
    agents = {"keep": Always(KEEP), "fold": Always(FOLD)}
    evaluation = evaluate(game, 2, agents, games=40, seed=3)
    # Those of more than one round in which the first seat keeps.
    long = sum(int(state.rounds_left) > 1 for state in GAME.new_states(2, evaluation.plan.deal_seeds.tolist()))
    assert long > 0
    assert f"; {long} games were cut short by the limit on their length" in words(printed(evaluation))
    assert sum(entry["truncated"] for entry in report.document(evaluation)["games"]) == long
    assert "cut short" not in printed(keep_and_fold(games=40))


def test_table_of_one_deal_has_no_intervals():
    lines = printed(keep_and_fold(games=2)).splitlines()
    assert ["keep", "100.0%", "1.00"] in [line.split()[:3] for line in lines]


def test_table_of_an_agent_that_plays_itself_shows_the_seats():
    text = printed(evaluate(GAME, 3, {"keep": Always(KEEP)}, games=10))
    assert "3 x keep" in text
    for seat in range(3):  # all tie in every game
        assert f"in seat {seat} 33.3% (" in words(text)


def test_table_over_all_pairings_where_more_agents_than_seats_meet():
    text = printed(evaluate(GAME, 2, {"a": Always(KEEP), "b": Always(FOLD), "c": Always(FOLD)}, games=4))
    assert "a vs b" in text
    assert "b vs c" in text
    assert "all pairings" in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.345, "12.3 s"), (0.25, "250 ms"), (4.2e-5, "42.0 µs"), (0.0, "0.00 µs")]
)
def test_table_says_how_long_agents_thought(seconds, text):
    evaluation = keep_and_fold()
    evaluation.result.thought["fold"] = seconds * evaluation.result.asked["fold"]
    assert f"fold {text}" in words(printed(evaluation)).partition("thinking time a decision")[2]


# --- JSON -----------------------------------------------------------------------------------------


def test_document_holds_what_was_played_and_every_result(tmp_path):
    evaluation = evaluate(
        GAME, 2, {"keep": Always(KEEP), "fold": Always(FOLD)}, games=3, seed=3, options={"low_wins": True}
    )
    report.write_json(evaluation, tmp_path / "out.json")
    document = json.loads((tmp_path / "out.json").read_text())
    assert document == json.loads(json.dumps(report.document(evaluation)))
    seeds = evaluation.plan.deal_seeds.tolist()
    lengths = [int(game.rounds_left) for game in GAME.new_states(2, seeds)]
    always = "tests.toy_game:Always"
    games = document.pop("games")
    summary = document.pop("summary")
    assert document == {
        "format": 2,
        "game": "toy_v0",
        "package_version": northsea_envs.__version__,
        "tables_fingerprint": GAME.fingerprint,
        "players": 2,
        "options": {"low_wins": True},
        "agents": [{"name": "keep", "spec": always}, {"name": "fold", "spec": always}],
        "seed": 3,
        "games_asked": 3,
        "schedule": [{"pairing": "keep vs fold", "deals": 2, "seatings": [["keep", "fold"], ["fold", "keep"]]}],
        "overall": None,
    }
    expected = []
    for seed, length in zip(seeds, lengths, strict=True):
        shared = {"pairing": 0, "seed": seed, "decisions": 2 * length, "truncated": False}
        expected.append(shared | {"seating": ["keep", "fold"], "ranks": [2, 1], "scores": [length, 0]})
        expected.append(shared | {"seating": ["fold", "keep"], "ranks": [1, 2], "scores": [0, length]})
    assert games == expected
    fold = summary["keep vs fold"]["agents"]["fold"]
    assert (fold["seats_held"], fold["games"]) == (1, 4)
    assert (fold["win_share"]["mean"], fold["win_share"]["high"]) == (1, 1)
    assert fold["score"] == {"mean": 0, "low": 0, "high": 0}
    assert [seat["mean"] for seat in summary["keep vs fold"]["win_share_by_seat"]] == [0.5, 0.5]


def test_seeds_survive_readers_that_keep_numbers_as_doubles():
    seeds = keep_and_fold(games=200).plan.deal_seeds
    assert all(int(float(seed)) == seed for seed in seeds)


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "out.json"
    path.write_text("before")

    def fail(source, target):
        raise OSError("disk is full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk is full"):
        report.write_json(keep_and_fold(), path)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("out.json", "before")]


def test_looking_whether_a_file_can_be_written_leaves_nothing(tmp_path):
    report.check_writable(tmp_path / "out.json")
    assert list(tmp_path.iterdir()) == []


# --- command line ---------------------------------------------------------------------------------


def test_command_prints_the_table_and_writes_the_file(toy, tmp_path, capsys):
    path = tmp_path / "out.json"
    arguments = ["toy", "--players", "3", "--agents", KEEPER, "random", "--games", "10", "--seed", "5"]
    assert script.main([*arguments, "--set", "low_wins=True", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    assert "12 (4 deals, seatings of each: 3); 10 asked, rounded up so that every seating plays the same deals" in out
    assert "vs 2 x random" in words(out)
    document = json.loads(path.read_text())
    assert (document["seed"], document["games_asked"], len(document["games"])) == (5, 10, 24)
    assert document["options"] == {"low_wins": True}
    assert [(agent["name"], agent["spec"]) for agent in document["agents"]] == [(KEEPER, KEEPER), ("random", "random")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["chess"], "there is no game 'chess'; games: vikings"),
        (["vikings_v99"], "there is no 'vikings_v99'; the version here is"),
        (["vikings", "--players", "5"], "num_players=5 is not allowed; Vikings takes 2 to 4"),
        (["vikings", "--players", "two"], "argument --players: invalid int value: 'two'"),
        (["vikings", "--agents", "clever"], "agent 'clever' is not known"),
        (["vikings", "--agents", "greedy:depth=2"], "agent 'greedy:depth=2': parameter 'depth' is not known"),
        (["vikings", "--agents", "no_such_module:Agent"], "there is no module 'no_such_module'"),
        (["vikings", "--agents", "runs/\x1b[2J"], r"agent 'runs/\x1b[2J' holds '\x1b', which no report can show"),
        (["vikings", "--agents", "runs/\udcff"], r"agent 'runs/\udcff' holds '\udcff', which no report can show"),
        (["vikings", "--agents", "search:trees=1,trees=2"], "'search:trees=1,trees=2': parameter trees is given twice"),
        (["vikings", "--games", "0"], "games=0 is not allowed; it must be at least 1"),
        (["vikings", "--seed", "-1"], "seed=-1 is not allowed"),
        (["vikings", "--batch", "0"], "--batch 0 is not allowed; at least one game must run"),
        (["vikings", "--set", "colour=red"], "unknown option 'colour' of vikings_v0; known: start_seat,"),
        (["vikings", "--set", "start_seat"], "--set 'start_seat' is not of the form option=value"),
        (["vikings", "--set", "ship_opening_mode=far"], "choose from adjacent, any_of_first_three"),
        (["vikings", "--set", "start_seat=3"], "start_seat=3 is not allowed; choose from None, 0, 1"),
        (["vikings", "--set", "start_seat=1", "--set", "start_seat=0"], "option 'start_seat' is set twice"),
        (["vikings", "--tables", "no/such/folder"], "no/such/folder"),
        (["vikings", "--json", "no/such/folder/out.json"], "there is no folder no/such/folder"),
        (["vikings", "--json", "."], ". is a folder; give the name of a file"),
        (["vikings", "--loud"], "unrecognized arguments: --loud"),
        (["vikings", "--html", "."], ". is a folder; give the name of a file"),
        (["vikings", "--json", "x", "--html", "x"], "--html x is the same file as --json; give another name"),
        (["vikings", "--html", "x", "--markdown", "docs/../x"], "--markdown docs/../x is the same file as --html"),
        (["vikings", "--json", "x", "--html", "x.journal"], "--html x.journal is the same file as the journal of"),
        (["vikings", "--json", "-"], "--json -: standard output is not possible; give the name of a file"),
        (["vikings", "--until", "greedy>random@95%"], "no agent is called 'greedy'; agents: random"),
        (["vikings", "--processes", "0"], "--processes 0 is not allowed; at least one must play"),
        (["vikings", "--save-replays", "README.md"], "--save-replays README.md is a file; give the name of a folder"),
        (["vikings", "--save-replays", "docs"], "--save-replays docs is not empty; give the name of a new folder"),
        (["verify", "README.md"], "README.md: not JSON"),
        (["verify", "README.md", "--games", "0"], "--games 0 is not allowed"),
        (["report", "no/such/file.json"], "no/such/file.json cannot be read: No such file or directory"),
        (["replay", "README.md"], "README.md: not JSON"),
    ],
)
def test_a_bad_request_is_one_line_and_plays_nothing(change, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(Tournament, "play", lambda *_: pytest.fail("it was played"))
    defaults = {"--players": "2", "--agents": "random", "--games": "4"}
    given = [part for name, value in defaults.items() if name not in change for part in (name, value)]
    if change[0] in COMMANDS:
        given = []
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as exit_:
        script.main([*change, *given])
    assert exit_.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("evaluate.py")
    assert message in captured.err
    assert captured.err.count("\n") == 1


AGENTS = '''
import numpy as np

class Illegal:
    needs_observation = False
    def __init__(self, game, players):
        pass
    def act(self, decisions):
        return np.full(len(decisions), 3)

class Impatient:
    """Behaves after so many calls as if Ctrl-C was pressed."""
    needs_observation = False
    calls = 0
    def __init__(self, game, players):
        self.left = self.calls
    def act(self, decisions):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return np.zeros(len(decisions), int)

class Patient(Impatient):
    calls = 25

class Raising(Illegal):
    def act(self, decisions):
        raise KeyError("mine")

class Exiting(Illegal):
    def act(self, decisions):
        raise SystemExit(3)

class Unmakeable:
    def __init__(self, game, players):
        raise KeyError("mine")

class Leaving:
    def __init__(self, game, players):
        raise SystemExit(3)

class Refusing:
    def __init__(self, game, players):
        raise ValueError("no such thing")
'''


@pytest.fixture
def folder_with_agents(tmp_path, monkeypatch):
    (tmp_path / "agents_of_mine.py").write_text(AGENTS)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("agents_of_mine", None)


def test_an_agent_that_misplays_is_named(toy, folder_with_agents, capsys):
    code = script.main(["toy", "--players", "2", "--agents", "agents_of_mine:Illegal", "random", "--games", "2"])
    assert code == 1
    error = capsys.readouterr().err
    assert "evaluate.py: agent 'agents_of_mine:Illegal' chose action 3 (NEVER) for seat" in error


@pytest.mark.parametrize(("agent", "raised"), [("Raising", "KeyError: 'mine'"), ("Exiting", "SystemExit: 3")])
def test_an_agent_that_raises_is_named_below_its_traceback(toy, folder_with_agents, agent, raised, capsys):
    name = f"agents_of_mine:{agent}"
    assert script.main(["toy", "--players", "2", "--agents", name, "--games", "1"]) == 1
    *trace, last = capsys.readouterr().err.rstrip("\n").split("\n")
    assert last == f"evaluate.py: agent '{name}' raised {raised} when asked for a decision"
    assert "Traceback (most recent call last):" in trace
    assert raised in trace


@pytest.mark.parametrize(
    ("agent", "raised"),
    [("Unmakeable", "KeyError: 'mine'"), ("Leaving", "SystemExit: 3"), ("Refusing", "ValueError: no such thing")],
)
def test_an_agent_that_cannot_be_made_is_named(toy, folder_with_agents, agent, raised, tmp_path, capsys):
    name = f"agents_of_mine:{agent}"
    with pytest.raises(SystemExit) as exit_:
        script.main(["toy", "--players", "2", "--agents", name, "--games", "2"])
    assert exit_.value.code == 2
    line = AGENTS.split("\n").index(f"class {agent}:") + 3
    place = f"{tmp_path / 'agents_of_mine.py'}, line {line}"
    assert capsys.readouterr().err == f"evaluate.py: agent '{name}' cannot be made: it raised {raised} ({place})\n"


def test_interrupt_before_a_deal_is_complete(toy, folder_with_agents, capsys):
    code = script.main(["toy", "--players", "2", "--agents", "agents_of_mine:Impatient", "--games", "9"])
    assert code == 130
    assert capsys.readouterr().err.endswith("evaluate.py: interrupted before a deal was complete\n")


def test_interrupt_shows_the_complete_deals_and_writes_nothing(toy, folder_with_agents, tmp_path, capsys):
    arguments = ["toy", "--players", "2", "--agents", "agents_of_mine:Patient", "--games", "50", "--seed", "0"]
    assert script.main([*arguments, "--batch", "1", "--json", "out.json"]) == 130
    captured = capsys.readouterr()
    # One game at a time, one call a decision: 25 decisions in games of 2, 4 or 6.
    seeds = evaluate(GAME, 2, {"keep": Always(KEEP)}, games=50).result.seeds
    lengths = [2 * int(game.rounds_left) for game in GAME.new_states(2, seeds)]
    complete = next(n for n in range(50) if sum(lengths[: n + 1]) > 25)
    assert f"{complete} games a pairing" in words(captured.out)
    assert f"interrupted: {complete} of 50 games count" in captured.err
    assert "out.json is not written" in captured.err
    assert not (tmp_path / "out.json").exists()


def test_the_script_plays_a_game_of_the_suite(tmp_path):
    command = [sys.executable, str(ROOT / "evaluate.py"), "vikings", "--players", "2", "--agents", "random"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*command, "--games", "3", "--set", "ship_opening_mode=any_of_first_three", "--json", "out.json"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "2 x random" in done.stdout
    document = json.loads((tmp_path / "out.json").read_text())
    game = northsea_envs.get_game("vikings")
    assert (document["game"], document["tables_fingerprint"]) == (game.id, game.fingerprint)
    assert document["options"]["ship_opening_mode"] == "any_of_first_three"
    assert [sorted(record["seating"]) for record in document["games"]] == [["random", "random"]] * 3


def test_a_progress_bar_that_nobody_reads_stops_nothing():
    code = """
import os, sys
reader, writer = os.pipe()
os.close(reader)
os.dup2(writer, sys.stderr.fileno())
from agents.commands import progress_bar
with progress_bar() as bar:
    bar.console.print("finishing")
print("finished")
"""
    assert python("-c", code).stdout == "finished\n"


# --- tournaments ----------------------------------------------------------------------------------


def command(*more: str, players: int = 2) -> list[str]:
    return ["toy", "--players", str(players), "--agents", KEEPER, "random", "--games", "64", *more]


@pytest.fixture(scope="module")
def results_file(tmp_path_factory) -> str:
    """The contents of a results file of the toy game."""
    path = tmp_path_factory.mktemp("results") / "out.json"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(northsea_envs, "get_game", lambda name, tables=None: GAME)
        assert script.main(command("--json", str(path))) == 0
    return path.read_text()


def test_a_tournament_is_written_verified_reported_and_shown(toy, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written = ["--json", "out.json", "--html", "out.html", "--markdown", "out.md", "--save-replays", "games"]
    assert script.main(command(*written)) == 0
    seed = json.loads((tmp_path / "out.json").read_text())["seed"]
    assert f"; seed {seed}" in words(capsys.readouterr().out)
    assert {path.name for path in tmp_path.iterdir()} == {"out.json", "out.html", "out.md", "games"}
    assert script.main(["verify", "out.json"]) == 0
    assert "reproduces to the bit: 64 of 64 games were played again; figures follow" in capsys.readouterr().out
    assert script.main(["report", "out.json", "--markdown", "again.md"]) == 0
    assert (tmp_path / "again.md").read_text() == (tmp_path / "out.md").read_text()
    (tmp_path / "out.html").rename(tmp_path / "first.html")
    assert script.main(["report", "out.json"]) == 0
    assert (tmp_path / "out.html").read_text() == (tmp_path / "first.html").read_text()
    capsys.readouterr()
    assert script.main(["replay", "games/pairing_0_deal_0_seating_0.json", "--words", "--to", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("1. seat 0 (")

    contents = (tmp_path / "out.json").read_text()
    (tmp_path / "out.json").write_text(contents.replace('"truncated": false', '"truncated": true', 1))
    assert script.main(["verify", "out.json", "--all"]) == 1
    assert "truncated True there, False here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "--html r.html is the same file as the results; give another name"),
        (["--markdown", "r.html"], "--markdown r.html is the same file as the results"),
        (["--html", "link"], "--html link is the same file as the results"),
        (["--html", "x", "--markdown", "./x"], "--markdown ./x is the same file as --html"),
    ],
)
def test_a_report_overwrites_neither_its_results_nor_the_other(
    toy, results_file, more, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.html").write_text(results_file)
    (tmp_path / "link").symlink_to("r.html")
    with pytest.raises(SystemExit) as exit_:
        script.main(["report", "r.html", *more])
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"r.html", "link"}
    assert (tmp_path / "r.html").read_text() == results_file


def test_files_are_written_though_nobody_reads_the_tables(toy, tmp_path, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)
        names = [str(tmp_path / name) for name in ("out.json", "out.html", "out.md")]
        assert script.main(command("--json", names[0], "--html", names[1], "--markdown", names[2])) == 0
        assert {path.name for path in tmp_path.iterdir()} == {"out.json", "out.html", "out.md"}
        assert script.main(["verify", names[0]]) == 0
        assert script.main(["report", names[0]]) == 0


def test_a_terminal_that_knows_ascii_only(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(report, "_duration", lambda seconds: "42.0 µs")
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="ascii"))
    assert script.main(command("--json", str(tmp_path / "out.json"))) == 0
    assert (tmp_path / "out.json").exists()
    assert shown.getvalue().decode("ascii").count("42.0 \\xb5s") == 2


def test_tables_are_printed_where_a_file_cannot_be_written(toy, tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError("disk is full")

    monkeypatch.setattr(script, "write_document", full)
    assert script.main(command("--json", str(tmp_path / "out.json"))) == 1
    captured = capsys.readouterr()
    assert "64 games a pairing" in words(captured.out)
    assert captured.err.endswith("evaluate.py: a file cannot be written: disk is full\n")


def test_seeds_are_drawn_anew(toy, tmp_path):
    path = tmp_path / "out.json"
    seeds = set()
    for _ in range(3):
        assert script.main(command("--json", str(path))) == 0
        seeds.add(json.loads(path.read_text())["seed"])
    assert len(seeds) == 3


def test_the_same_command_goes_on_with_the_same_seed(toy, folder_with_agents, tmp_path, capsys):
    again = ["toy", "--players", "2", "--agents", "agents_of_mine:Patient", "--games", "50", "--json", "out.json"]
    assert script.main(again) == 130
    captured = capsys.readouterr()
    assert "out.json is not written; the same command goes on" in captured.err
    seed = captured.out.partition("; seed ")[2].split()[0]
    assert (tmp_path / "out.json.journal").exists()
    with pytest.raises(SystemExit):
        script.main([*again, "--batch", "7"])
    assert "belongs to another tournament that was interrupted: batch 1024 there, 7 here" in capsys.readouterr().err
    assert script.main(again) in (0, 130)
    captured = capsys.readouterr()
    assert "going on where it was interrupted: " in captured.out
    assert f"; seed {seed}" in captured.out
    assert script.main([*again, "--fresh"]) == 130
    captured = capsys.readouterr()
    assert "going on" not in captured.out
    assert f"; seed {seed}" not in captured.out


def test_fresh_removes_the_replays_of_the_interrupted_tournament(toy, folder_with_agents, tmp_path, capsys):
    again = ["toy", "--players", "2", "--agents", "agents_of_mine:Patient", "--games", "50", "--json", "out.json"]
    again += ["--save-replays", "games", "--batch", "1", "--fresh"]
    folder = tmp_path / "games"
    assert script.main([*again, "--seed", "1"]) == 130
    old = {path.name: path.read_text() for path in folder.iterdir()}
    assert len(old) > 1
    # Killed while it wrote.
    (folder / ".pairing_0_deal_9_seating_0.json.abc.part").write_text("{")
    assert script.main([*again, "--seed", "2"]) == 130
    new = {path.name: path.read_text() for path in folder.iterdir()}
    seeds = evaluate(GAME, 2, {"keep": Always(KEEP)}, games=50, seed=2).result.seeds
    assert [json.loads(new[name])["seed"] for name in sorted(new)] == seeds[: len(new)].tolist()

    # Not with anything else in the folder, such as a game of other deals under such a name.
    for name, text in (
        ("notes.txt", "mine"),
        ("pairing_0_deal_0_seating_0.json", old["pairing_0_deal_0_seating_0.json"]),
    ):
        before = {path.name: path.read_text() for path in folder.iterdir()} | {name: text}
        (folder / name).write_text(text)
        with pytest.raises(SystemExit):
            script.main([*again, "--seed", "3"])
        assert "--save-replays games is not empty; give the name of a new folder" in capsys.readouterr().err
        assert {path.name: path.read_text() for path in folder.iterdir()} == before
        (folder / "notes.txt").unlink(missing_ok=True)


def test_a_settled_question_ends_the_tournament(toy, tmp_path, capsys):
    path = tmp_path / "out.json"
    agents = [KEEPER, "tests.toy_game:Keeper"]
    arguments = ["toy", "--players", "2", "--agents", *agents, "random", "--games", "4000", "--json", str(path)]
    assert script.main([*arguments, "--until", f"random>{KEEPER}#1@95%"]) == 0
    document = json.loads(path.read_text())
    assert "deals)" in capsys.readouterr().out
    assert document["until"]["settled"] != 0
    assert len(document["games"]) == 6 * document["until"]["deals"] < 12000


def test_two_tournaments_do_not_write_one_file(toy, tmp_path, capsys):
    path = tmp_path / "out.json"
    with FileLock(tmp_path / "out.json.journal.lock"), pytest.raises(SystemExit):
        script.main(command("--json", str(path)))
    assert f"another tournament that writes {path} is running" in capsys.readouterr().err


def test_long_names_stay_apart_in_the_table():
    first, second = "../runs/vikings/a_long_name/checkpoints/step_1", "../runs/vikings/a_long_name/checkpoints/step_2"
    assert report._labels([first, second]) == {first: "…name/checkpoints/step_1", second: "…name/checkpoints/step_2"}
    # The kind of an agent stays.
    assert report.short("search:policy=runs/a/long/name,simulations=20", 24) == "search:…e,simulations=20"
    assert report._labels(["greedy", "x" * 24]) == {"greedy": "greedy", "x" * 24: "x" * 24}
    # The ends alone would be the same.
    first, second = "runs/a/vikings/two_players/best", "runs/b/vikings/two_players/best"
    assert report._labels([first, second]) == {first: first, second: second}
