"""Files that cannot be read, lie elsewhere, or exist twice."""

from compiler.source.finding import WARNING, Finding, LocatedFinding, finding
from compiler.source.sentence import COPIED, Label, Sentence
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.words import counted_noun

_MOST_NAMED_FILES = 5  # of those with errors beside the first

_TOO_LONG = "split the file"
# The limits of a file, and the advice when they are exceeded.
_LIMITED = {
    **dict.fromkeys(("bytes", "characters", "documents", "nodes", "statements"), _TOO_LONG),
    **dict.fromkeys(("files", "folders"), "name a smaller folder"),
    "layers": "merge layers that are always used together",
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
        subject = "the file has" if _LIMITED.get(self.unit) == _TOO_LONG else "there are"
        message = f"{subject} more than {self.limit:,} {self.unit}"
        advice = _LIMITED.get(self.unit, f"reduce them to at most {self.limit:,}")
        return self.sentence_here(message, "read only up to here" if self.span.line > 1 else "here", advice)


@finding("R0122", "not-utf8")
class NotUtf8(LocatedFinding, FileFinding):
    """A byte that is not UTF-8; the file was probably saved in another encoding."""

    byte: int

    def sentence(self) -> Sentence:
        message = f"the file is not UTF-8: it contains the byte 0x{self.byte:02X}"
        return self.sentence_here(message, "not read from here on", "save the file as UTF-8")


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
            (Label(self.written_at, "needed here"),),
            "correct the name, or restore the file",
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
        more = f" (and {counted_noun(len(self.others), 'more file')})" if self.others else ""
        return Sentence(
            f"`{self.span.file}` is ignored{more}: it is in no layer, and no file of rules begins with `{self.key}`",
            (
                Label(self.span, "unknown key"),
                *(Label(each, "and here") for each in self.others[:5]),
            ),
            "correct this key, or name with `--path` only folders of rules",
        )


@finding("R0124", "outside-package")
class OutsidePackage(LocatedFinding, FileFinding):
    """A link that leads out of its package; it is not followed."""

    target: str

    def sentence(self) -> Sentence:
        advice = "copy the file into the package, or name its folder with `--path`"
        message = f"this link leads to `{self.target}`, outside the package"
        return self.sentence_here(message, "not followed", advice)


@finding("R0127", "broken-elsewhere", WARNING)
class BrokenElsewhere(LocatedFinding, FileFinding):
    """Errors in folders of which a stack uses nothing: the first one of a file, and of each of the `others`."""

    reason: str
    others: tuple[tuple[Span, str], ...] = ()

    def sentence(self) -> Sentence:
        subject, folders = f"`{self.span.file}` has errors and is", "its folder"
        if self.others:
            subject, folders = f"{len(self.others) + 1} files have errors and are", "their folders"
        return Sentence(
            f"{subject} left out, as this stack uses nothing in {folders}",
            (Label(self.span, self.reason), *(Label(place, why) for place, why in self.others[:_MOST_NAMED_FILES])),
            "correct these errors, or name with `--path` only the folders that you use",
        )


@finding("R0125", "same-name-twice")
class DuplicateItem(LocatedFinding, FileFinding):
    """Two layers, boards, scenarios or documents (`category`) with one name; only the first is read."""

    category: str
    name: str
    first: Span

    def sentence(self) -> Sentence:
        message = f"there are two {self.category}s named `{self.name}`"
        folders = _copied_folders(self.span.file, self.first.file)
        advice = (
            "delete one of these two copies of a file, or rename what it declares" if folders else "rename one of them"
        )
        return self.sentence_here(message, "ignored", advice, Label(self.first, "used"), root=folders)


def _copied_folders(file: str, other: str) -> str:
    """Return the outermost folders in which two files lie alike, which are copies; "" if their names differ."""
    inner, outer = file.split("/"), other.split("/")
    while len(inner) > 1 and len(outer) > 1 and inner[-1] == outer[-1]:
        inner.pop()
        outer.pop()
    is_copied = file != other and len(inner) < len(file.split("/"))
    return f"{COPIED} {'/'.join(inner)} {'/'.join(outer)}" if is_copied else ""
