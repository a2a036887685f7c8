"""Find sentences that changed without their law since a revision, and laws that changed without their sentences.

In: the layers of a stack and a git revision. Out: what changed alone, how many paragraphs differ, and what was not
compared. Readers use the sentence and the engine the law; a change of one easily omits the other, which a single
version often does not show. Paragraphs are matched by label. Reported for a paragraph in both versions are: a sentence
whose sense differs (sentence_differences.py) with an unchanged law; a rule, ruling or reading whose law differs
(law_differences.py) with unchanged sentences; a number that changed in one and not in the other; and citations that
differ alone. A change to a number that the other already has is a correction and not reported.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from compiler.layered.layer_selection import layers_of_stack
from compiler.report.answers import ChangedAlone
from compiler.source.content import RULES_SUFFIX
from compiler.source.files import PackageFile, split_lines
from compiler.source.package import Library
from compiler.source.span import Span
from rulewright import git
from rulewright.errors import UsageError
from rulewright.revisions.file_changes import ParagraphChange, normalize_line_ends, quote_excerpt
from rulewright.revisions.law_differences import law_difference, law_numbers
from rulewright.revisions.layer_names import Names
from rulewright.revisions.rule_paragraphs import SourceParagraph, paragraphs_of
from rulewright.revisions.sentence_differences import changed_sense, exchanged_words, sentence_numbers
from runtime.graph.frozen_dataclass import dataclass
from runtime.graph.grouping import group_by

# A change of more sentences without laws is an edit of the book, of which only numbers are reported.
MOST_SENTENCES = 25
# The parts of a book that serve the search, and do not describe rules.
SEARCHED = {"index", "asked"}
BOOK = re.compile(r"^book:", re.MULTILINE)
REVIEW_HEADING = re.compile(r"(\w+):")
HEADED = re.compile(r"  ([\w-]+):")
OPENED = re.compile(r"\s*- case: *([\w-]+)")
LEFT_OUT = ("charts", "counters", "boards", "cards")


@dataclass(frozen=True, slots=True)
class RevisionComparison:
    """A comparison of rules with a revision: numbers of changed, new and removed paragraphs, and what changed alone.

    `absent_layers` are layers that the revision or git does not have; they were not compared. `reworded` is the number
    of sentences that changed without their laws, if it exceeds the limit: then only those with another number are
    reported.
    """

    revision: str
    changed: int
    new: int
    removed: int
    findings: tuple[ChangedAlone, ...]
    absent_layers: tuple[str, ...]
    reworded: int = 0

    @property
    def is_different(self) -> bool:
        """Return whether any paragraph is changed, new or removed."""
        return bool(self.changed + self.new + self.removed)

    def data(self) -> dict[str, object]:
        """Return the data for `--format json`."""
        counts = {"differ": self.changed, "new": self.new, "removed": self.removed}
        return {"revision": self.revision, **counts, "left_out": list(LEFT_OUT), "absent": list(self.absent_layers)}

    def summary(self) -> str:
        """Format the comparison as a line."""
        left_out = f"{', '.join(LEFT_OUT[:-1])} and {LEFT_OUT[-1]} were not compared"
        if self.absent_layers:
            left_out += f", nor what git has no {self.revision} of: {', '.join(self.absent_layers)}"
        if self.reworded:
            left_out += f"; of {self.reworded} sentences that say otherwise over the same rules only numbers are told"
        if not self.is_different:
            return f"the rules are as at {self.revision}; {left_out}"
        parts = ((self.changed, "differ" + "s" * (self.changed == 1)), (self.new, "new"), (self.removed, "gone"))
        counts = ", ".join(f"{count} {word}" for count, word in parts if count)
        return f"paragraphs compared with {self.revision}: {counts}; {left_out}"


def compare_with_revision(library: Library, stack: str, revision: str) -> RevisionComparison | None:
    """Compare the rules of a stack with a revision, by default with the last commit, if git has the rules.

    None if no revision is specified, and git has no commit of these folders.
    """
    layers = layers_of_stack(library, stack)
    names = [layer.name.text for layer in layers if layer.name.text in library.files]
    older: dict[str, ChangedSentences] = {}
    failed = None
    for repository, repository_layers in _by_repository(library, names).items():
        try:
            older |= _older(library, repository_layers, repository, revision or git.HEAD)
        except git.NotInGitError as failure:
            failed = failed or failure
    if not older and not revision:
        return None
    if not older and failed:
        folder = _folder(library, names[0])
        raise UsageError(f"`--since {revision}` {git.unknown_revision(folder, failed)}") from None
    return _compare(library, older, revision or git.HEAD, tuple(name for name in names if name not in older))


def require_revision(library: Library, stack: str, revision: str) -> None:
    """Raise `UsageError` if git knows a revision of no folder of a stack."""
    names = [layer.name.text for layer in layers_of_stack(library, stack) if layer.name.text in library.files]
    failed = git.NotInGitError("no repository")
    for repository in _by_repository(library, names):
        try:
            if repository is not None:
                git.ask_git(
                    repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
                )
                return
        except git.NotInGitError as failure:
            failed = failure
    raise UsageError(f"`--since {revision}` {git.unknown_revision(_folder(library, names[0]), failed)}")


# The files of rules of a layer that differ from a revision: the former and the current text, by name of the file.
ChangedSentences = dict[str, tuple[str, str]]


def _folder(library: Library, layer: str) -> Path:
    manifest = library.texts.file(library.layers[layer].span.file)
    assert manifest is not None, layer
    return manifest.path.parent


def _by_repository(library: Library, layers: Iterable[str]) -> dict[Path | None, list[str]]:
    """Group layers by repository; None for those in no repository."""
    return group_by(layers, lambda layer: git.repository_of(_folder(library, layer)))


def _older(
    library: Library, layers: Iterable[str], repository: Path | None, revision: str
) -> dict[str, ChangedSentences]:
    """Return the differing files of the layers of a repository of which a revision has files, by layer."""
    if repository is None:
        raise git.NotInGitError("no repository")
    folders = {_folder(library, name): name for name in library.layers}
    current_files = {file.path.resolve(): (name, file.name) for name in layers for file in _rules_of(library, name)}
    searched_folders = {_folder(library, name) for name in layers} | {path.parent for path in current_files}
    blobs = {
        Path(each.path): each.id
        for each in git.list_blobs(
            repository, revision, filter(lambda folder: folder.is_relative_to(repository), searched_folders)
        )
    }
    found: dict[str, ChangedSentences] = {}
    texts: list[tuple[str, str, str, str]] = []  # layer, name of the file, the blob then, the text now
    for path, blob in blobs.items():
        layer = next((folders[folder] for folder in path.parents if folder in folders), "")
        if layer in layers:
            found.setdefault(layer, {})
        if path in current_files or path.suffix != ".rules" or layer not in layers or path.exists():
            continue
        texts.append((layer, f"{_folder(library, layer).name}/{path.name}", blob, ""))
    for path, (layer, name) in current_files.items():
        if layer not in found:
            continue
        blob, text = blobs.get(path, ""), normalize_line_ends(library.texts[name])
        if not git.is_blob_of(blob, text):
            texts.append((layer, name, blob, text))
    contents = git.blob_contents(repository, (blob for _, _, blob, _ in texts if blob))
    for layer, name, blob, text in texts:
        found[layer][name] = (normalize_line_ends(contents.get(blob, b"").decode("utf-8", "replace")), text)
    return found


def _rules_of(library: Library, layer: str) -> Iterator[PackageFile]:
    return (file for file in library.files[layer] if file.path.suffix == ".rules")


def _compare(
    library: Library, older: Mapping[str, ChangedSentences], revision: str, absent: tuple[str, ...]
) -> RevisionComparison:
    changed = new = removed = 0
    findings: list[ChangedAlone] = []
    for layer, files in older.items():
        old_paragraphs = _by_label(each for name, (text, _) in files.items() for each in paragraphs_of(text, name))
        new_paragraphs = _by_label(each for name, (_, text) in files.items() for each in paragraphs_of(text, name))
        names = Names(_unchanged(library, layer, files), files.values())
        new, removed = (
            new + len(new_paragraphs.keys() - old_paragraphs.keys()),
            removed + len(old_paragraphs.keys() - new_paragraphs.keys()),
        )
        moved = _moved_sentences(old_paragraphs, new_paragraphs)
        for key in (
            key
            for key in new_paragraphs
            if key in old_paragraphs and not _are_equal(old_paragraphs[key], new_paragraphs[key])
        ):
            changed += 1
            findings += _single_change(
                old_paragraphs[key], new_paragraphs[key], names, revision, [moved[key]] if key in moved else ()
            )
    reworded = sum(each.part == "sentence" for each in findings)
    if reworded <= MOST_SENTENCES:
        return RevisionComparison(revision, changed, new, removed, tuple(findings), absent)
    reported_findings = tuple(each for each in findings if each.part != "sentence" or _numbers_differ(each))
    return RevisionComparison(revision, changed, new, removed, reported_findings, absent, reworded)


def _numbers_differ(changed: ChangedAlone) -> bool:
    return sentence_numbers((changed.old_text,)) != sentence_numbers((changed.new_text,))


def changed_openings(changes: Sequence[ParagraphChange], texts: Mapping[str, str]) -> Iterator[ChangedAlone]:
    """Yield the changed openings and headings of a book, if no file of rules differs."""
    if any(change.path.suffix == RULES_SUFFIX for change in changes):
        return
    for change in changes:
        text, span = texts[change.span.file], change.span
        above = split_lines(text)[: span.line]
        part = next((each[1] for each in map(REVIEW_HEADING.match, reversed(above)) if each), "")
        found = (
            changed_sense(change.old_text, change.new_text, frozenset(), frozenset())
            # A new or removed text has no other version; a part that serves the search describes no rule.
            if change.old_text and change.new_text and BOOK.search(text) and part not in SEARCHED
            else None
        )
        if found:
            named = OPENED if part == "book" else HEADED
            label = next((each[1] for each in map(named.match, reversed(above)) if each), span.file.rpartition("/")[2])
            yield ChangedAlone("sentence", label, *found, change.revision, change.new_text, span, span)


def _unchanged(library: Library, layer: str, changed: Container[str]) -> Iterator[str]:
    """Yield the texts of the unchanged files of a layer."""
    for file in _rules_of(library, layer):
        if file.name not in changed:
            yield library.texts[file.name]


def _by_label(paragraphs: Iterable[SourceParagraph]) -> dict[tuple[str, str], SourceParagraph]:
    return {(each.kind, each.label): each for each in paragraphs}


def _are_equal(old: SourceParagraph, new: SourceParagraph) -> bool:
    return (old.sentences, old.law, old.cites) == (new.sentences, new.law, new.cites)


Key = tuple[str, str]
# What of a paragraph changed alone (sentence, law or citation), with the former and the current text; None if nothing.
SentenceOrigin = tuple[str, str, str] | None


def _moved_sentences(
    old_paragraphs: Mapping[Key, SourceParagraph], new_paragraphs: Mapping[Key, SourceParagraph]
) -> dict[Key, SentenceOrigin]:
    """Return the sentences that moved between paragraphs with unchanged laws; of a swap, the first is reported."""
    owners = {sentence: key for key, each in old_paragraphs.items() for sentence in each.sentences if " " in sentence}
    found: dict[Key, SentenceOrigin] = {}
    for key, each in new_paragraphs.items():
        old = old_paragraphs.get(key)
        if old is None or old.law != each.law or len(old.sentences) != len(each.sentences):
            continue
        for before, after in zip(old.sentences, each.sentences, strict=True):
            owner = owners.get(after, key)
            if (
                before == after
                or owner == key
                or owner not in new_paragraphs
                or new_paragraphs[owner].law != old_paragraphs[owner].law
            ):
                continue
            found.setdefault(key, None if owner in found else ("sentence", quote_excerpt(before), quote_excerpt(after)))
    return found


def _single_change(
    old: SourceParagraph, new: SourceParagraph, names: Names, revision: str, moved: Sequence[SentenceOrigin]
) -> Iterator[ChangedAlone]:
    """Yield what of a paragraph changed alone: at most one finding.

    `moved` has at most one element: a sentence that another paragraph had, None if it is reported for that one.
    """
    if found := moved[0] if moved else _sentence(old, new, names) or _law(old, new, names) or _cites(old, new):
        kind, before, after = found
        span = _change_span(old, new, kind) or new.span
        yield ChangedAlone(kind, new.label, before, after, revision, " / ".join(new.sentences), new.span, span)


def _change_span(old: SourceParagraph, new: SourceParagraph, kind: str) -> Span | None:
    """Return the span of the first differing sentence, or of the first differing word of the law."""
    if kind == "sentence":
        places = zip(old.sentences, new.sentences, new.sentence_spans, strict=True)
        return next((place for old_part, new_part, place in places if old_part != new_part), None)
    if kind == "law":
        parts = SequenceMatcher(None, old.law, new.law, autojunk=False).get_opcodes()
        return next((new.law_spans[start - (tag == "delete")] for tag, _, _, start, _ in parts if tag != "equal"), None)
    return None


def _sentence(old: SourceParagraph, new: SourceParagraph, names: Names) -> SentenceOrigin:
    """Return a sentence whose sense changed with an unchanged law; None if there is none."""
    if len(old.sentences) != len(new.sentences):
        return None
    numbers = law_numbers(new.law)
    number_counts = [sentence_numbers(each.sentences) for each in (old, new)]
    lost, gained = number_counts[0] - number_counts[1], number_counts[1] - number_counts[0]
    stale = set(lost) & set(numbers) and not set(gained) & set(numbers)
    if old.law != new.law and not (stale and gained and set(lost) & set(law_numbers(old.law))):
        return None
    if gained and set(gained) <= set(numbers) and not set(lost) & set(numbers):
        return None
    law_stems = names.name_stems(new)
    for old_sentence, new_sentence in zip(old.sentences, new.sentences, strict=True):
        if found := changed_sense(old_sentence, new_sentence, names.all_stems, law_stems):
            return "sentence", *found
        if new.is_law and old.law == new.law and (found := exchanged_words(old_sentence, new_sentence, law_stems)):
            return "sentence", *found
    return None


def _law(old: SourceParagraph, new: SourceParagraph, names: Names) -> SentenceOrigin:
    """Return a law that changed with unchanged sentences; None if there is none."""
    if not new.is_law or not new.sentences or old.law == new.law or old.sentences != new.sentences:
        return None
    lost, gained = (set(law_numbers(first.law) - law_numbers(second.law)) for first, second in ((old, new), (new, old)))
    numbers_in_sentences = set(sentence_numbers(new.sentences))
    if gained & numbers_in_sentences and not lost & numbers_in_sentences:
        return None
    found = law_difference(old.law, new.law, names.names_before & names.names_after)
    return ("law", *found) if found else None


def _cites(old: SourceParagraph, new: SourceParagraph) -> SentenceOrigin:
    """Return citations that replace others while the rest is unchanged; None if there are none."""
    lost, gained = (sorted(set(first.cites) - set(second.cites)) for first, second in ((old, new), (new, old)))
    if not lost or not gained or (old.sentences, old.law) != (new.sentences, new.law):
        return None
    return "citation", ", ".join(lost), ", ".join(gained)
