"""Find sentences that changed without their law since a revision, and laws that changed without their sentence.

In: the layers of a stack and a revision that git knows. Out: what changed alone, how many paragraphs differ, and what
was left out. People read the sentence and play by the law, and whoever changes one of them forgets the other; one
version alone often does not show it. Paragraphs are told by their labels. Told are, of a paragraph that is in both:
a sentence whose sense differs (sentences.py) while no word of the law does; a rule, ruling or reading whose law differs
(laws.py) while no word of its sentences does; a number that differs in one and stands in the other as before; and
citations that differ alone. A number that the other has is a correction and not told.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path

from compiler.layered.choose import choose_layers, parse_request
from compiler.report.answers import ChangedAlone
from compiler.source.package import Library
from rulewright.errors import UsageError
from rulewright.git import NotInGitError, ask_git, unknown_revision
from rulewright.revisions import sentences
from rulewright.revisions.laws import law_otherwise, numbers_of
from rulewright.revisions.names import Names
from rulewright.revisions.paragraphs import Paragraph, paragraphs_of
from runtime.graph.frozen import dataclass

HEAD = "HEAD"
LEFT_OUT = ("charts", "counters", "boards", "cards")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rules beside those of a revision: how many paragraphs differ, are new, are gone, and what changed alone."""

    revision: str
    differ: int
    new: int
    gone: int
    alone: tuple[ChangedAlone, ...]

    @property
    def differs(self) -> bool:
        """Tell whether any paragraph differs, is new or gone."""
        return bool(self.differ + self.new + self.gone)

    def data(self) -> dict[str, object]:
        """Shape it for `--format json`."""
        counts = {"differ": self.differ, "new": self.new, "gone": self.gone}
        return {"revision": self.revision, **counts, "left_out": list(LEFT_OUT)}

    def told(self) -> str:
        """Say in a line what was compared."""
        left_out = f"{', '.join(LEFT_OUT[:-1])} and {LEFT_OUT[-1]} were not compared"
        if not self.differs:
            return f"the rules are as at {self.revision}; {left_out}"
        parts = ((self.differ, "differ" + "s" * (self.differ == 1)), (self.new, "new"), (self.gone, "gone"))
        counts = ", ".join(f"{count} {what}" for count, what in parts if count)
        return f"paragraphs compared with {self.revision}: {counts}; {left_out}"


def compared(library: Library, stack: str, revision: str = "") -> Comparison | None:
    """Compare the rules of a stack with a revision; without one with the last commit, if git keeps the rules at all.

    None: nothing was asked for, and git has no commit of these folders.
    """
    layers, _ = choose_layers(library.layers, parse_request(stack))
    names = [layer.name.text for layer in layers if layer.name.text in library.files]
    try:
        older = {name: _older(library, name, revision or HEAD) for name in names}
    except NotInGitError as failure:
        if not revision:
            return None
        folder = _folder(library, names[0])
        raise UsageError(f"`--since {revision}` {unknown_revision(folder, failure)}") from None
    return _compare(library, older, revision or HEAD)


def _folder(library: Library, layer: str) -> Path:
    manifest = library.texts.file(library.layers[layer].span.file)
    assert manifest is not None, layer
    return manifest.path.parent


def _older(library: Library, layer: str, revision: str) -> dict[str, tuple[str, str]]:
    """List the files of rules of a layer that differ from a revision: the text then and the text now, by file name."""
    folder = _folder(library, layer)
    here = {file.path: file.name for file in library.files[layer] if file.path.suffix == ".rules"}
    commit = ask_git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    listed = ask_git(
        folder, "diff", "--name-only", "--no-renames", "--no-ext-diff", "--relative", "-z", commit, "--", "."
    )
    others = ask_git(folder, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    found = {}
    for name in filter(None, (listed + others).decode("utf-8", "replace").split("\0")):
        path = folder / name
        if path.suffix != ".rules" or (path not in here and path.exists()):
            continue  # A layer inside of this one has files of its own.
        shown = here.get(path, f"{folder.name}/{name}")
        now = library.texts[shown] if path in here else ""
        found[shown] = (_text_at(folder, commit, name), now)
    return found


def _text_at(folder: Path, commit: str, name: str) -> str:
    """Give the text of a file at a commit; a file that came later has none."""
    try:
        return ask_git(folder, "show", f"{commit}:./{name}").decode("utf-8", "replace")
    except NotInGitError:
        return ""


def _compare(library: Library, older: Mapping[str, Mapping[str, tuple[str, str]]], revision: str) -> Comparison:
    differ = new = gone = 0
    alone: list[ChangedAlone] = []
    for layer, files in older.items():
        was = _by_label(each for name, (text, _) in files.items() for each in paragraphs_of(text, name))
        now = _by_label(each for name, (_, text) in files.items() for each in paragraphs_of(text, name))
        names = Names(_kept(library, layer, files), files.values())
        new, gone = new + len(now.keys() - was.keys()), gone + len(was.keys() - now.keys())
        for key in (key for key in now if key in was and not _same(was[key], now[key])):
            differ += 1
            alone += _alone(was[key], now[key], names, revision)
    return Comparison(revision, differ, new, gone, tuple(alone))


def _kept(library: Library, layer: str, changed: Container[str]) -> Iterator[str]:
    """List the texts of the files of a layer that are as they were."""
    for file in library.files[layer]:
        if file.path.suffix == ".rules" and file.name not in changed:
            yield library.texts[file.name]


def _by_label(paragraphs: Iterable[Paragraph]) -> dict[tuple[str, str], Paragraph]:
    return {(each.kind, each.label): each for each in paragraphs}


def _same(was: Paragraph, now: Paragraph) -> bool:
    return (was.sentences, was.law, was.cites) == (now.sentences, now.law, now.cites)


def _alone(was: Paragraph, now: Paragraph, names: Names, revision: str) -> Iterator[ChangedAlone]:
    """Tell what of a paragraph changed alone: at most one thing."""
    found = _sentence(was, now, names) or _law(was, now, names) or _cites(was, now)
    if found:
        what, before, after = found
        yield ChangedAlone(what, now.label, before, after, revision, " / ".join(now.sentences), now.span)


Found = tuple[str, str, str] | None


def _sentence(was: Paragraph, now: Paragraph, names: Names) -> Found:
    """Find a sentence of another sense over the same law."""
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
    for one, other in zip(was.sentences, now.sentences, strict=True):
        if found := sentences.said_otherwise(one, other, names.all, names.spoken(now)):
            return "sentence", *found
    return None


def _law(was: Paragraph, now: Paragraph, names: Names) -> Found:
    """Find a law that says otherwise under the same sentence."""
    if not now.is_law or not now.sentences or was.law == now.law or was.sentences != now.sentences:
        return None
    lost, gained = (set(numbers_of(one.law) - numbers_of(other.law)) for one, other in ((was, now), (now, was)))
    said = set(sentences.numbers_of(now.sentences))
    if gained & said and not lost & said:
        return None
    found = law_otherwise(was.law, now.law, names.before & names.after)
    return ("law", *found) if found else None


def _cites(was: Paragraph, now: Paragraph) -> Found:
    """Find citations that stand for others, all else being the same."""
    lost, gained = (sorted(set(one.cites) - set(other.cites)) for one, other in ((was, now), (now, was)))
    if not lost or not gained or (was.sentences, was.law) != (now.sentences, now.law):
        return None
    return "citation", ", ".join(lost), ", ".join(gained)
