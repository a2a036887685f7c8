"""Files that cannot be read, lie elsewhere, or exist twice."""

from compiler.source.finding import WARNING, Finding, LocatedFinding, finding
from compiler.source.sentence import Label, Sentence
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass

_MOST_NAMED_FILES = 5  # of those with errors beside the first

# The limits of a file, and the advice when they are exceeded.
_LIMITED = {
    **dict.fromkeys(("bytes", "characters", "documents", "nodes", "statements"), "split the file"),
    **dict.fromkeys(("files", "folders"), "name a smaller folder"),
    "layers": "put layers together that are always loaded together",
}


@frozen_dataclass
class FileFinding(Finding):
    """A problem of a whole file, whose declarations are missing."""


@finding("R0121", "too-large")
class TooLarge(LocatedFinding, FileFinding):
    """More than the limit: `unit` is bytes, statements, nodes, documents or files."""

    unit: str
    limit: int

    def sentence(self) -> Sentence:
        return self.sentence_here(
            f"more than {self.limit:,} {self.unit}",
            ("read up to here" if self.span.line > 1 else "this file") if self.unit in _LIMITED else "too many",
            _LIMITED.get(self.unit, f"leave it at {self.limit:,} or fewer"),
        )


@finding("R0122", "not-utf8")
class NotUtf8(LocatedFinding, FileFinding):
    """A byte that is not UTF-8; the file was probably saved in another encoding."""

    byte: int

    def sentence(self) -> Sentence:
        message = f"the byte 0x{self.byte:02X} is not UTF-8"
        return self.sentence_here(message, "cannot be read from here on", "save the file as UTF-8")


@finding("R0123", "missing-file")
class MissingFile(FileFinding):
    """A requested file or folder that does not exist or cannot be read.

    `reason` is the message of the system; `written_at` is where its name is written, NOWHERE on the command line.
    """

    written_at: Span
    path: str
    reason: str

    def sentence(self) -> Sentence:
        return Sentence(
            f"`{self.path}` cannot be read: {self.reason}",
            (Label(self.written_at, "asked for here"),),
            root=f"file {self.path}",
        )


@finding("R0126", "foreign-file", WARNING)
class ForeignFile(LocatedFinding, FileFinding):
    """A YAML file outside all layers none of whose documents starts with a known key: it is not read.

    `key` is its first key, "" if it starts with none; `others` are the first lines of the other such files.
    """

    key: str
    others: tuple[Span, ...] = ()

    def sentence(self) -> Sentence:
        more = (
            f", and {len(self.others)} more {'are' if len(self.others) > 1 else 'is'} not either" if self.others else ""
        )
        return Sentence(
            f"`{self.span.file}` is not read, as it begins with `{self.key}` and lies in no layer{more}",
            (
                Label(self.span, "none of our documents begins so"),
                *(Label(each, "nor this one") for each in self.others[:5]),
            ),
            "name with `--path` only the folder that has the packages; ours begin with `layer`, `board`, `scenario`"
            " and the like",
        )


@finding("R0124", "outside-package")
class OutsidePackage(LocatedFinding, FileFinding):
    """A link that leads out of its package; it is not followed."""

    target: str

    def sentence(self) -> Sentence:
        advice = "copy the file into the package, or name its folder with `--path`"
        return self.sentence_here(f"`{self.target}` lies outside the package", "this link is not followed", advice)


@finding("R0127", "broken-elsewhere", WARNING)
class BrokenElsewhere(LocatedFinding, FileFinding):
    """Errors in folders of which a stack uses nothing: the first one of a file, and of each of the `others`."""

    reason: str
    others: tuple[tuple[Span, str], ...] = ()

    def sentence(self) -> Sentence:
        what = (
            f"{len(self.others) + 1} files with errors are" if self.others else f"`{self.span.file}` has errors and is"
        )
        return Sentence(
            f"{what} left out: this stack uses nothing of {'these folders' if self.others else 'its folder'}",
            (Label(self.span, self.reason), *(Label(place, why) for place, why in self.others[:_MOST_NAMED_FILES])),
            "correct the first error of each file here, or name with `--path` only the folders that you use",
        )


@finding("R0125", "same-name-twice")
class DuplicateItem(LocatedFinding, FileFinding):
    """Two layers, boards, scenarios or documents (`category`) with one name; only the first is read."""

    category: str
    name: str
    first: Span

    def sentence(self) -> Sentence:
        message = f"there are two {self.category}s named `{self.name}`"
        advice = "rename one of them"
        return Sentence(message, (Label(self.span, "this one is not read"), Label(self.first, "this one is")), advice)
