"""Find the steps that an amendment selects, and format steps as an amendment would select them."""

from collections.abc import Iterable, Iterator

from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written, expression_text


def matches_step(selector: source.StepSelector, step: source.Step) -> bool:
    """Return whether a selector matches a step; the name suffices, and whatever else is written must be equal."""
    name = selector.name.text if selector.name is not None else ""
    if isinstance(step, source.Offer):
        return selector.what == "offer" and name in {each.action.text for each in step.actions}
    keyword, subject, values = _written(step)
    selected_values = selector.values
    return (keyword, subject) == (selector.what, name) and (
        selected_values is None or equal_as_written(selected_values, values)
    )


def _written(step: source.Step) -> tuple[str, str, tuple[source.Expression, ...]]:  # noqa: C901 - one arm per step
    """Return the first word of a step, its subject if that is a name, and the other expressions of a selector."""
    match step:
        case source.Let(name=name):
            return "let", name.text, ()
        case source.Legal(condition=condition):
            return "legal", "", (condition,)
        case source.Choose(name=name):
            return "choose", name.text, ()
        case source.Offer(actions=actions):
            return "offer", actions[0].action.text, ()
        case source.Loop(name=name):
            return "for each", name.text, ()
        case source.Branch(condition=condition):
            return "if", "", (condition,)
        case source.Invoke(what=keyword, name=name, arguments=arguments):
            return keyword, name.text, arguments
        case source.Roll(name=name):
            return "roll", name.text, ()
        case source.Draw(name=name):
            return "draw", name.text, ()
        case source.Each(name=name):
            return "each", name.text, ()
        case source.Phase(name=name):
            return "phase", name.text, ()
        case source.Stop():
            return "stop", "", ()
        case source.Proceed():
            return "proceed", "", ()
        case source.BeginAccount():
            return "account", "", ()
        case source.Assign(target=target):
            return "set", "", (target,)
        case source.Add(target=target):
            return "add", "", (target,)
        case source.Mark(subject=subject, status=status, on=on):
            return "mark" if on else "unmark", status.text, (subject,)
        case source.Move(subject=subject):
            return "move", "", (subject,)
        case source.Remove(subject=subject, for_good=for_good):
            return "remove" if for_good else "move", "", (subject,)
        case source.Create(kind=kind):
            return "create", kind.text, ()
        case source.Pair(relation=relation, on=on):
            return "relate" if on else "unrelate", relation.text, ()
        case source.Write(record=record):
            return "write", record.type.text, ()
        case source.Flip(subject=subject, to=to):
            return "restore" if to == "front" else "flip", "", (subject,)
        case source.Strike(record=record):
            return "strike", "", (record,)


def step_name(step: source.Step) -> str:
    """Return the text by which an amendment selects a step."""
    keyword, name, values = _written(step)
    if isinstance(step, source.Mark):
        return f"{keyword} {expression_text(step.subject)} as {name}"
    if isinstance(step, source.Add):
        return f"add to {expression_text(step.target)}"
    if name:
        if isinstance(step, source.Invoke):
            return f"{keyword} {name}({', '.join(map(expression_text, values))})"
        return f"{keyword} {name}"
    return " ".join((keyword, *map(expression_text, values)))


def selector_text(selector: source.StepSelector) -> str:
    """Return the selector of an amendment, close to its text."""
    name = selector.name.text if selector.name is not None else ""
    values = ", ".join(map(expression_text, selector.values or ()))
    match selector.what:
        case "mark" | "unmark":
            return f"{selector.what} {values} as {name}"
        case "add":
            return f"add to {values}"
        case "do" | "tell":
            return f"{selector.what} {name}" + (f"({values})" if selector.values is not None else "")
        case keyword:
            return " ".join(part for part in (keyword, name, values) if part)


def selectors_of(steps: Iterable[source.Step]) -> Iterator[str]:
    """Return the selectors of steps: a call also without its arguments, an offer by each of its actions."""
    for step in steps:
        if isinstance(step, source.Invoke):
            yield f"{step.what} {step.name.text}"
        if isinstance(step, source.Offer):
            yield from (f"offer {each.action.text}" for each in step.actions)
        else:
            yield step_name(step)
