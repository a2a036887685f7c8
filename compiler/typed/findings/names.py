"""Names that nothing declares, or that mean several things."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import MOST_NAMES, Sentence, backquoted, did_you_mean, list_words, suggestion_text
from compiler.source.suggestions import nearest_names
from runtime.graph.words import article, has_article

# Kinds of procedures, of which there are few enough to list, and the limit.
_RUN_KINDS, _MOST_LISTED_NAMES = frozenset({"action", "offered action", "phase", "resolution", "event"}), 40
# What a name in a question about a position stands for.
OF_POSITION = "place or piece"
# The names of the number of members in other languages.
_FOREIGN_SIZE_NAMES = {"len", "size", "length", "number_of"}
# What belongs to something, as the field of a record.
_PARTS = frozenset({"field", "end", "key", "track", "stage", "member", "hex", "choice", "factor"})


@finding("R0201", "unknown-name")
class UnknownName(LocatedFinding):
    """A name that nothing in scope declares. `category` is the sort that was looked up: term, type, field of, action ..

    `candidates` are all names that would be valid there; `applicable_names` those among them that accept the arguments
    written behind it. `names_otherwise` have this name in another way: fields of something in scope, counters with such
    a title. `owner` is the thing without such a field, "" if the name is no field. In a question about a position the
    `candidates` are its places and pieces (`OF_POSITION`).
    """

    category: str
    name: str
    candidates: tuple[str, ...]
    applicable_names: tuple[str, ...] = ()
    names_otherwise: tuple[str, ...] = ()
    owner: str = ""

    def sentence(self) -> Sentence:
        part, _, owner = self.category.partition(" of ")
        is_part = part in _PARTS and owner != ""
        category = "question" if self.category == "term" else self.category
        message = f"there is no {category} `{self.name}`"
        if is_part:
            subject = owner if has_article(owner) else backquoted(owner)
            message = f"{subject} has no {part} `{self.name}`"
        elif self.category == OF_POSITION:
            message = f"the position has no {OF_POSITION} `{self.name}`"
        elif self.category == "phase" and not self.candidates:
            message = f"there is no phase `{self.name}`, as no `sequence` is declared"
        # One declaration that is missing may be missed as a rule, as a question and in the book.
        root = f"{owner} {self.name}" if is_part else f"name {self.name}"
        if self.category == "phase" and not self.candidates:
            root = "no sequence"
        return self.sentence_here(message, "named here", self._advice(), root=root, names=(self.name,))

    def _advice(self) -> str:
        if self.category == "name" and self.name == "previous":
            return "use it only in a rule on a later stage, as in `t.b is previous / 2`"
        if not self.candidates and not self.applicable_names and self.owner:
            return f"declare it, as in `relation {self.owner}(..) keeps {self.name}: 0..9`"
        if self.category == "term" and self.name in _FOREIGN_SIZE_NAMES:
            return "write `count(x in SET where CONDITION)`"
        if self.category == OF_POSITION:
            known = f"it has {list_words(self.candidates, 'and', MOST_NAMES)}"
            return did_you_mean(nearest_names(self.name, self.candidates), known)
        advice = f"declare it, or name another {self.category.partition(' of ')[0]}"
        if self.applicable_names:
            advice = f"with these arguments one can ask {list_words(self.applicable_names)}"
        elif self.category == "phase" and not self.candidates:
            advice = "declare the sequence of play, with its phases"
        elif self.category == "hex" and self.candidates and not self.span.file.endswith(".rules"):
            advice = f"the hexes of this map go from `{min(self.candidates)}` to `{max(self.candidates)}`"
        elif self.category in _RUN_KINDS and self.candidates:
            advice = f"declare it, or name one of {list_words(self.candidates, most=_MOST_LISTED_NAMES)}"
        prefix = "declare it, or use" if len(self.candidates) == 1 else "declare it, or use one of"
        return did_you_mean(self.names_otherwise) or suggestion_text(self.name, self.candidates, prefix, advice)


@finding("R0202", "unknown-member")
class UnknownMember(LocatedFinding):
    """A word that is no member of the expected enumeration or scale; a layer may extend `is_open` ones."""

    type: str
    name: str
    members: tuple[str, ...]
    candidates: tuple[str, ...]
    is_open: bool = False

    def sentence(self) -> Sentence:
        advice = f"write {list_words(self.members, most=MOST_NAMES)}" if self.members else ""
        if advice and self.is_open and self.name.isidentifier():
            advice += f", or add a member with `extend enum {self.type}: {self.name}`"
        return self.sentence_here(
            f"`{self.name}` is not a member of `{self.type}`",
            "here",
            did_you_mean(self.candidates, advice),
            root=f"name {self.name}",
            names=(self.name, self.type),
        )


@finding("R0203", "unknown-flag")
class UnknownFlag(LocatedFinding):
    """A word after `is` or `has` that its subject cannot be, or have (`verb`).

    `candidates` are the valid words; `elsewhere` the owners that have this one; `written` the correct form of the test.
    """

    subject: str
    name: str
    candidates: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    verb: str = "be"
    written: str = ""

    def sentence(self) -> Sentence:
        name, subject = self.name, self.subject
        words = tuple(name.split("|"))
        owner = article(subject) if subject.isidentifier() and not has_article(subject) else subject
        message = f"{owner} cannot {self.verb} {list_words(words)}"
        if not self.elsewhere and subject == "hex" and self.verb == "be" and name[:1].isupper():
            message = f"a comma is missing before the hex `{name}`"
        advice = self._advice(owner)
        return self.sentence_here(message, "here", advice, root=f"name {words[0]}", names=words)

    def _advice(self, owner: str) -> str:
        name, subject, elsewhere = self.name, self.subject, self.elsewhere
        if self.written:
            return f"write `{self.written}`"
        if self.verb == "be" and subject in {"hex", "hexside"}:
            if not elsewhere and name[:1].isupper():
                return f"write `, {name}`"
            if elsewhere == ("path",):
                return f"write `has {name}`, as it is a path"
            if elsewhere == ("hexside",):
                return f"write `between(.., ..) is {name}`, as it lies on hexsides"
        can = f"{owner} can {self.verb} {list_words(self.candidates, 'or', MOST_NAMES)}"
        if not self.candidates:
            can = "compare it, with `=`"
        if elsewhere:
            return f"{can}, but only {list_words(elsewhere)} can {self.verb} `{name}`"
        return suggestion_text(name, self.candidates, f"it can {self.verb}", can)


@finding("R0204", "ambiguous-name")
class AmbiguousName(LocatedFinding):
    """A member of several enumerations, where the context does not determine which."""

    name: str
    owners: tuple[str, ...]

    def sentence(self) -> Sentence:
        message = f"`{self.name}` is ambiguous: it is a member of {list_words(self.owners, 'and')}"
        advice = "compare it with something whose type is known, or rename one of these members"
        return self.sentence_here(message, "here", advice, root=self.name)
