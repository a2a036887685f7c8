"""The pages of `explain` on labels and names of a stack; code_page.py has those on codes.

In: a compiled stack and a label or name. Out: the page as text or data.
"""

import re
from typing import Any

from compiler.analysis.expression_text import ExpressionWriter
from compiler.compile import removed_laws
from compiler.rulebook.contents import Contents
from compiler.rulebook.headings import RuleEntry, entries_of
from compiler.rulebook.line_builder import LineBuilder
from compiler.rulebook.naming import titles_of_things
from compiler.rulebook.rule_blocks import RuleBlockBuilder
from compiler.source.suggestions import nearest_names
from rulewright.explain.views.declaration_text import counter_text, declaration_text, declaring_layers
from rulewright.explain.views.name_pages import named_pages, names_of
from rulewright.explain.views.paragraph_source import find_law, find_paragraph
from rulewright.explain.views.terminal_blocks import reply_text
from rulewright.library.stacks import Stack
from rulewright.system.errors import suggestion_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.adopted_rules import terms_of_rule
from runtime.graph.document import BookEdition, DocumentBlock
from runtime.graph.document_lines import drawn_lines, reply_block, row_lines
from runtime.graph.related_procedures import is_amendment, procedure_label

# The form of a name that is no word of a sentence.
COMPOUND_NAME = r"[\w-]*[_-][\w-]*"
LabeledStatement = graph.Rule | graph.Ruling | graph.Dispute | graph.Case


def explain_page(stack: Stack, label: str) -> dict[str, Any] | None:
    """Return the page of a label or a name of a stack; None if it is unknown."""
    rules = stack.graph
    assert rules
    found = [page for page in (_labeled_page(stack, rules, label), *named_pages(rules, label)) if page]
    if not found:
        return None
    for page in found:
        page["paragraph"] = page["paragraph"] or _source_text(stack, rules, page, label)
    first, *others = found
    for other in others:
        if other["paragraph"] == first["paragraph"]:
            other["paragraph"] = ""  # A `define` is a question and its rule.
    return {**first, "also": others} if others else first


def missing_name_message(stack: Stack, rules: graph.Graph, label: str, about_book: str) -> str:
    """Return a message that a stack lacks a name, with the layers that have it or a suggestion, else about its book."""
    message = f"`{stack.name}` has nothing with the label or name `{label}`"
    if elsewhere := declaring_layers(stack.library, label):
        layers = words.list_text([f"`{layer}`" for layer in elsewhere])
        if len(elsewhere) == 1:
            return f"{message}; the layer {layers} has it"
        return f"{message}; the layers {layers} have it"
    if not nearest_names(label, _known(rules)):
        return f"{message}{about_book}"
    return f"{message}; {suggestion_text(label, _known(rules))}"


def is_probable_name(stack: Stack, label: str) -> bool:
    """Return whether a text is probably a name: it has the form of one, and it or a similar name is declared.

    Other texts are queries for the book.
    """
    assert stack.graph
    if re.fullmatch(COMPOUND_NAME, label) is None:
        return False
    return bool(declaring_layers(stack.library, label) or nearest_names(label, _known(stack.graph)))


def _known(rules: graph.Graph) -> list[str]:
    """Return all labels and names."""
    return sorted({*rules.rules, *rules.rulings, *rules.disputes, *rules.cases, *names_of(rules)})


def _source_text(stack: Stack, rules: graph.Graph, page: dict[str, Any], label: str) -> str:
    """Return the source text of the subject of a page; "" for a case or a source, which is no single paragraph."""
    kind = next(iter(page))
    if kind == "counter":
        return counter_text(stack, rules.counters[label])
    return "" if kind in {"case", "source"} else declaration_text(stack, label)


def _labeled_page(stack: Stack, rules: graph.Graph, label: str) -> dict[str, Any] | None:
    """Return the page of a rule, ruling, dispute or case; None if the label is unknown."""
    if label in rules.rules:
        return _rule_page(stack, rules, label)
    if label in rules.rulings:
        ruling = rules.rulings[label]
        return {
            **_place(stack, rules, label, ruling),
            "asks": ruling.asks,
            "answers": ruling.answers,
            "kind": f"{ruling.kind}, {ruling.impact}",
            "cites": ", ".join(ruling.cites),
            "clarifies": words.list_text([*ruling.clarifies, *map(procedure_label, ruling.concerns)]),
            "rules": words.list_text(ruling.rules),
            "examples": _examples(rules, label),
        }
    if label in rules.disputes:
        dispute = rules.disputes[label]
        titles = titles_of_things(rules)
        readings = {reading: f"{titles['reading', reading.label]} ({reading.label})" for reading in dispute.readings}
        return {
            **_place(stack, rules, label, dispute),
            "title": titles["dispute", label],
            "text": dispute.question,
            "cites": ", ".join(dispute.cites),
            "readings": words.list_text([*readings.values()], "or"),
            "read here as": next((text for each, text in readings.items() if each.chosen), ""),
        }
    if label in rules.cases:
        case = rules.cases[label]
        labels = [rule.label for rule in rules.rules.values() if rule.case == label]
        remover = None if labels else rules.rules.get(removed_laws(stack.library, stack.name).get(label, ""))
        return {
            **_place(stack, rules, label, case),
            "text": case.title,
            "not in force": "" if remover is None else _removal_text(remover),
            "rules": words.list_text(labels),
        }
    return _removed_page(stack, rules, label)


def _removed_page(stack: Stack, rules: graph.Graph, label: str) -> dict[str, Any] | None:
    """Return the page of a law that a rule of the stack withdraws or replaces; None if there is none of that label."""
    places = ((layer, find_law(stack.library, layer.name, label)) for layer in rules.layers)
    found = next(((layer, law) for layer, law in places if law is not None), None)
    remover = rules.rules.get(removed_laws(stack.library, stack.name).get(label, "")) if found else None
    if found is None or remover is None:
        return None
    layer, law = found
    return {
        type(law).__name__.lower(): label,
        "layer": f"{layer.name} ({layer.kind})",
        "file": f"{law.span.file}:{law.label.span.line}",
        "not in force": _removal_text(remover),
        "paragraph": find_paragraph(stack.library, layer.name, label),
    }


def _removal_text(remover: graph.Rule) -> str:
    """Format which rule removes a law, with its sentence, its sources and its place."""
    verb = "replaces" if any(verb == "replaces" for verb, _ in remover.relations) else "withdraws"
    source = ", ".join((*remover.cites, f"{remover.origin.file}:{remover.origin.line}"))
    return f"{remover.label} of {remover.origin.layer} {verb} it: “{remover.prose}” ({source})"


def _rule_page(stack: Stack, rules: graph.Graph, label: str) -> dict[str, Any]:
    """Return the page of a rule."""
    rule = rules.rules[label]
    writer = ExpressionWriter(rules.vocabulary)
    ruling = rules.rulings.get(rule.ruling)
    defeaters = [other.label for other in rules.rules.values() if label in other.defeats]
    asked_of = [other.label for other in rules.rulings.values() if label in other.clarifies]
    return {
        **_place(stack, rules, label, rule),
        "text": rule.prose,
        "asks": ruling.asks if ruling else "",
        "answers": ruling.answers if ruling else "",
        "cites": ", ".join(rule.cites),
        "in the case": _headings(rules, rule.case),
        "reading of": _dispute_of(rules, rule.reading),
        "answers the question": ", ".join(rule.terms),
        "holds beside it for": words.list_text([name for name in terms_of_rule(rules, rule) if name not in rule.terms]),
        "concludes": writer.conclusion_text(rule),
        "when": "" if rule.guard is None else writer.text(rule.guard),
        "relations": ", ".join(_related(verb, other) for verb, other in rule.relations),
        "defeats": words.list_text(rule.defeats),
        "defeated by": words.list_text(defeaters),
        "clarified by": words.list_text(asked_of),
        "examples": _examples(rules, label, rule.ruling),
    }


def _related(verb: str, other: str) -> str:
    """Format a relation in the syntax of rules."""
    match verb:
        case "exception":
            return f"exception to {other}"
        case "concerns":
            return f"clarifies {procedure_label(other)}"
        case "carried":
            return f"carried out by {procedure_label(other)}"
        case _ if is_amendment(verb):
            return verb
        case "withdraws" if ":" in other:
            return f"withdraws {procedure_label(other)}"
        case _:
            return f"{verb} {other}"


def _place(stack: Stack, rules: graph.Graph, label: str, node: LabeledStatement) -> dict[str, Any]:
    """Return the kind, the origin and the source text of a labeled node."""
    layer = next((layer for layer in rules.layers if layer.name == node.origin.layer), None)
    paragraph = find_paragraph(stack.library, node.origin.layer, label)
    return {
        type(node).__name__.lower(): label,
        "layer": node.origin.layer + (f" ({layer.kind})" if layer else ""),
        "file": f"{node.origin.file}:{node.origin.line}",
        "paragraph": paragraph,
    }


def _headings(rules: graph.Graph, case: str) -> str:
    """Format the cases around a rule, outermost first."""
    found: list[str] = []
    while case in rules.cases and len(found) <= len(rules.cases):
        current_case = rules.cases[case]
        found.append(" ".join(filter(None, (current_case.number, current_case.title or current_case.label))))
        case = current_case.parent
    return ", ".join(reversed(found))


def _dispute_of(rules: graph.Graph, reading: str) -> str:
    """Return the label and question of the dispute of a reading; "" if there is none."""
    for label, dispute in rules.disputes.items():
        if any(each.label == reading for each in dispute.readings):
            return f"{label}: {dispute.question}"
    return ""


def _examples(rules: graph.Graph, *labels: str) -> str:
    """Format the titles of the examples that protect a paragraph."""
    return ", ".join(
        f"“{example.title}”" for example in rules.examples if example.protects and example.protects in labels
    )


def page_block(page: dict[str, Any], rules: graph.Graph) -> DocumentBlock:
    """Show a page: a rule or ruling as the book prints it, facts, source text, and steps of a procedure in words."""
    (kind, label), *facts = page.items()
    printed = _printed_block(rules, kind, label)
    unsaid = (_IN_PARAGRAPH if page["paragraph"] else {"paragraph"}) | (_IN_BLOCK if printed else set())
    known = [(name, text) for name, text in facts if isinstance(text, str) and name not in unsaid]
    blocks = [printed] if printed else []
    blocks.append(reply_block(*row_lines(known), title=f"{kind} {label}"))
    for text in (page["paragraph"], "\n".join(page.get("in words", ()))):
        blocks += [reply_block(*drawn_lines(text))] if text else []
    return reply_block(blocks=[*blocks, *(page_block(other, rules) for other in page.get("also", ()))])


def as_text(page: dict[str, Any], rules: graph.Graph) -> str:
    """Format a page as text."""
    return reply_text(page_block(page, rules), 0).plain


def _printed_block(rules: graph.Graph, kind: str, label: str) -> DocumentBlock | None:
    """Return a rule or ruling as the book prints it; None for others, and for a law that is not in force."""
    contents = Contents(rules, (), None)
    builder = RuleBlockBuilder(LineBuilder(contents, BookEdition.TERMINAL, contents.titles.__contains__))
    if kind == "ruling" and label in rules.rulings:
        return builder.ruling(label, is_listed=True)
    if kind == "rule" and label in rules.rules:
        entries = (entry for section in contents.outline for entry in entries_of(section))
        rule_entries = (entry for entry in entries if isinstance(entry, RuleEntry) and entry.label == label)
        return builder.entry(next(rule_entries, RuleEntry(label, "", ())))
    return None


# The facts that the printed rule or ruling contains.
_IN_BLOCK = {
    "text",
    "asks",
    "answers",
    "kind",
    "cites",
    "in the case",
    "reading of",
    "defeats",
    "clarified by",
    "clarifies",
}
# The facts that the source text of the paragraph contains.
_IN_PARAGRAPH = {"paragraph", "text", "asks", "answers", "concludes", "when", "kind", "relations"}
