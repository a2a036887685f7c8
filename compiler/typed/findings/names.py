"""Names that nothing declares, or that mean several things."""

from compiler.source.finding import LocatedFinding, finding
from compiler.source.sentence import MOST_NAMES, Label, Sentence, did_you_mean, list_words, suggestion_text
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names

# Where one name is missing under two descriptions: what ends with a phase, what a card shows of a table.
_KIN = {
    "moment": "phase", "chart, case or term": "table", "rule or term": "rule", "rule, case, chart or term": "rule",
}  # fmt: skip
# Kinds of procedures, of which there are few enough to list, and the limit.
_RUN_KINDS, _MOST_LISTED_NAMES = frozenset({"action", "offered action", "phase", "resolution", "event"}), 40
# What a name in a question about a position stands for.
OF_POSITION = "place or piece"
# The names of the number of members in other languages.
_FOREIGN_SIZE_NAMES = {"len", "size", "length", "number_of"}


@finding("R0201", "unknown-name")
class UnknownName(LocatedFinding):
    """A name that nothing in scope declares. `category` is the sort that was looked up: term, type, field, action ..

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
        if self.category == "name" and self.name == "previous":
            message = "there is no stage before this one"
            advice = "only rules of a value that is declared `in stages a, b` have it, as in `t.b is previous / 2`"
            return self.sentence_here(message, "the answer of the stage before", advice, root="name previous")
        if not self.candidates and not self.applicable_names and self.owner:
            message = f"`{self.owner}` keeps nothing, so it has no `{self.name}`"
            labels = (Label(self.span, "not declared"),)
            advice = (
                f"let it keep something where it is declared, as in `relation {self.owner}(..) keeps {self.name}: 0..9`"
            )
            return Sentence(message, labels, advice, root=f"field of {self.owner} {self.name}", names=(self.name,))
        if self.category == "term" and self.name in _FOREIGN_SIZE_NAMES:
            message = f"there is no term `{self.name}`"
            advice = "write `count(x in SET where CONDITION)`"
            return self.sentence_here(message, "not declared", advice, root=f"term {self.name}", names=(self.name,))
        if self.category == OF_POSITION:
            message = f"the position has no {OF_POSITION} `{self.name}`"
            advice = did_you_mean(
                nearest_names(self.name, self.candidates), f"it has {list_words(self.candidates, 'and', 12)}"
            )
            return self.sentence_here(message, "not in the position", advice)
        if self.category == "direction":
            message = f"there is no direction `{self.name}`"
            advice = f"write {list_words(self.candidates, 'or')}"
            return self.sentence_here(message, "no direction", advice, root=f"direction {self.name}")
        taking = (
            f"{list_words(self.applicable_names, 'and')} "
            f"{'is' if len(self.applicable_names) == 1 else 'are'} asked with the same"
            if self.applicable_names
            else ""
        )
        message = f"there is no {self.category} `{self.name}`"
        labels = (Label(self.span, "not declared"),)
        advice = did_you_mean(self.names_otherwise) or suggestion_text(
            self.name,
            self.candidates,
            "declare it, or use" if len(self.candidates) == 1 else "declare it, or use one of",
            taking or _elsewhere(self.span, self.category, self.candidates),
        )
        return Sentence(
            message, labels, advice, root=f"{_KIN.get(self.category, self.category)} {self.name}", names=(self.name,)
        )


@finding("R0202", "unknown-member")
class UnknownMember(LocatedFinding):
    """A word that is no member of the expected enumeration or scale; a layer may extend `is_open` ones."""

    type: str
    name: str
    members: tuple[str, ...]
    candidates: tuple[str, ...]
    is_open: bool = False

    def sentence(self) -> Sentence:
        known = f"the members of `{self.type}` are {list_words(self.members, 'and', 12)}" if self.members else ""
        if known and self.is_open and self.name.isidentifier():
            known += f"; a layer adds one by `extend enum {self.type}: {self.name}`"
        advice = did_you_mean(self.candidates, known)
        return self.sentence_here(
            f"`{self.name}` is no `{self.type}`",
            f"expected one of {list_words(self.members, 'and')}" if self.members else f"not a `{self.type}`",
            advice,
            root=f"{self.type} {self.name}",
            names=(self.type, self.name),
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
        is_cut = len(self.candidates) > MOST_NAMES and self.subject.isidentifier()
        able = f"{self.subject} can {self.verb} {list_words(self.candidates, 'or', MOST_NAMES)}"
        able += f": `explain STACK {self.subject}` lists those that the rules declare" if is_cut else ""
        can = able if self.candidates else f"no word says what {self.subject} can {self.verb}: compare it, with `=`"
        advice_by_word = {
            "path": f"`{self.name}` is a path: write `has {self.name}`",
            "hexside": f"`{self.name}` lies on hexsides: write `between(.., ..) is {self.name}`",
        }
        message = f"{self.subject} cannot {self.verb} `{self.name}`"
        advice = (
            f"write `{self.written}`"
            if self.written
            else "a comma stands between the hexes of a row"
            if self.subject == "hex" and self.name[:1].isupper()
            else advice_by_word[self.elsewhere[0]]
            if self.verb == "be" and self.elsewhere in {("path",), ("hexside",)} and self.subject in {"hex", "hexside"}
            else f"only {list_words(self.elsewhere)} can be that; {can}"
            if self.elsewhere
            else suggestion_text(self.name, self.candidates, f"it can {self.verb}", can)
        )
        return self.sentence_here(
            message, "not declared for it", advice, root=f"{self.subject} {self.name}", names=(self.name,)
        )


@finding("R0204", "ambiguous-name")
class AmbiguousName(LocatedFinding):
    """A member of several enumerations, where the context does not determine which."""

    name: str
    owners: tuple[str, ...]

    def sentence(self) -> Sentence:
        message = f"`{self.name}` may mean several things: {list_words(self.owners)}"
        advice = "compare it with something whose type is known, or rename one of them"
        return self.sentence_here(message, "which one is meant cannot be told here", advice, root=self.name)


def _elsewhere(span: Span, category: str, candidates: tuple[str, ...]) -> str:
    """Return the advice for a name without a similar one; the hexes of a card are those of its map."""
    if category == "hex" and candidates and not span.file.endswith(".rules"):
        return f"the hexes of this map go from `{min(candidates)}` to `{max(candidates)}`"
    named = f": {list_words(candidates, 'and', _MOST_LISTED_NAMES)}" if category in _RUN_KINDS and candidates else ""
    return f"declare the {category}, or name another{named}"
