"""The mutants that changed since a revision: `--since REV`.

In: folders of rules and a git revision. Out: for each file the changed lines; and of the mutants of a graph those
that the graph at the revision does not have. If a part was removed, steps were moved, or a rule has another conclusion,
there is no new mutant; then these steps and their neighbors, or the rule, are mutated. If the rules of the revision do
not compile, or a file is new, a mutant is changed if a line of its paragraph or its row is.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from difflib import SequenceMatcher
from pathlib import Path

from compiler.query.traces import content_hash
from compiler.source.files import reading_unsaved
from compiler.source.nodes import nested_laws
from compiler.source.package import Library, load_layer
from compiler.source.span import Span
from rulewright.errors import UsageError
from rulewright.git import NotInGitError, ask_git, unknown_revision
from rulewright.library.stacks import open_packages
from rulewright.mutation.equivalent_mutants import Key, name_without_number
from rulewright.mutation.mutation_scenes import MutationStack
from rulewright.revisions.revision_texts import read_revision
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps, single_step
from runtime.mutation.mutant import ORDER, PLURALS, STEP, Mutant
from runtime.mutation.protection import mutants_of

FILE_HEADER = re.compile(r"^\+\+\+ (.*)$")
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
# All lines of a file that is not in git.
ALL_LINES = range(1, 1 << 30)
# Steps of a procedure, pieces of a force and cells of a chart with equal names are numbered in order.
ORDINAL_SUFFIX = re.compile(r" \(\d+\)|\[\d+\]")

Lines = Mapping[str, Sequence[range]]


def changed_lines(folders: Iterable[Path], revision: str) -> Lines:
    """Return the lines changed since a revision, by file."""
    found: dict[str, list[range]] = {}
    for folder in folders:
        place = folder.resolve()
        known = _git(place, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
        diff = _git(
            place,
            "diff",
            "--unified=0",
            "--no-color",
            "--no-prefix",
            "--no-ext-diff",
            "--no-textconv",
            "--relative",
            known,
            "--",
            ".",
        )
        name = ""
        for line in diff.splitlines():
            if file := FILE_HEADER.match(line):
                name = f"{place.name}/{file[1]}"
            elif hunk := HUNK.match(line):
                first, count = int(hunk[1]), int(hunk[2] or 1)
                # If lines were removed, the adjacent ones are the changed ones.
                found.setdefault(name, []).append(range(first, first + max(count, 2 if not count else 1)))
        for new in _git(place, "ls-files", "--others", "--exclude-standard", "--", ".").splitlines():
            found[f"{place.name}/{new}"] = [ALL_LINES]
    return found


def _git(folder: Path, *words: str) -> str:
    try:
        return ask_git(folder, *words).decode("utf-8", "replace")
    except NotInGitError as failure:
        raise UsageError(f"`--since` {unknown_revision(folder, failure)}") from None


class ChangedMutants:
    """A filter of the changed mutants of some layers."""

    def __init__(self, library: Library, lines: Lines, revision: str, packages: Sequence[Path]) -> None:
        """Store the changed lines, the paragraphs of their files, and the texts of the revision."""
        self.lines = lines
        self.packages = packages
        self.paragraphs: dict[str, list[Span]] = {}
        for name in library.layers:
            if any(file.name in lines for file in library.files[name]):
                for file in load_layer(library, name)[0].files:
                    spans = (law.span for law in nested_laws(file.statements))
                    self.paragraphs.setdefault(file.span.file, []).extend(spans)
        old_files = read_revision(library, revision).differing if lines else ()
        self.old_texts = {file.path: file.old_text for file in old_files}
        self.new_files = lines.keys() - {file.name for file in old_files}

    def changed_numbers(self, mutants: Sequence[Mutant], rules: graph.Graph, scene: MutationStack) -> frozenset[int]:
        """Return the numbers of the mutants of a scene that the revision does not have."""
        if not self.lines:
            return frozenset()
        with reading_unsaved(self.old_texts):
            older = scene.graph(open_packages(self.packages)) if self.old_texts else None
        changed_numbers = frozenset(number for number, mutant in enumerate(mutants) if self.is_changed(mutant))
        if older is None:
            return changed_numbers
        old_counts, new_counts = (Counter(map(_key_without_position, each)) for each in (mutants_of(older), mutants))
        removed_subjects = {key[1] for key in old_counts - new_counts}
        changed_keys = {_key_without_position(mutants[number]) for number in changed_numbers}
        new_numbers = {
            number
            for number, key in enumerate(map(_key_without_position, mutants))
            if new_counts[key] > old_counts[key] and (number in changed_numbers or key not in changed_keys)
        }
        new_numbers |= {number for number in changed_numbers if mutants[number].origin.file in self.new_files}
        new_subjects = {_subject(mutants[number]) for number in new_numbers}
        other_numbers = {number for number in changed_numbers if _subject(mutants[number]) not in new_subjects}
        steps = _changed_steps({_subject(mutants[number]) for number in other_numbers}, rules, older)
        return frozenset(new_numbers | {
            number
            for number in other_numbers
            if mutants[number].kind in steps.get(id(mutants[number].step), ())
            or (mutants[number].step is None and _is_changed(_subject(mutants[number]), removed_subjects, rules, older))
        })  # fmt: skip

    def is_changed(self, mutant: Mutant) -> bool:
        """Return whether the paragraph or the row of a mutant has changed."""
        origin = mutant.origin
        lines = self.lines.get(origin.file)
        if not lines:
            return False
        paragraphs = [
            span for span in self.paragraphs.get(origin.file, ()) if span.line <= origin.line <= span.end_line
        ]
        paragraph = min(paragraphs, key=lambda span: span.end_line - span.line, default=None)
        first, last = (origin.line, origin.end_line) if paragraph is None else (paragraph.line, paragraph.end_line)
        return any(each.start <= last and first < each.stop for each in lines)


def _key_without_position(mutant: Mutant) -> Key:
    """Return the key of a mutant without its position within the thing that it alters."""
    return (
        mutant.kind,
        _subject(mutant),
        mutant.key,
        _name_without_digits(mutant.name),
        mutant.original,
        mutant.replacement,
    )


def _subject(mutant: Mutant) -> str:
    """Return the name of the rule, procedure, chart, counter or line of a card that a mutant alters."""
    return mutant.procedure or _name_without_digits(mutant.name).rpartition(" of ")[2]


def _name_without_digits(name: str) -> str:
    return ORDINAL_SUFFIX.sub("", name_without_number(name))


def _is_changed(subject: str, removed_subjects: Set[str], rules: graph.Graph, older: graph.Graph) -> bool:
    """Return whether a procedure is new, a rule is new or changed, or a part of another thing was removed."""
    if subject in rules.procedures:
        return subject not in older.procedures
    if subject in rules.rules:
        return subject not in older.rules or content_hash(rules.rules[subject]) != content_hash(older.rules[subject])
    return subject in removed_subjects


def _changed_steps(procedures: Iterable[str], rules: graph.Graph, older: graph.Graph) -> Mapping[int, Container[str]]:
    """Return the new or moved steps, and the neighbors of removed ones: by id, the kinds of alterations.

    An existing step is altered as a whole, without its inner steps.
    """
    found: dict[int, Container[str]] = {}
    for name in procedures:
        if name in rules.procedures and name in older.procedures:
            new_steps, old_steps = ([*nested_steps(each.procedures[name].body)] for each in (rules, older))
            new_texts, old_texts = (
                [content_hash(single_step(step)) for step in each] for each in (new_steps, old_steps)
            )
            for tag, _, _, start, stop in SequenceMatcher(None, old_texts, new_texts, autojunk=False).get_opcodes():
                if tag == "equal":
                    continue
                first, last = (start, stop) if stop > start else (max(start - 1, 0), start + 1)
                for step, text in zip(new_steps[first:last], new_texts[first:last], strict=True):
                    found[id(step)] = (STEP, ORDER) if text in old_texts else PLURALS
    return found
