"""Convert procedures to text, step by step.

The input is the steps of a procedure; the output is a tree of lines for a nested list: steps, with the steps inside
them. A line may contain the keys of the actions or resolutions it refers to, so that a page can link. Names of one
letter are for authors; after a step that binds one, later steps use "that unit".
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from compiler.rulebook.exact_words import ExactSentence, is_long
from compiler.rulebook.long_steps import lay_out_step
from compiler.rulebook.naming import procedure_title
from compiler.rulebook.openings import procedure_heading
from compiler.rulebook.sentences import wording_of
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.effects import STEP_RECORDS, effects_of
from runtime.graph.effects.primitives import CreatePiece
from runtime.graph.english import quoted_name
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.phrases import PREPOSITIONAL_NAMES
from runtime.graph.predeclared_types import member_of
from runtime.graph.set_phrases import members_phrase, type_noun
from runtime.graph.templates import Slot, parse_template
from runtime.graph.wording import Wording


@frozen_dataclass
class ProcedureLine:
    """One step. `title` is set for phases, `leads` lists keys of Graph.procedures.

    `called` is the name of a phase, or of what the clock loops over. A `counted` line is no step: it is one of the
    things that the line around it counts up. One that `is_call` carries out what it leads to.
    """

    text: str
    title: str
    cites: tuple[str, ...]
    leads: tuple[str, ...]
    inside: "tuple[ProcedureLine, ...]"
    called: str = ""
    counted: bool = False
    is_call: bool = False


def citations_of(cited: graph.Cited | None) -> tuple[str, ...]:
    """Return what a step itself cites."""
    return cited.cites if cited is not None else ()


def read_steps(wording: Wording, steps: tuple[graph.Step, ...]) -> tuple[ProcedureLine, ...]:
    """Convert all steps in order; the names that earlier steps bind are in the scope of the later ones."""
    lines = []
    for step in steps:
        if isinstance(step, graph.BeginAccount):
            continue  # It does nothing.
        lines.append(read_step(wording, step))
        if isinstance(step, graph.Branch):
            lines.extend(_alternatives(wording, step.orelse))
        wording = _wording_after(wording, step)
    return tuple(lines)


def _alternatives(wording: Wording, orelse: tuple[graph.Step, ...]) -> Iterator[ProcedureLine]:
    """Convert the steps after an `else`; a chain of `else if` stays at one level."""
    match orelse:
        case ():
            return
        case (graph.Branch() as branch,):
            line = read_step(wording, branch)
            yield replace(line, text=f"Otherwise, {line.text[:1].lower()}{line.text[1:]}")
            yield from _alternatives(wording, branch.orelse)
        case _:
            yield _opening("otherwise", read_steps(wording, orelse))


def procedure_lines(book: graph.Graph, procedure: graph.Procedure) -> tuple[ProcedureLine, ...]:
    """Convert a whole procedure."""
    steps = read_steps(wording_of(book, procedure.parameters), procedure.body)
    return (*steps, *_account_lines(procedure))


def _account_lines(procedure: graph.Procedure) -> tuple[ProcedureLine, ...]:
    """Return the account of a procedure, its fields as words in brackets."""
    if procedure.account is None:
        return ()
    texts_by_kind = {
        kind: [_with_words(text.text) for text in procedure.account.texts if text.what == kind]
        for kind in ACCOUNT_HEADINGS
    }
    sub_lines = (_account_line(ACCOUNT_HEADINGS[kind], texts) for kind, texts in texts_by_kind.items() if texts)
    return (ProcedureLine("What is told:", "", procedure.account.cites, (), tuple(sub_lines)),)


def _account_line(when: str, texts: list[str]) -> ProcedureLine:
    """Return what is told at one time, in a line or as a list."""
    sentence = f"{when}: {'; '.join(texts)}"
    if not is_long(sentence):
        return _plain_text(sentence)
    return replace(_plain_text(f"{when}:"), inside=tuple(_counted_line(ExactSentence(text)) for text in texts))


ACCOUNT_HEADINGS = {"previews": "Before the dice", "tells": "When it is over", "results": "And what came of it"}


def _with_words(text: str) -> str:
    """Convert a template for readers: fields in brackets, and the first of two alternative words."""
    parts = parse_template(text)
    return "".join(
        part if not isinstance(part, Slot) else part.singular or f"[{words.readable_name(part.field)}]"
        for part in parts
    )


def _plain_text(text: str) -> ProcedureLine:
    return ProcedureLine(text, "", (), (), ())


def steps_text(lines: tuple[ProcedureLine, ...]) -> Iterator[str]:
    """Return the texts of all lines."""
    for line in lines:
        yield line.title or line.text
        yield from steps_text(line.inside)


def has_phase(lines: tuple[ProcedureLine, ...]) -> bool:
    """Return whether lines contain a phase, at any depth."""
    return any(line.title or has_phase(line.inside) for line in lines)


def read_step(wording: Wording, step: graph.Step) -> ProcedureLine:
    """Read one step and what is inside it; one of many words as a list."""
    line = _step_line(wording, step)
    if not is_long(line.text):
        return line
    sentence = lay_out_step(wording, step, lambda within, each: _step_line(within, each).text.rstrip(".:"))
    counted = tuple(_counted_line(item) for item in sentence.items)
    sub_lines = (_opening("then", line.inside),) if counted and line.inside else line.inside
    return replace(line, text=sentence.text if counted else line.text, inside=(*counted, *sub_lines))


def _counted_line(item: ExactSentence) -> ProcedureLine:
    """Return one of the things that a line counts up."""
    return ProcedureLine(item.text, "", (), (), tuple(map(_counted_line, item.items)), counted=True)


def _step_line(wording: Wording, step: graph.Step) -> ProcedureLine:  # noqa: C901 - one case a step.
    if isinstance(step, graph.ChangingStep):
        return _sentence_line(STEP_RECORDS[step.__class__].phrase(wording, step))
    match step:
        case graph.Let(name, value):
            return _sentence_line(_binding_text(wording, name, value))
        case graph.Legal(condition):
            return _sentence_line(f"this is allowed only if {wording.clause(condition)}")
        case graph.Choose():
            return _sentence_line(_choice(wording, step))
        case graph.Offer():
            return _offer(wording, step)
        case graph.Loop(name, _, (graph.Branch(_, (graph.Offer() as offer,), ()),)) if name.startswith("#"):
            # The form of a reaction: all sides that are not on move decide.
            return replace(_offer(wording, offer), text="Every other side may answer, as often as wanted:")
        case graph.Loop(name, source, body):
            return _opening(
                f"for each {members_phrase(wording, source, is_plural=False)}",
                read_steps(_wording_with_member(wording, name, source, looped=True), body),
            )
        case graph.Branch():
            return _branch(wording, step)
        case graph.Do(resolution, arguments, cited):
            text = words.sentence(call_text("carry out", ("resolution", resolution), wording, arguments))
            return ProcedureLine(text, "", citations_of(cited), (f"resolution:{resolution}",), (), is_call=True)
        case graph.Tell(event, arguments):
            return _sentence_line(call_text("this counts as", ("event", event), wording, arguments))
        case graph.Roll(name, _, low, high):
            called = "" if len(name) == 1 else f"{_bound_name(wording, name, graph.Number(None, None, ''))}, "
            return _sentence_line(f"roll {called}{low} to {high}")
        case graph.Draw():
            return _sentence_line(_draw_text(wording, step))
        case graph.Each(name, source, body, cited):
            opening = _opening(
                f"for each {words.readable_name(name)}{_source_phrase(wording, source)}", read_steps(wording, body)
            )
            return replace(opening, cites=citations_of(cited), called=name)
        case graph.Phase(name, title, body, cited):
            called = title or words.sentence(words.readable_name(name)).removesuffix(".")
            return ProcedureLine("", called, citations_of(cited), (), read_steps(wording, body), name)
        case graph.End(moment):
            owner_phrase = "a side's own " if moment.startswith("own_") else ""
            return _sentence_line(f"the end of {owner_phrase}{words.readable_name(moment.removeprefix('own_'))}")
        case graph.Stop():
            return _sentence_line("stop here")
        case graph.BeginAccount():
            return _sentence_line("from here on it is told")
        case _:
            assert_never(step)


def _binding_text(wording: Wording, name: str, value: graph.Expr) -> str:
    """Return the text of a binding."""
    if isinstance(wording.type_of(value), graph.YesNo):
        return f"note whether {wording.clause(value)}, as {quoted_name(wording.variable(name))}"
    called = _bound_name(wording, name, wording.type_of(value))
    return f"let {called} be {wording.phrase(value)}"


THIS = "this"  # the record that a task is about
ROLLED = "the number rolled"


def _choice(wording: Wording, step: graph.Choose) -> str:
    chooser = f" ({wording.phrase(step.by)} chooses)" if step.by is not None else ""
    if step.how == "order" and step.most is None:
        return f"put {wording.phrase(step.source)} in order{chooser}"
    if step.how:
        order_phrase = ", in order" if step.how == "order" else ""
        members = f"{_count_phrase(wording, step)} of {wording.phrase(step.source)}"
        return f"choose {wording.variable(step.name)}: {members}{order_phrase}{chooser}"
    if isinstance(member_of(wording.type_of(step.source)), graph.YesNo):
        return f"choose yes or no for {quoted_name(wording.variable(step.name))}{chooser}"
    if _noun(wording, step.name, step.source):
        return f"choose {words.article(members_phrase(wording, step.source, is_plural=False))}{chooser}"
    called = _bound_name(wording, step.name, member_of(wording.type_of(step.source)))
    return f"choose {called} from {wording.phrase(step.source)}{chooser}"


def _draw_text(wording: Wording, step: graph.Draw) -> str:
    """Return the phrase for a random draw: a die, one of several members, a number of them, or all in random order."""
    source = wording.phrase(step.source)
    if not step.how and isinstance(step.of, graph.Number):
        return f"roll {'' if len(step.name) == 1 else f'{wording.variable(step.name)}, '}{source}"
    if step.count is not None:
        order_phrase = ", one after the other," if step.how == "order" else ""
        return f"draw {wording.phrase(step.count)} of {source} at random{order_phrase} as {wording.variable(step.name)}"
    if step.how:
        return f"put {source} in random order"
    if _noun(wording, step.name, step.source):
        return f"draw {words.article(members_phrase(wording, step.source, is_plural=False))} at random"
    return f"draw {_bound_name(wording, step.name, step.of)} at random from {source}"


def _count_phrase(wording: Wording, step: graph.Choose) -> str:
    """Return the phrase for the bounds of a set or an order."""
    if step.least is None or step.most is None:
        return "any"
    least, most = wording.phrase(step.least), wording.phrase(step.most)
    return least if least == most else f"{least} to {most}"


def _wording_after(wording: Wording, step: graph.Step) -> Wording:
    """Return the wording for the steps after one, with the name that it binds."""
    match step:
        case graph.Draw("", name, _, _, graph.Number()) if len(name) == 1 and ROLLED not in wording.calls.values():
            return wording.with_name(name, ROLLED, graph.Number(None, None, ""))
        case graph.Choose("", name, source) | graph.Draw("", name, source):
            return _wording_with_member(wording, name, source)
        case graph.Choose(_, name, source) | graph.Draw(_, name, source):
            type_ = wording.type_of(source)
            return Wording(wording.rules, wording.calls, {**wording.names, name: type_})
        case graph.Roll(name) if len(name) == 1 and ROLLED not in wording.calls.values():
            return wording.with_name(name, ROLLED, graph.Number(None, None, ""))
        case graph.Let(name, value):
            type_ = wording.type_of(value)
            return Wording(wording.rules, wording.calls, {**wording.names, name: type_})
        case _:
            for created in effects_of(step):
                if isinstance(created, CreatePiece) and len(created.name) == 1:
                    noun = f"that {words.kind(created.kind, wording.vocabulary)}"
                    wording = wording.with_name(created.name, noun, graph.Piece((created.kind,)))
            return wording


def _wording_with_member(wording: Wording, name: str, source: graph.Expr, *, looped: bool = False) -> Wording:
    """Return a wording with a member of a collection, called by a noun if its name is one letter.

    In a loop a member with the name of a preposition is, too: `for each of in {north, south}`.
    """
    type_ = member_of(wording.type_of(source))
    noun = _noun(wording, name, source) or (type_noun(wording, type_) if looped and name in PREPOSITIONAL_NAMES else "")
    return wording.with_name(name, f"that {noun}" if noun else _bound_name(wording, name, type_), type_)


def _bound_name(wording: Wording, name: str, type_: graph.Type) -> str:
    """Return the phrase of a name that a step binds: a preposition is called by its type, "the number" for a `to`."""
    if name not in PREPOSITIONAL_NAMES or isinstance(type_, graph.Hex):
        return wording.variable(name)
    return Wording(wording.rules, wording.calls, {**wording.names, name: type_}).variable(name)


def _noun(wording: Wording, name: str, source: graph.Expr) -> str:
    """Return the noun for a member, if its name is one letter and no other name has the noun; "" otherwise."""
    if len(name) > 1 and name != THIS:
        return ""
    noun = type_noun(wording, member_of(wording.type_of(source)))
    used_phrases = wording.calls.values()
    if noun == "member" or f"that other {noun}" in used_phrases:
        return ""
    return f"other {noun}" if f"that {noun}" in used_phrases else noun


def _offer(wording: Wording, step: graph.Offer) -> ProcedureLine:
    """Read an offer: a single action stands in its sentence, several stand below it."""
    leads = tuple(f"action:{name}" for name, _ in step.actions)
    often = _offer_terms(wording, step)
    # In a loop over sides it says before who is meant.
    is_said = step.by is None or (isinstance(step.by, graph.Var) and step.by.name in wording.calls)
    who = "" if is_said or step.by is None else f"{wording.phrase(step.by)} may do "
    if not who and len(leads) == 1:
        action = wording.rules.procedures.get(leads[0])
        title = procedure_title(wording.rules, action) if action else words.readable_name(step.actions[0][0])
        line = _sentence_line(f"{title}, {often}")
    else:
        line = _opening(f"{who}{'this' if len(leads) == 1 else 'any of these'}, {often}", ())
    return replace(line, cites=citations_of(step.cited), leads=leads)


def _offer_terms(wording: Wording, step: graph.Offer) -> str:
    """Return how often what is offered may be done, or until when."""
    match step.until:
        case None | graph.Truth(value=True):
            return "as often as wanted"
        case graph.Truth():
            return "as often as required or wanted"
        case until if step.must:
            ends = f"so that in the end {wording.clause(until)}{', if that is possible' if step.escapes else ''}"
            return f"{ends}; after each, {wording.clause(step.keeping)}" if step.keeping is not None else ends
        case until:
            return f"until {wording.clause(until)}{' or none is possible' if step.escapes else ''}"


def _branch(wording: Wording, step: graph.Branch) -> ProcedureLine:
    return _opening(f"if {wording.clause(step.condition)}", read_steps(wording, step.then))


def _opening(text: str, sub_lines: tuple[ProcedureLine, ...]) -> ProcedureLine:
    return ProcedureLine(f"{words.sentence(text).removesuffix('.')}:", "", (), (), sub_lines)


def call_text(verb: str, callee: tuple[str, str], wording: Wording, arguments: tuple[graph.Expr, ...]) -> str:
    """Return what is carried out or what something counts as, and for what."""
    # Members of lists name no thing that it is carried out for: "for F (eliminated, direct fire)".
    subjects = [part for number, part in enumerate(arguments) if not (number and isinstance(part, graph.Member))]
    members = [wording.phrase(argument) for argument in arguments if argument not in subjects]
    title = procedure_heading(wording.rules, *callee) or words.readable_name(callee[1])
    text = f"{verb} “{title}”"
    if subjects:
        text += f" for {words.list_text([wording.phrase(argument) for argument in subjects])}"
    return f"{text} ({', '.join(members)})" if members else text


def _source_phrase(wording: Wording, source: graph.Expr) -> str:
    match source:
        case graph.Op("span", (low, high)):
            return f", from {wording.phrase(low)} to {wording.phrase(high)}"
        case _:
            return f" in {wording.phrase(source)}"


def _sentence_line(text: str) -> ProcedureLine:
    return ProcedureLine(words.sentence(text), "", (), (), ())
