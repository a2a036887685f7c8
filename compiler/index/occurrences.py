"""The occurrences of one file: each name with its place, its symbol, and whether it is a declaration or a use.

In: a parsed file, and the facts that typing accumulated (typed/name_uses.py). Out: occurrences, in written order. The
namespace of most names follows from the syntax: the label after `exception to`, the resolution after `do`. The symbol
of a field or of a test after `is` depends on types and is taken from the facts. Local names are resolved here, by
scope; the scope of a rule includes the parameters of its question.

A symbol is a key of namespace and name: "track unit.spent", "term may_enter", "label far-is-dear",
"local moving.rules:3:7".
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any, get_args

from compiler.index.declarations import qualified_name, visit_declaration
from compiler.index.sentences import visit_sentences
from compiler.index.settings import SETTINGS, visit_setting
from compiler.source import nodes as source
from compiler.source.files import split_lines
from compiler.source.span import Span
from compiler.typed.declarations import DECLARATIONS
from compiler.typed.name_uses import LOCAL, NameUse
from compiler.typed.values.names import GAME
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

# All names that may denote a type share one namespace.
TYPES = {"kind", "measure", "enum", "scale", "domain", "record"}
# The namespace of the name behind a keyword, in the selector of a step or of a procedure, where it has another name.
NAMESPACES_OF_STEPS = {"do": "resolution", "tell": "event", "offer": "action", "mark": "status", "unmark": "status"}
NAMESPACES_OF_PROCEDURES = {"reaction": "action", "hook": "event", "end": "moment"}
# The namespaces of fields that are names, or tuples of names, by node class.
NAMESPACES_OF_FIELDS = {
    field: namespace
    for namespace, class_fields in {
        "action": "Offered.action Perform.action",
        "actor": "Action.by Reaction.by",
        "card": "Example.upon",
        "chart": "Cell.table CellPatch.table",
        "kind": "NameType.names Pieces.kinds",
        "label": "Ask.because ExpectedVerdict.by ExtendPrecondition.label HookOrder.label Relate.labels "
        "Requirement.asked",
        "measure": "Amount.measure RangeType.measure",
        "moment": "Each.name Moment.name",
        "phase": "Action.phases Insert.anchor",
        "relation": "Pair.relation",
        "stack": "Example.under",
    }.items()
    for field in class_fields.split()
}


@frozen_dataclass
class Occurrence:
    """A name at a place. `type` is None where there is none or it is unknown; `declares`: a declaration."""

    span: Span
    symbol: str
    declares: bool = False
    type: graph.Type | None = None


def list_occurrences(file: source.RulesFile, uses: Mapping[Span, NameUse], text: str) -> tuple[Occurrence, ...]:
    """Return the names of a file, including those in the slots of its templates."""
    walk = NameWalk(uses, text)
    for statement in file.statements:
        walk.visit(statement)
    return tuple(sorted(walk.occurrences, key=lambda each: (each.span.line, each.span.column)))


def _symbol_of(key: str) -> str:
    """Return the symbol of the key of a typing fact: the same, but types share one namespace, and phases have one."""
    category, _, name = key.partition(" ")
    if name.startswith("phase."):
        return f"phase {name.removeprefix('phase.')}"
    return f"type {name}" if category in TYPES and "." not in name else key


class NameWalk:
    """A traversal of a tree with the names in scope."""

    def __init__(self, uses: Mapping[Span, NameUse], text: str) -> None:
        self.uses = uses
        self.lines = split_lines(text)
        self.occurrences: list[Occurrence] = []
        self.scope: dict[str, str] = {}
        self.term = ""  # the question that the rule around speaks on
        self.procedure = ""  # the action or resolution around: what is chosen in it is called by its name, too
        self.visited_spans: set[Span] = set()
        self.paragraph_start = 0  # where the names of the paragraph around begin among those that were found

    # ------------------------------------------------------------ recording

    def declare(self, word: source.Word, symbol: str, type_: graph.Type | None = None) -> None:
        """Record a declaration."""
        self.occurrences.append(Occurrence(word.span, symbol, declares=True, type=type_))

    def use_name(self, word: source.Word | None, namespace: str) -> None:
        """Record the use of a name in a namespace, such as "term" or, for a qualified one, "member side"."""
        if word is not None:
            self.mention_symbol(word, _symbol_of(qualified_name(namespace, word)))

    def mention_symbol(self, word: source.Word, symbol: str) -> None:
        """Record the use of a symbol."""
        self.occurrences.append(Occurrence(word.span, symbol))

    def use_all(self, words: Iterable[source.Word | None], namespace: str) -> None:
        """Record the uses of names in one namespace."""
        for word in words:
            self.use_name(word, namespace)

    def bind(self, word: source.Word | None, symbol: str = "") -> None:
        """Bind a name in the current scope."""
        if word is not None:
            span = word.span
            symbol = symbol or f"{LOCAL} {span.file}:{span.line}:{span.column}"
            self.scope = {**self.scope, word.text: symbol}
            used = self.uses.get(span)
            self.declare(word, symbol, used.type if used else None)

    def mention_or_use(self, word: source.Word | None, namespace: str) -> None:
        """Record the use of a column of the example, or else of a name in a namespace."""
        if word is not None and word.text in self.scope:
            self.mention_symbol(word, self.scope[word.text])
        else:
            self.use_name(word, namespace)

    def mention_space(self, word: source.Word | None) -> None:
        """Record the use of a hex of an example or a card."""
        if word is not None:
            self.mention_symbol(word, self.scope.get(word.text, f"hex {word.text}"))

    @contextmanager
    def new_scope(self) -> Iterator[None]:
        """Open a scope for the context."""
        scope, term, procedure, since = self.scope, self.term, self.procedure, self.paragraph_start
        if not scope:
            self.paragraph_start = len(self.occurrences)
        try:
            yield
        finally:
            self.scope, self.term, self.procedure, self.paragraph_start = scope, term, procedure, since

    # ------------------------------------------------------------ walking

    def visit(self, node: Any) -> None:
        """Traverse a node."""
        match node:
            case tuple():
                for each in node:
                    self.visit(each)
            case Span() | source.Word() | str() | int() | bool() | None:
                pass
            case source.Case() | source.Rule() | source.Ruling() | source.Dispute() | source.Reading():
                self._law(node)
            case source.Example():
                self._example(node)
            case source.Beside():
                self._beside(node)
            case source.Phase(name=name):
                self.declare(name, f"phase {name.text}")
                self._body(node, "name")
            case _ if record := DECLARATIONS.get(type(node)):
                visit_declaration(self, node, record.names)
            case _ if type(node).__name__ in _STEPS:
                self._step(node)
            case _ if type(node).__name__ in SETTINGS:
                visit_setting(self, node)
            case _:
                self._expression(node)

    def visit_parts(self, node: Any, *but: str) -> None:
        """Traverse the parts of a node, in written order."""
        if hasattr(node, "cites"):
            self.use_all(node.cites, "source")
        for part in fields(node):
            if part.name not in ("span", "cites", *but):
                value = getattr(node, part.name)
                if namespace := NAMESPACES_OF_FIELDS.get(f"{type(node).__name__}.{part.name}"):
                    self.use_all(value if isinstance(value, tuple) else (value,), namespace)
                else:
                    self.visit(value)

    def bind_parameter(self, part: source.Parameter | source.Word, owner: str) -> None:
        """Bind a parameter in the scope; its symbol is qualified by an owner, or local."""
        word = part if isinstance(part, source.Word) else part.name
        if isinstance(part, source.Parameter):
            self.visit(part.type)
        self.bind(word, f"{owner}.{word.text}" if owner else "")

    def _example(self, node: source.Example) -> None:
        with self.new_scope():
            for word in node.cases.names if node.cases else ():
                self.bind(word)
            self.visit_parts(node, "cases")
            self.visit(node.cases.rows if node.cases else None)  # They may name what the lines set up.

    def _law(self, node: Any) -> None:
        match node:
            case source.Rule(label=label, conclusion=conclusion):
                self.declare(label, f"label {label.text}")
                with self.new_scope():
                    if conclusion is not None:
                        self._head(conclusion)
                    for name in node.names:
                        self.visit(name.value)
                        self.bind(name.name)
                    self.visit(conclusion.value if conclusion else None)
                    self.visit_parts(node, "label", "conclusion", "names")
            case _:
                self.declare(node.label, f"label {node.label.text}")
                self.visit_parts(node, "label")

    def _head(self, conclusion: source.Conclusion) -> None:
        """Record the head of a conclusion: a question, `strength.printed`, or a flag, as in `hex is bog`."""
        self.term, _, stage = conclusion.head.text.partition(".")
        span, split = conclusion.head.span, conclusion.head.span.column + len(self.term)
        self.occurrences.append(Occurrence(replace(span, end_column=split) if stage else span, f"term {self.term}"))
        if stage:
            self.occurrences.append(Occurrence(replace(span, column=split + 1), f"stage {self.term}.{stage}"))
        if conclusion.stage:
            self.occurrences.append(Occurrence(conclusion.stage.span, f"stage {self.term}.{conclusion.stage.text}"))

    def _beside(self, node: source.Beside) -> None:
        with self.new_scope():
            for each in (node.host, *node.actions):
                self.use_name(each.action, "action")
                for word in each.parameters:
                    if each is node.host and word.text not in self.scope:
                        self.bind(word)
                    else:
                        self.mention_symbol(word, self.scope.get(word.text, f"name {word.text}"))

    def _body(self, node: Any, *but: str) -> None:
        with self.new_scope():
            self.visit_parts(node, *but)

    def _step(self, node: Any) -> None:  # noqa: C901 - one arm per step
        match node:
            case source.Let() | source.Choose() | source.Draw() | source.Write():
                self.visit_parts(node, "name", "preferring")
                is_asked = self.procedure and isinstance(node, source.Choose)
                self.bind(node.name, f"parameter {self.procedure}.{node.name.text}" if is_asked and node.name else "")
                self.visit(getattr(node, "preferring", None))
            case source.Roll(name=name, domain=domain):
                if isinstance(domain, source.Word):
                    self.use_name(domain, "domain")
                self.visit(domain)
                self.bind(name)
            case source.Loop(name=name):
                self.visit(node.source)
                with self.new_scope():
                    self.bind(name)
                    self.visit(node.body)
            case source.Branch(condition=condition, then=then, orelse=orelse):
                self.visit(condition)
                for body in (then, orelse):
                    with self.new_scope():
                        self.visit(body)
            case source.Mark(status=word) | source.Move(place=word) if word is not None:
                self.visit_parts(node)
                self.use_typed(word, "place piece" if isinstance(node, source.Move) else "status")
            case source.Create(kind=kind, name=name):
                self.use_name(kind, "kind")
                self.use_name(kind, "member counter")
                self.visit_parts(node, "name")
                self.bind(name)
            case source.Each():
                self._body(node)
            case source.Begin(action=action, choices=choices):
                self.use_name(action, "action")
                for choice, called in choices:
                    self.mention_symbol(choice, f"parameter {action.text}.{choice.text}")
                    self.mention_symbol(called, self.scope.get(called.text, f"name {called.text}"))
            case source.ProcedureName(what=keyword, name=name):
                self.use_name(name, NAMESPACES_OF_PROCEDURES.get(keyword, keyword))
            case source.Invoke(what=keyword, name=name) | source.StepSelector(what=keyword, name=name):
                self.use_name(name, NAMESPACES_OF_STEPS.get(keyword, "step"))
                self.visit_parts(node, "name")
            case _:
                self.visit_parts(node)

    def use_typed(self, word: source.Word, namespace: str) -> None:
        """Record the use of a name by its typing fact, or by syntax."""
        used = self.uses.get(word.span)
        if used is not None and used.key:
            self.occurrences.append(Occurrence(word.span, _symbol_of(used.key), type=used.type))
        else:
            self.mention_symbol(word, f"{namespace}.{word.text}")

    def _expression(self, node: Any) -> None:  # noqa: C901 - one arm per expression
        match node:
            case source.Name(span=span, id=word):
                self._name(source.Word(span, word))
            case source.Quoted(span=span, text=text):
                self.use_typed(source.Word(span, text), "quoted")
            case source.Field(name=word) | source.HasTest(name=word):
                self.visit_parts(node)
                self.use_typed(word, "field")
            case source.Call(name=word):
                self.use_typed(word, "call") if word.span in self.uses else self.use_name(word, "term")
                self.visit_parts(node)
            case source.Make(type=type_, fields=parts):
                self.use_name(type_, "record")
                for word, value in parts:
                    self.mention_symbol(word, f"record {type_.text}.{word.text}")
                    self.visit(value)
            case source.IsTest(subject=subject, words=words):
                self.visit(subject)
                for word in words:
                    self.use_typed(word, "flag")
            case source.Aggregate() | source.SetComprehension() | source.Extreme():
                with self.new_scope():
                    self.visit(node.binder)
                    self.visit_parts(node, "binder")
            case source.Binder(name=name, where=condition, inner=inner):
                self.visit(node.source)
                self.bind(name)
                self.visit(condition)
                self.visit(inner)
            case source.Reads() | source.Account() | source.AccountText():
                visit_sentences(self, node)
            case _ if hasattr(node, "span"):
                self.visit_parts(node)

    def _name(self, word: source.Word) -> None:
        """Record the use of a bare name: one in scope, a parameter of the question, or a member of an enumeration."""
        used = self.uses.get(word.span)
        is_local = used is None or not used.key or used.key.startswith(f"{LOCAL} ")
        symbol = self.scope.get(word.text, "") if is_local else _symbol_of(used.key if used else "")
        if not symbol and is_local and self.term and word.text not in GAME:
            symbol = f"parameter {self.term}.{word.text}"
        self.occurrences.append(Occurrence(word.span, symbol or f"name {word.text}", type=used.type if used else None))


_STEPS = {each.__name__ for each in (*get_args(source.Step), source.ProcedureName)} - {"Phase"}
_STEPS |= {"Offered", "StepSelector", "Begin"}
