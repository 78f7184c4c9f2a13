"""Results files: what they hold, what is refused, whether they reproduce, and the reports that are made of them."""

from __future__ import annotations

import copy
import hashlib
import json
import math
from html.parser import HTMLParser

import pytest

import northsea_envs
from agents import commands, texts
from agents.chunks import InProcess
from agents.evaluation import plan
from agents.figures import Figures
from agents.html_report import page
from agents.report import write_document
from agents.results import Results, ResultsError, analyse, document, load
from agents.tournament import Tournament
from agents.until import Question
from agents.verify import restore, verify
from agents.versions import agent_version
from northsea_envs.agent import AgentError, RandomAgent, make_agent
from tests.toy_game import FOLD, KEEP, Always, Keeper, toy_game

GAME = toy_game()
KEEPER = "tests.toy_game:Keeper"
NASTY = "<script>alert('$x_1$')</script> | & `b`"


def contents_of(agents, games=64, players=2, until=None):
    prepared = plan(GAME, players, agents, games=games, seed=3)
    tournament = Tournament(prepared, until=until)
    outcome = tournament.play(InProcess(tournament.setup, prepared.agents))
    contents = document(outcome.evaluation, analyse(outcome.evaluation), tournament, outcome)
    return json.loads(json.dumps(contents))


@pytest.fixture(scope="module")
def played():
    return contents_of([KEEPER, "random"])


@pytest.fixture
def contents(played):
    return copy.deepcopy(played)


def verdict_of(contents, games=None):
    results = Results.model_validate(contents)
    restored = restore(results, game=GAME)
    return verify(results, restored, games, lambda setup, plan: InProcess(setup, plan.agents), seed=1)


# --- the file -------------------------------------------------------------------------------------


def test_a_file_says_who_played_what(contents, tmp_path):
    write_document(contents, tmp_path / "out.json")
    results = load(tmp_path / "out.json")
    assert results.model_dump().keys() == contents.keys()
    assert [(agent.name, agent.spec) for agent in results.agents] == [(KEEPER, KEEPER), ("random", "random")]
    assert results.agents[0].version.startswith("sha256:")
    assert results.agents[1].version == northsea_envs.__version__
    assert results.ratings.anchor == "random"
    assert results.ratings.agents["random"].points == 0
    assert results.chunk_deals == [2]
    assert set(results.made_with) == {"python", "machine", "numpy", "numba"}
    assert results.thinking[KEEPER].decisions > 0
    ahead, behind = results.pairwise[KEEPER]["random"], results.pairwise["random"][KEEPER]
    assert ahead.mean + behind.mean == pytest.approx(1)


UNTIL = {"deals": 1, "settled": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(format=2), "not a results file of this version of evaluate.py: its format is not 3"),
        (lambda c: c.pop("seed"), "damaged: seed: Field required"),
        (lambda c: c.update(players=5), "damaged: players:"),
        (lambda c: c["games"][3].update(ranks=[1, 0]), "damaged: games.3.ranks.1:"),
        (lambda c: c["games"][3].update(truncated=1), "damaged: games.3.truncated:"),
        (lambda c: c["agents"].clear(), "damaged: agents:"),
        (lambda c: c["games"][3].update(decisions=10**30), "damaged: games.3.decisions: "),
        (lambda c: c["games"][3].update(scores=[1, math.nan]), "damaged: games.3.scores.1: "),
        (lambda c: c["games"][3].update(scores=[math.inf, 1]), "damaged: games.3.scores.0: "),
        (lambda c: c["games"][3].update(scores=[10**400, 1]), "damaged: games.3.scores.0: "),
        (lambda c: c["games"][3].update(scores=[1]), "damaged: games.3.scores: there must be 2, one a seat, not 1"),
        (lambda c: c["games"][3].update(ranks=[2, 2]), "damaged: games.3.ranks: [2, 2] are not the places of a game"),
        (lambda c: c["games"][3].update(ranks=[1, 3]), "damaged: games.3.ranks: [1, 3] are not the places of a game"),
        (lambda c: c["games"][3].update(seating=["you", "random"]), "games.3.seating: 'you' is none of the agents"),
        (lambda c: c["games"].clear(), "damaged: games: List should have at least 1 item"),
        (lambda c: c["agents"].append(c["agents"][0]), "damaged: agents: two have the same name"),
        (lambda c: c["agents"].append({"name": "b", "spec": "b", "version": ""}), "damaged: games: 'b' sits in none"),
        (lambda c: c["pairwise"].pop("random"), "damaged: pairwise: it must be about the agents"),
        (lambda c: c["ratings"]["agents"].pop("random"), "damaged: ratings.agents: it must be about the agents"),
        (lambda c: c["ratings"]["agents"]["random"].update(points=math.nan), "damaged: ratings.agents.random.points: "),
        (lambda c: c.update(until=UNTIL | {"question": "?"}), "damaged: until '?' is no question"),
        (lambda c: c.update(until=UNTIL | {"question": "a>random@95%"}), "damaged: until 'a>random@95%': no agent"),
    ],
)
def test_a_damaged_file_is_refused(contents, change, message, tmp_path):
    change(contents)
    (tmp_path / "out.json").write_text(json.dumps(contents))
    with pytest.raises(ResultsError) as error:
        load(tmp_path / "out.json")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"), [("", "not JSON"), ("[1]", "not a results file"), ("{}", "not a results file")]
)
def test_other_files_are_refused(text, message, tmp_path):
    (tmp_path / "out.json").write_text(text)
    with pytest.raises(ResultsError, match=message):
        load(tmp_path / "out.json")
    with pytest.raises(ResultsError, match="cannot be read: No such file"):
        load(tmp_path / "none.json")


# --- verify ---------------------------------------------------------------------------------------


def test_what_was_played_reproduces(contents):
    verdict = verdict_of(contents)
    assert (verdict.games, verdict.of, verdict.reproduces) == (64, 64, True)
    sample = verdict_of(contents, games=10)
    # Whole chunks of two deals in two seatings.
    assert (sample.games, sample.reproduces) == (12, True)


@pytest.mark.parametrize(
    ("field", "value"),
    [("ranks", [1, 1]), ("scores", [40, 0]), ("decisions", 7), ("truncated", True)],
)
def test_a_changed_game_is_found(contents, field, value):
    before = contents["games"][9][field]
    contents["games"][9][field] = value
    verdict = verdict_of(contents)
    assert not verdict.reproduces
    (line,) = verdict.differing
    assert line.startswith("game 9 (seed ")
    assert line.endswith(f"{field} {value} there, {before} here".replace("40, 0", "40.0, 0.0")) or field == "scores"


def test_a_changed_rating_is_found(contents):
    contents["ratings"]["agents"][KEEPER]["points"] += 1
    assert verdict_of(contents).figures == ("ratings",)


def test_a_number_too_large_for_any_figure_is_found(contents):
    next(iter(contents["summary"].values()))["deals"] = 10**400
    assert verdict_of(contents).figures == ("summary",)


@pytest.mark.parametrize("command", [commands.verify, commands.report])
def test_a_damaged_file_ends_a_command_on_one_line(contents, command, tmp_path, capsys):
    contents["games"][3]["ranks"] = [2, 2]
    (tmp_path / "out.json").write_text(json.dumps(contents))
    with pytest.raises(SystemExit) as end:
        command([str(tmp_path / "out.json")])
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_files_that_stopped_early_reproduce():
    contents = contents_of({"keep": Always(KEEP), "fold": Always(FOLD)}, games=400, until=Question("keep", "fold", 95))
    assert contents["until"]["settled"] == 1
    assert len(contents["games"]) < 40
    for agent in contents["agents"]:
        # Objects have no string that makes them again.
        agent["spec"], agent["version"] = {"keep": (KEEPER, None), "fold": ("tests.test_results:Folder", None)}[
            agent["name"]
        ]
        agent["version"] = agent_version(agent["spec"])
    verdict = verdict_of(contents)
    assert verdict.reproduces
    assert verdict.games == len(contents["games"])


class Folder(Always):
    """Always FOLD; named by module:Class."""

    def __init__(self, game, players):
        super().__init__(FOLD)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(package_version="0.0.9"), "played with northsea_envs 0.0.9; here is"),
        (lambda c: c.update(tables_fingerprint="0" * 16), "played with other component tables: fingerprint '0000"),
        (lambda c: c["agents"][0].update(version="sha256:0"), "was version 'sha256:0'"),
        (lambda c: c["agents"][0].update(spec="no_such:Agent"), "agent 'tests.toy_game:Keeper' was version"),
        (lambda c: c.update(seed=4), "damaged: game 0 is not the one that follows from the seed"),
        (lambda c: c["games"].pop(), "damaged: 63 games where its schedule has 64"),
        (lambda c: c["schedule"][0].update(seatings=[["random", "random"]]), "damaged: its schedule is not the one"),
        (lambda c: c.update(chunk_deals=[]), "damaged: chunk_deals must hold 1 numbers"),
        (lambda c: c.update(options={"colour": "red"}), "damaged: unknown option 'colour'"),
    ],
)
def test_what_cannot_be_played_again_is_refused(contents, change, message):
    change(contents)
    with pytest.raises(ResultsError) as error:
        restore(Results.model_validate(contents), game=GAME)
    assert message in str(error.value)


class ByClock(RandomAgent):
    """As a search that stops by the clock says it."""

    reproducible = False


def test_agents_that_choose_by_the_clock_are_left_out():
    spec = "tests.test_results:ByClock"
    contents = contents_of([KEEPER, "random", spec], games=20)
    assert contents["agents"][2]["version"] == agent_version(spec)
    verdict = verdict_of(contents)
    assert verdict.by_clock == (spec,)
    # One of three pairings is without it.
    assert (verdict.games, verdict.of) == (20, 60)
    assert verdict.reproduces


FOLDER = "tests.test_results:Folder"
BY_CLOCK = "tests.test_results:ByClock"
ASKED = f"{KEEPER}>{FOLDER}@95%"


@pytest.fixture(scope="module")
def settled():
    """KEEP is ahead of FOLD in every game: settled after 7 to 11 of 200 deals (tests/test_until.py)."""
    return contents_of([KEEPER, FOLDER], games=400, until=Question(KEEPER, FOLDER, 95))


@pytest.mark.parametrize("change", [{"settled": -1}, {"settled": 0}, {"deals": 200}, {"deals": 6}])
def test_a_false_answer_is_found(settled, change):
    contents = copy.deepcopy(settled)
    assert verdict_of(contents).reproduces
    contents["until"].update(change)
    assert verdict_of(contents).figures == ("until",)


def test_deals_behind_the_answer_do_not_count(settled):
    contents = contents_of([KEEPER, FOLDER], games=40)
    assert verdict_of(contents).reproduces
    contents["until"] = settled["until"]
    assert verdict_of(contents).figures == ("until",)


def test_an_open_question_reproduces():
    names = [f"{KEEPER}#1", f"{KEEPER}#2"]
    contents = contents_of([KEEPER, KEEPER], games=8, until=Question(*names, 95))
    assert contents["until"] == {"question": f"{names[0]}>{names[1]}@95%", "deals": 4, "settled": 0}
    assert verdict_of(contents).reproduces


@pytest.mark.parametrize(
    ("until", "message"),
    [
        (None, "holds 2 deals where games_asked, 400, makes 200, though no question ended it"),
        # Two deals make 1 at most 1.75 ** 2.
        ({"question": ASKED, "deals": 2, "settled": 1}, f"though its games do not settle its question '{ASKED}'"),
    ],
)
def test_picked_deals_are_refused(until, message):
    contents = contents_of([KEEPER, FOLDER], games=4)
    contents.update(games_asked=400, until=until)
    with pytest.raises(ResultsError) as error:
        restore(Results.model_validate(contents), game=GAME)
    assert message in str(error.value)


def test_where_nothing_can_be_played_again_verify_cannot_tell(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(northsea_envs, "get_game", lambda name, tables=None: GAME)
    contents = contents_of([KEEPER, BY_CLOCK], games=8)
    write_document(contents, tmp_path / "out.json")
    assert commands.verify([str(tmp_path / "out.json")]) == 2
    assert "cannot tell: nothing was played again" in capsys.readouterr().out
    # Figures follow from the games, whoever played them.
    contents["ratings"]["agents"][KEEPER]["points"] += 1
    write_document(contents, tmp_path / "out.json")
    assert commands.verify([str(tmp_path / "out.json")]) == 1
    assert "ratings does not follow" in capsys.readouterr().out


# --- versions of agents ---------------------------------------------------------------------------


def hash_of(contents):
    return "sha256:" + hashlib.sha256(contents).hexdigest()[:16]


def test_a_version_follows_from_the_files_that_an_agent_is_made_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    policy = tmp_path / "run" / "best"
    policy.mkdir(parents=True)
    (policy / "policy.json").write_bytes(b"{}")
    (policy / "policy.safetensors").write_bytes(b"weights")
    (tmp_path / "value.csv").write_bytes(b"name,value")
    for spec in (
        "run",
        "run:deterministic=0",
        "search:policy=run,simulations=5",
        "search:simulations=5,policy=run/best",
    ):
        assert agent_version(spec) == hash_of(b"{}weights")
    for spec in ("greedy:weights=value.csv", f"greedy:weights={tmp_path}"):
        assert agent_version(spec) == hash_of(b"name,value")
    (policy / "policy.safetensors").write_bytes(b"others")
    (tmp_path / "value.csv").write_bytes(b"name,other")
    assert agent_version("search:policy=run,simulations=5") == hash_of(b"{}others")
    assert agent_version("greedy:weights=value.csv") == hash_of(b"name,other")
    assert agent_version("search:simulations=5") == agent_version("greedy") == northsea_envs.__version__
    assert agent_version("pretrained:deterministic=0", policy) == hash_of(b"{}others")
    assert agent_version("greedy", policy) == northsea_envs.__version__


def test_a_package_beside_is_a_module_and_no_policy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "some_bots"
    package.mkdir()
    (package / "__init__.py").write_bytes(b"from tests.toy_game import Keeper\n")
    assert isinstance(make_agent("some_bots:Keeper", GAME, 2), Keeper)
    assert agent_version("some_bots:Keeper") == hash_of(b"from tests.toy_game import Keeper\n")
    with pytest.raises(AgentError, match="module 'some_bots' has no 'Nope'"):
        make_agent("some_bots:Nope", GAME, 2)


def test_a_folder_of_an_agents_name_is_not_the_agent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("greedy", "search", "value"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "policy.json").write_bytes(b"{}")
    for spec in ("greedy", "search", "search:simulations=5,leaf=value"):
        assert agent_version(spec) == northsea_envs.__version__


@pytest.mark.parametrize("spec", ["greedy:weights=gone.csv", "search:policy=gone"])
def test_an_agent_whose_files_are_gone_has_no_version(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentError, match=r"gone.*(cannot be read|holds no policy)"):
        agent_version(spec)


def test_results_name_the_versions_that_played(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "changing_agent.py"
    file.write_bytes(b"from tests.toy_game import Keeper\n")
    prepared = plan(GAME, 2, ["changing_agent:Keeper", "random"], games=4, seed=3)
    tournament = Tournament(prepared)
    file.write_bytes(b"raise RuntimeError")
    outcome = tournament.play(InProcess(tournament.setup, prepared.agents))
    contents = document(outcome.evaluation, analyse(outcome.evaluation), tournament, outcome)
    assert contents["agents"][0]["version"] == hash_of(b"from tests.toy_game import Keeper\n")


def test_a_class_in_a_module_of_an_agents_name_is_no_parameter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # The class of an object: there is no other file of that name, so that it is the package's version.
    assert agent_version("pretrained:Mine") == northsea_envs.__version__


def test_changed_weights_cannot_be_played_again(contents, tmp_path):
    file = tmp_path / "value.csv"
    file.write_bytes(b"before")
    contents["agents"][0].update(spec=f"greedy:weights={file}", version=agent_version(f"greedy:weights={file}"))
    file.write_bytes(b"after")
    with pytest.raises(ResultsError) as error:
        restore(Results.model_validate(contents), game=GAME)
    assert f"was version '{hash_of(b'before')}'" in str(error.value)
    assert f"here it is '{hash_of(b'after')}'" in str(error.value)


# --- figures and reports --------------------------------------------------------------------------


def test_figures_are_those_of_the_games():
    figures = Figures(Results.model_validate(contents_of({"keep": Always(KEEP), "fold": Always(FOLD)}, games=40)))
    best, worst = figures.lines
    assert (best.name, best.games, best.win_share.mean, best.rank.mean) == ("keep", 40, 1, 1)
    assert (worst.name, worst.win_share.mean, worst.rank.mean, worst.score.mean) == ("fold", 0, 2, 0)
    assert [seat.mean for seat in figures.seats] == [0.5, 0.5]
    assert figures.deals == 20
    assert figures.scores_of("fold").tolist() == [0] * 40
    assert figures.scores_of("keep").mean() == best.score.mean


def test_markdown_is_a_table():
    text = texts.markdown(Results.model_validate(contents_of({NASTY: Always(KEEP), "fold": Always(FOLD)})), "Toy")
    lines = text.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4
    # Columns are told by bars that are not escaped.
    assert {line.replace("\\|", "").count("|") for line in table} == {7}
    assert table[2].startswith("| \\<script\\>")
    assert "| 100.0% (89.1 to 100.0) | 1.00 |" in table[2]  # 0.025 ** (1 / 32)
    assert "64 games, 32 deals" in lines[0]


def test_the_report_says_what_became_of_the_question():
    agents = {"a>b": Always(KEEP), "b": Always(FOLD)}

    def said(games, confidence):
        contents = contents_of(agents, games, until=Question("a>b", "b", confidence))
        assert contents["until"]["question"] == f"a>b>b@{confidence}%"
        results = Results.model_validate(contents)
        return len(results.games) // 2, texts.sentences(results, "Toy", Figures(results))[-1]

    deals, sentence = said(400, 99.99999)
    assert sentence == f"Stopped by a question: settled at 99.99999%: a>b finishes ahead of b ({deals} deals)."
    _, sentence = said(4, 95)
    assert sentence == "A question stayed open: not settled at 95% after 2 deals: a>b against b."


class Page(HTMLParser):
    """What a page loads, and its texts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href", "xlink:href", "data")]

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize(("agents", "svgs"), [(2, 6), (1, 4)])
def test_the_page_loads_nothing_and_escapes_names(agents, svgs):
    players = dict(list({NASTY: Always(KEEP), "fold": Always(FOLD)}.items())[:agents])
    text = page(Results.model_validate(contents_of(players)), "Toy <game>")
    seen = Page(text)
    assert seen.tags.count("svg") == svgs
    assert "script" not in seen.tags
    assert all(link.startswith("#") for link in seen.links)
    assert "@import" not in text
    assert "url(http" not in text
    assert any(NASTY in words for words in seen.words)
    assert "Toy <game>, 2 players" in seen.words
    # Colours come from the page, so that charts follow light and dark.
    assert "var(--accent)" in text
    assert "#0a0b0c" not in text
