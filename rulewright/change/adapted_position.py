"""Generate an example from one of the stack, with its position adapted to the conditions of a new rule.

In: the stack, the question of permission, the conditions. Out: texts of candidate examples, the most promising
first, not yet run. They are needed if a position file cannot express what decides, such as the rest of a budget.
"""

import re
from collections.abc import Iterator, Sequence

from rulewright.change.change_kinds import Condition
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.witness.position_file import ask_text, expression_text

# The most positions that are tried, since each is compiled.
MOST_POSITIONS = 24
OPPOSITE = {"allowed": "forbidden", "forbidden": "allowed", "yes": "no", "no": "yes"}
ASKS = re.compile(r"\s*(ask|tells|previews|chances|order)\b")
PIECE = re.compile(r"(\s*piece\s+)([^:]+)(:\s*)('[^']+'|\w+)(\s+of\s+\w+)?(.*)")


def adapted_examples(
    stack: Stack, term: str, conditions: Sequence[Condition], expected: str, title: str
) -> Iterator[tuple[str, str]]:
    """Yield examples for a question in positions of the stack's own examples, each with a second text.

    The second text has the same question and expects the opposite answer, which must hold without the new rule.
    """
    assert stack.graph is not None
    rules, found = stack.graph, 0
    for example in rules.examples:
        for check in example.lines:
            if not (isinstance(check, graph.Check) and isinstance(check.question, graph.Ask)):
                continue
            if check.question.term != term or example.names or example.card or found >= MOST_POSITIONS:
                continue
            lines = _setting(stack, example, check)
            question = _question(rules, check.question)
            if lines and question:
                arguments = dict(
                    zip((p.name for p in rules.terms[term].parameters), check.question.arguments, strict=True)
                )
                for each in conditions:
                    lines = _with(rules, lines, each, arguments)
                found += 1
                answer = expected.partition(" ")[0]
                body = f'example "{title}" {{\n' + "".join(f"  {line}\n" for line in lines)
                note = f"  # under {stack.name}: {OPPOSITE[answer]}\n"
                yield (
                    f"{body}{note}  ask {question} = {expected}\n}}\n",
                    f"{body}  ask {question} = {OPPOSITE[answer]}\n}}\n",
                )


def refusal_examples(
    stack: Stack, action: str, conditions: Sequence[Condition], title: str
) -> Iterator[tuple[str, str]]:
    """Yield examples in which an action is refused, each with a second text in which it is taken."""
    assert stack.graph is not None
    rules, found = stack.graph, 0
    for example in rules.examples:
        for act in example.lines:
            if (
                not isinstance(act, graph.Perform)
                or act.action != action
                or act.refusals
                or example.names
                or example.card
            ):
                continue
            lines, act_lines = _setting(stack, example, act), _lines(stack, act.origin)
            if not lines or not act_lines[0].startswith("act ") or found >= MOST_POSITIONS:
                continue
            for each in conditions:
                lines = _with(rules, lines, each, {})
            found += 1
            words = [each.word or each.subject.rpartition(".")[2] for each in conditions]
            # A refused action throws no dice and draws nothing.
            lines_without_dice = [line for line in lines if not line.startswith(("dice ", "draws "))]
            yield (
                _acting(title, lines_without_dice, f"{' '.join(act_lines)} refused by {words[0]}"),
                _acting(title, lines, " ".join(act_lines)),
            )


def _acting(title: str, lines: Sequence[str], act: str) -> str:
    body = "".join(f"  {line}\n" for line in (*lines, act))
    return f'example "{title}" {{\n{body}}}\n'


def repeated_examples(stack: Stack, label: str, title: str) -> Iterator[str]:
    """Yield examples with the questions of examples of the stack that a rule decides."""
    assert stack.graph is not None
    for example in stack.graph.examples:
        for check in example.lines:
            if isinstance(check, graph.Check) and label in check.reasons and not example.names and not example.card:
                lines = _setting(stack, example, check)
                question_lines = _lines(stack, check.origin)
                if lines and question_lines and question_lines[0].lstrip().startswith("ask"):
                    body = "".join(f"  {line}\n" for line in (*lines, *question_lines))
                    yield f'example "{title}" {{\n{body}}}\n'


def _question(rules: graph.Graph, question: graph.Ask) -> str:
    """Format a question; "" if an argument is a name that the example binds."""
    if not all(isinstance(each, graph.LiteralExpr | graph.Spot) for each in question.arguments):
        return ""
    return ask_text(rules.terms[question.term], question.arguments)


def _lines(stack: Stack, origin: graph.Origin) -> list[str]:
    """Return the lines of the text at an origin."""
    text = str(stack.texts.get(origin.file, "")).split("\n")
    return [line.strip() for line in text[origin.line - 1 : origin.end_line]]


def _setting(stack: Stack, example: graph.Example, check: graph.Check | graph.Perform) -> list[str]:
    """Return the lines of an example before a check that set up or act; [] if lines are shared with others."""
    text = str(stack.texts.get(example.origin.file, "")).split("\n")
    check_lines = {
        line
        for each in example.lines
        if isinstance(each, graph.Check | graph.Narrated | graph.Order | graph.Printed)
        for line in range(each.origin.line, each.origin.end_line + 1)
    }
    first = next((number for number in range(example.origin.line, check.origin.line) if "{" in text[number - 1]), 0)
    lines = [text[number - 1].strip() for number in range(first + 1, check.origin.line) if number not in check_lines]
    lines = [line for line in lines if line and not line.startswith("#") and not ASKS.match(line)]
    return lines if first and not any(line.startswith("for ") for line in lines) else []


def _with(rules: graph.Graph, lines: list[str], each: Condition, arguments: dict[str, graph.Expr]) -> list[str]:
    """Return the lines changed so that a condition holds, as far as they can express it."""
    subject, _, part = each.subject.partition(".")
    argument = arguments.get(subject)
    if subject in ("scenario", "game"):
        value = ("no" if each.negated else "yes") if not each.test else each.word
        return lines if each.negated and each.test else [*lines, f"set {each.subject} to {value}"]
    if not isinstance(argument, graph.Spot):
        return lines
    name = expression_text(argument)
    flags = [flag for flag in rules.vocabulary.flags.values() if flag.name == each.word]
    # A word that the stack does not declare is a status that the change adds.
    if each.test == "is" and (not flags or any(flag.what == "status" for flag in flags)):
        return [*lines, f"{'unmark' if each.negated else 'mark'} {name} as {each.word}"]
    if each.test == "is" and argument.what == "hex":
        return [_featured(line, name, each) for line in lines]
    return [_piece(rules, line, name, each, part) for line in lines]


def _featured(line: str, name: str, each: Condition) -> str:
    """Return a line with a feature added to a space, or removed from it."""
    keyword = next((word for word in ("row ", "spaces ") if line.startswith(word)), "")
    if not keyword:
        return line
    items = [item.strip() for item in line.removeprefix(keyword).split(",")]
    changed = []
    for item in items:
        words = item.split(" ")
        if words[0] == name:
            words = [word for word in words if word != each.word] + ([] if each.negated else [each.word])
        changed.append(" ".join(words))
    return keyword + ", ".join(changed)


def _piece(rules: graph.Graph, line: str, name: str, each: Condition, part: str) -> str:
    """Return a line with another counter or side of a piece; unchanged if it does not place the piece."""
    found = PIECE.fullmatch(line)
    if not found or name not in [word.strip() for word in found[2].split(",")]:
        return line
    if part == "side":
        sides = [
            word.name for word in rules.vocabulary.enums["side"].members if (word.name == each.word) != each.negated
        ]
        return f"{found[1]}{found[2]}{found[3]}{found[4]} of {sides[0]}{found[6]}" if sides else line
    counter = rules.counters.get(found[4].strip("'"))
    alternatives = [
        other
        for other in rules.counters.values()
        if counter and other.kind == counter.kind and _fits(other, each, part)
    ]
    if counter is None or not alternatives or counter in alternatives:
        return line
    alternatives.sort(key=lambda other: other.owner != counter.owner)
    piece_text = expression_text(graph.Spot("piece", alternatives[0].id))
    return f"{found[1]}{found[2]}{found[3]}{piece_text}{found[5] or ''}{found[6]}"


def _fits(counter: graph.Counter, each: Condition, part: str) -> bool:
    if part == "counter":
        return (counter.id == each.word.strip("'")) != each.negated
    return (each.word in counter.traits) != each.negated
