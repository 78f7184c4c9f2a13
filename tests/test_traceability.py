"""Every statement of the rules documents is cited by a test, or stands below with a reason.

The ``rules`` marker of a test is the one place where an id counts as cited: ``@pytest.mark.rules("V-BUY-4")``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# An id is bold, or plain with a full stop, or plain at the head of a line: each document writes them its own way.
STATEMENT = re.compile(
    r"(?:- |\| )\*\*(?P<bold>[A-Z]+-[A-Z]+-\d+[a-z]?)\*\*"
    r"|(?:- |\| )(?P<stopped>[A-Z]+-[A-Z]+-\d+)\. "
    r"|(?P<head>T-[A-Z0-9]+-\d+) "
)
SECTION = re.compile(r"^## (\d+)\. ")


@dataclass(frozen=True)
class Document:
    """A game's rules document and what of it the tests must cite.

    Attributes:
        path: the document, relative to the checkout.
        prefix: what all its ids begin with.
        sections: the sections whose statements must each be cited.
        other_versions: sections whose statements are not in this version of the game, and why.
        exempt: statements of ``sections`` that no test cites, and why.
    """

    path: str
    prefix: str
    sections: frozenset[int]
    other_versions: dict[int, str] = field(default_factory=dict)
    exempt: dict[str, str] = field(default_factory=dict)

    def statements(self) -> dict[str, int]:
        """Section of every id that the document states."""
        found: dict[str, int] = {}
        section = -1
        for line in (ROOT / self.path).read_text(encoding="utf-8").splitlines():
            if heading := SECTION.match(line):
                section = int(heading[1])
            # A statement stands at the head of a list item or of a table row; elsewhere ids are only referred to.
            if statement := STATEMENT.match(line):
                rule = next(filter(None, statement.groups()))
                assert rule not in found, f"{self.path} states {rule} twice"
                found[rule] = section
        return found


DOCUMENTS = {
    "vikings": Document(
        path="docs/rules/vikings.md",
        prefix="V-",
        sections=frozenset({2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
        exempt={"V-COMP-8": "lists pieces without an effect on the rules"},
    ),
    "tiny_epic_vikings": Document(
        path="docs/rules/tiny_epic_vikings.md",
        prefix="T-",
        sections=frozenset({3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}),
    ),
    "raiders": Document(
        path="docs/rules/raiders.md",
        prefix="R-",
        sections=frozenset({3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
    ),
}


def cited() -> dict[str, set[str]]:
    """Every id in a ``rules`` marker of a test, and the files that cite it."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for decorator in getattr(node, "decorator_list", ()):
                if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "pytest.mark.rules":
                    continue
                assert node.name.startswith("test_"), f"{path}: only a test cites rules, and {node.name} is none"
                assert decorator.args, f"{path}: {node.name} has a rules marker without an id"
                for argument in decorator.args:
                    found.setdefault(ast.literal_eval(argument), set()).add(path.name)
    return found


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_statement_is_cited_by_a_test(name):
    document = DOCUMENTS[name]
    needed = {rule for rule, section in document.statements().items() if section in document.sections}
    missing = needed - set(cited()) - set(document.exempt)
    assert not missing, f"no test cites {', '.join(sorted(missing))}"


def test_every_cited_id_is_stated_by_a_document():
    stated = {rule for document in DOCUMENTS.values() for rule in document.statements()}
    unknown = {rule: files for rule, files in cited().items() if rule not in stated}
    assert not unknown


@pytest.mark.parametrize("name", DOCUMENTS)
def test_exemptions_are_of_statements_that_no_test_cites(name):
    document = DOCUMENTS[name]
    statements = document.statements()
    for rule, reason in document.exempt.items():
        assert statements.get(rule) in document.sections, f"{rule} needs no exemption or does not exist"
        assert rule not in cited(), f"{rule} is cited, so it is not exempt"
        assert reason


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_document_is_read_whole(name):
    document = DOCUMENTS[name]
    statements = document.statements()
    assert all(rule.startswith(document.prefix) for rule in statements)
    found = set(statements.values())
    assert document.sections <= found
    assert set(document.other_versions) <= found
    assert not document.sections & set(document.other_versions)
    # Numbers run on without a gap within a group, so that a statement which the pattern does not see is noticed.
    groups: dict[str, set[int]] = {}
    for rule in statements:
        group, number = rule.rsplit("-", 1)
        groups.setdefault(group, set()).add(int(re.match(r"\d+", number)[0]))
    for group, numbers in groups.items():
        assert numbers == set(range(1, max(numbers) + 1)), group


def test_every_rules_document_is_listed():
    listed = {document.path for document in DOCUMENTS.values()}
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "rules").glob("*.md")} == listed
