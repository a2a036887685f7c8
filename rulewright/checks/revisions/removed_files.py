"""The names that a check misses because a file is gone since the last commit: one cause, one finding.

In: the findings of a check, and the files that a revision has and the folder no longer. Out: the findings, in which one
on each such file takes the place of all on names that it declared.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from compiler.report.diagnose import diagnose
from compiler.report.diagnostic import Diagnostic
from compiler.source import nodes as source
from compiler.source.content import Texts
from compiler.source.documents import read_documents
from compiler.source.findings.files import MissingFile
from compiler.source.sentence import list_words
from rulewright.checks.revisions.declarations import NAMED_DECLARATION, split_declarations
from rulewright.checks.revisions.revision_texts import FileChange

_MOST_NAMES = 3


def with_removed_files(
    found: Sequence[Diagnostic], removed: Iterable[FileChange], folders: Sequence[Path], texts: Texts
) -> tuple[Diagnostic, ...]:
    """Return findings with one for each file gone from some folders instead of those on names that it declared."""
    remaining = list(found)
    missing: list[MissingFile] = []
    for file in removed:
        if not any(file.path.is_relative_to(folder.resolve()) for folder in folders):
            continue
        declared = _names_of_rules(file.old_text) if file.has_rules else _names_of_documents(file)
        lost = [each for each in remaining if each.spans and not declared.isdisjoint(each.names)]
        if lost:
            remaining = [each for each in remaining if each not in lost]
            missed_names = list(dict.fromkeys(name for each in lost for name in each.names if name in declared))
            reason = (
                "it is gone since the last commit, and nothing else declares "
                f"{list_words(tuple(missed_names), 'and', _MOST_NAMES)}"
            )
            missing.append(MissingFile(lost[0].spans[0].span, file.name, reason))
    return (*diagnose(missing, texts), *remaining)


def _names_of_rules(text: str) -> set[str]:
    """Return the names that a file of rules declares: labels, and all words of declarations that list several names."""
    names: set[str] = set()
    for part in split_declarations(text):
        if NAMED_DECLARATION.match(f"{part.name} "):
            names.add(part.label)
        elif not part.is_example:
            names.update(word.strip("'") for word in part.law)
    return names


def _names_of_documents(file: FileChange) -> set[str]:
    """Return the names that a YAML file declares."""
    names: set[str] = set()
    for document in read_documents(file.old_text, file.name)[0]:
        match document:
            case source.PieceChart():
                names.update(counter.id.text for counter in document.rows)
            case source.Sources():
                names.update(work.prefix.text for work in document.documents)
            case source.Table() | source.Board() | source.Outline() | source.Scenario():
                names.add(document.name.text)
            case _:
                pass
    return names
