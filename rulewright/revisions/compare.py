"""Find sentences that changed without their law since a revision, and laws that changed without their sentences.

Input: the layers of a stack and a git revision. Output: what changed alone, how many paragraphs differ, and what was
not compared. Readers use the sentence and the engine the law; a change of one easily omits the other, which a single
version often does not show. Paragraphs are matched by label. Reported for a paragraph in both versions are: a sentence
whose sense differs (sentences.py) with an unchanged law; a rule, ruling or reading whose law differs (laws.py) with
unchanged sentences; a number that changed in one and not in the other; and citations that differ alone. A change to a
number that the other already has is a correction and not reported.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from compiler.layered.layer_selection import choose_layers, parse_request
from compiler.report.answers import ChangedAlone
from compiler.source.content import RULES
from compiler.source.files import PackageFile, lines_of
from compiler.source.package import Library
from compiler.source.span import Span
from rulewright.errors import UsageError
from rulewright.git import HEAD, NotInGitError, blob_contents, is_blob_of, list_blobs, repository_of, unknown_revision
from rulewright.revisions import sentences
from rulewright.revisions.changes import Change, quote_excerpt
from rulewright.revisions.laws import law_otherwise, numbers_of
from rulewright.revisions.names import Names
from rulewright.revisions.paragraphs import Paragraph, paragraphs_of
from runtime.graph.frozen_dataclass import dataclass

# A change of more sentences without laws is an edit of the book, of which only numbers are reported.
MOST_SENTENCES = 25
# The parts of a book that serve the search, and do not describe rules.
SEARCHED = {"index", "asked"}
BOOK = re.compile(r"^book:", re.MULTILINE)
PART = re.compile(r"(\w+):")
HEADED = re.compile(r"  ([\w-]+):")
OPENED = re.compile(r"\s*- case: *([\w-]+)")
LEFT_OUT = ("charts", "counters", "boards", "cards")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of rules with a revision: numbers of changed, new and removed paragraphs, and what changed alone.

    `absent` are layers that the revision or git does not have; they were not compared. `reworded` is the number of
    sentences that changed without their laws, if it exceeds the limit: then only those with another number are
    reported.
    """

    revision: str
    differ: int
    new: int
    gone: int
    alone: tuple[ChangedAlone, ...]
    absent: tuple[str, ...] = ()
    reworded: int = 0

    @property
    def is_different(self) -> bool:
        """Return whether any paragraph is changed, new or removed."""
        return bool(self.differ + self.new + self.gone)

    def data(self) -> dict[str, object]:
        """Return the data for `--format json`."""
        counts = {"differ": self.differ, "new": self.new, "gone": self.gone}
        return {"revision": self.revision, **counts, "left_out": list(LEFT_OUT), "absent": list(self.absent)}

    def summary(self) -> str:
        """Format the comparison as a line."""
        left_out = f"{', '.join(LEFT_OUT[:-1])} and {LEFT_OUT[-1]} were not compared"
        if self.absent:
            left_out += f", nor what git has no {self.revision} of: {', '.join(self.absent)}"
        if self.reworded:
            left_out += f"; of {self.reworded} sentences that say otherwise over the same rules only numbers are told"
        if not self.is_different:
            return f"the rules are as at {self.revision}; {left_out}"
        parts = ((self.differ, "differ" + "s" * (self.differ == 1)), (self.new, "new"), (self.gone, "gone"))
        counts = ", ".join(f"{count} {what}" for count, what in parts if count)
        return f"paragraphs compared with {self.revision}: {counts}; {left_out}"


def compare_with_revision(library: Library, stack: str, revision: str = "") -> Comparison | None:
    """Compare the rules of a stack with a revision, by default with the last commit, if git has the rules.

    None if no revision is specified, and git has no commit of these folders.
    """
    layers, _ = choose_layers(library.layers, parse_request(stack))
    names = [layer.name.text for layer in layers if layer.name.text in library.files]
    older: dict[str, Changed] = {}
    failed = None
    for repository, held in _by_repository(library, names).items():
        try:
            older |= _older(library, held, repository, revision or HEAD)
        except NotInGitError as failure:
            failed = failed or failure
    if not older and not revision:
        return None
    if not older and failed:
        folder = _folder(library, names[0])
        raise UsageError(f"`--since {revision}` {unknown_revision(folder, failed)}") from None
    return _compare(library, older, revision or HEAD, tuple(name for name in names if name not in older))


# The files of rules of a layer that differ from a revision: the former and the current text, by name of the file.
Changed = dict[str, tuple[str, str]]


def _folder(library: Library, layer: str) -> Path:
    manifest = library.texts.file(library.layers[layer].span.file)
    assert manifest is not None, layer
    return manifest.path.parent


def _by_repository(library: Library, layers: Iterable[str]) -> dict[Path | None, list[str]]:
    """Group layers by repository; None for those in no repository."""
    found: dict[Path | None, list[str]] = {}
    for layer in layers:
        found.setdefault(repository_of(_folder(library, layer)), []).append(layer)
    return found


def _older(library: Library, layers: Iterable[str], repository: Path | None, revision: str) -> dict[str, Changed]:
    """Return the differing files of the layers of a repository of which a revision has files, by layer."""
    if repository is None:
        raise NotInGitError("no repository")
    folders = {_folder(library, name): name for name in library.layers}
    here = {file.path.resolve(): (name, file.name) for name in layers for file in _rules_of(library, name)}
    wanted = {_folder(library, name) for name in layers} | {path.parent for path in here}
    then = {
        each.path: each.id
        for each in list_blobs(repository, revision, filter(lambda folder: folder.is_relative_to(repository), wanted))
    }
    found: dict[str, Changed] = {}
    texts: list[tuple[str, str, str, str]] = []  # layer, name of the file, the blob then, the text now
    for path, blob in then.items():
        layer = _layer_around(path, folders)
        if layer in layers:
            found.setdefault(layer, {})
        if path in here or path.suffix != ".rules" or layer not in layers or path.exists():
            continue
        texts.append((layer, f"{_folder(library, layer).name}/{path.name}", blob, ""))
    for path, (layer, name) in here.items():
        if layer not in found:
            continue
        blob, text = then.get(path, ""), _with_plain_ends(library.texts[name])
        if not is_blob_of(blob, text):
            texts.append((layer, name, blob, text))
    held = blob_contents(repository, (blob for _, _, blob, _ in texts if blob))
    for layer, name, blob, text in texts:
        found[layer][name] = (_with_plain_ends(held.get(blob, b"").decode("utf-8", "replace")), text)
    return found


def _with_plain_ends(text: str) -> str:
    """Normalize line ends, which in a work tree may differ from those in git."""
    return text.replace("\r\n", "\n")


def _rules_of(library: Library, layer: str) -> Iterator[PackageFile]:
    return (file for file in library.files[layer] if file.path.suffix == ".rules")


def _layer_around(path: Path, folders: Mapping[Path, str]) -> str:
    """Return the layer that contains a file, or contained it if it is removed; "" if there is none."""
    return next((folders[folder] for folder in path.parents if folder in folders), "")


def _compare(library: Library, older: Mapping[str, Changed], revision: str, absent: tuple[str, ...]) -> Comparison:
    differ = new = gone = 0
    alone: list[ChangedAlone] = []
    for layer, files in older.items():
        was = _by_label(each for name, (text, _) in files.items() for each in paragraphs_of(text, name))
        now = _by_label(each for name, (_, text) in files.items() for each in paragraphs_of(text, name))
        names = Names(_unchanged(library, layer, files), files.values())
        new, gone = new + len(now.keys() - was.keys()), gone + len(was.keys() - now.keys())
        moved = _moved_sentences(was, now)
        for key in (key for key in now if key in was and not _same(was[key], now[key])):
            differ += 1
            alone += _alone(was[key], now[key], names, revision, [moved[key]] if key in moved else ())
    reworded = sum(each.what == "sentence" for each in alone)
    if reworded <= MOST_SENTENCES:
        return Comparison(revision, differ, new, gone, tuple(alone), absent)
    told = tuple(each for each in alone if each.what != "sentence" or _numbers_differ(each))
    return Comparison(revision, differ, new, gone, told, absent, reworded)


def _numbers_differ(changed: ChangedAlone) -> bool:
    return sentences.numbers_of((changed.was,)) != sentences.numbers_of((changed.now,))


def openings_alone(changes: Sequence[Change], texts: Mapping[str, str]) -> Iterator[ChangedAlone]:
    """Yield the changed openings and headings of a book, if no file of rules differs."""
    if any(change.path.suffix == RULES for change in changes):
        return
    for change in changes:
        text, at = texts[change.span.file], change.span
        above = lines_of(text)[: at.line]
        part = next((each[1] for each in map(PART.match, reversed(above)) if each), "")
        found = (
            sentences.changed_sense(change.was, change.now, frozenset(), frozenset())
            # A new or removed text has no other version; a part that serves the search describes no rule.
            if change.was and change.now and BOOK.search(text) and part not in SEARCHED
            else None
        )
        if found:
            named = OPENED if part == "book" else HEADED
            label = next((each[1] for each in map(named.match, reversed(above)) if each), at.file.rpartition("/")[2])
            yield ChangedAlone("sentence", label, *found, change.revision, change.now, at, at)


def _unchanged(library: Library, layer: str, changed: Container[str]) -> Iterator[str]:
    """Yield the texts of the unchanged files of a layer."""
    for file in _rules_of(library, layer):
        if file.name not in changed:
            yield library.texts[file.name]


def _by_label(paragraphs: Iterable[Paragraph]) -> dict[tuple[str, str], Paragraph]:
    return {(each.kind, each.label): each for each in paragraphs}


def _same(was: Paragraph, now: Paragraph) -> bool:
    return (was.sentences, was.law, was.cites) == (now.sentences, now.law, now.cites)


Key = tuple[str, str]
# What of a paragraph changed alone (sentence, law or citation), with the former and the current text; None if nothing.
Found = tuple[str, str, str] | None


def _moved_sentences(was: Mapping[Key, Paragraph], now: Mapping[Key, Paragraph]) -> dict[Key, Found]:
    """Return the sentences that moved between paragraphs with unchanged laws; of a swap, the first is reported."""
    owners = {sentence: key for key, each in was.items() for sentence in each.sentences if " " in sentence}
    found: dict[Key, Found] = {}
    for key, each in now.items():
        old = was.get(key)
        if old is None or old.law != each.law or len(old.sentences) != len(each.sentences):
            continue
        for before, after in zip(old.sentences, each.sentences, strict=True):
            owner = owners.get(after, key)
            if before == after or owner == key or owner not in now or now[owner].law != was[owner].law:
                continue
            found.setdefault(key, None if owner in found else ("sentence", quote_excerpt(before), quote_excerpt(after)))
    return found


def _alone(
    was: Paragraph, now: Paragraph, names: Names, revision: str, moved: Sequence[Found] = ()
) -> Iterator[ChangedAlone]:
    """Yield what of a paragraph changed alone: at most one finding.

    `moved` has at most one element: a sentence that another paragraph had, None if it is reported for that one.
    """
    if found := moved[0] if moved else _sentence(was, now, names) or _law(was, now, names) or _cites(was, now):
        what, before, after = found
        at = _changed_at(was, now, what) or now.span
        yield ChangedAlone(what, now.label, before, after, revision, " / ".join(now.sentences), now.span, at)


def _changed_at(was: Paragraph, now: Paragraph, what: str) -> Span | None:
    """Return the span of the first differing sentence, or of the first differing word of the law."""
    if what == "sentence":
        places = zip(was.sentences, now.sentences, now.sentences_at, strict=True)
        return next((place for one, other, place in places if one != other), None)
    if what == "law":
        parts = SequenceMatcher(None, was.law, now.law, autojunk=False).get_opcodes()
        return next((now.ruled_at[start - (tag == "delete")] for tag, _, _, start, _ in parts if tag != "equal"), None)
    return None


def _sentence(was: Paragraph, now: Paragraph, names: Names) -> Found:
    """Return a sentence whose sense changed with an unchanged law; None if there is none."""
    if len(was.sentences) != len(now.sentences):
        return None
    numbers = numbers_of(now.law)
    told = [sentences.numbers_of(each.sentences) for each in (was, now)]
    lost, gained = told[0] - told[1], told[1] - told[0]
    stale = set(lost) & set(numbers) and not set(gained) & set(numbers)
    if was.law != now.law and not (stale and gained and set(lost) & set(numbers_of(was.law))):
        return None
    if gained and set(gained) <= set(numbers) and not set(lost) & set(numbers):
        return None
    spoken = names.name_stems(now)
    for one, other in zip(was.sentences, now.sentences, strict=True):
        if found := sentences.changed_sense(one, other, names.all_stems, spoken):
            return "sentence", *found
        if now.is_law and was.law == now.law and (found := sentences.exchanged_words(one, other, spoken)):
            return "sentence", *found
    return None


def _law(was: Paragraph, now: Paragraph, names: Names) -> Found:
    """Return a law that changed with unchanged sentences; None if there is none."""
    if not now.is_law or not now.sentences or was.law == now.law or was.sentences != now.sentences:
        return None
    lost, gained = (set(numbers_of(one.law) - numbers_of(other.law)) for one, other in ((was, now), (now, was)))
    said = set(sentences.numbers_of(now.sentences))
    if gained & said and not lost & said:
        return None
    found = law_otherwise(was.law, now.law, names.names_before & names.names_after)
    return ("law", *found) if found else None


def _cites(was: Paragraph, now: Paragraph) -> Found:
    """Return citations that replace others while the rest is unchanged; None if there are none."""
    lost, gained = (sorted(set(one.cites) - set(other.cites)) for one, other in ((was, now), (now, was)))
    if not lost or not gained or (was.sentences, was.law) != (now.sentences, now.law):
        return None
    return "citation", ", ".join(lost), ", ".join(gained)
