"""Short titles of steps, as reports name them."""

from runtime.graph import nodes as graph
from runtime.graph.effects import STEP_RECORDS


def step_name(step: object) -> str:
    """Return a short name of a step: its keyword, with the name of what it runs, offers or repeats."""
    match step:
        case graph.Phase(name):
            return f"phase {name}"
        case graph.Each(name):
            return f"each {name}"
        case graph.Offer(actions):
            return f"offer {', '.join(name for name, _ in actions)}"
        case graph.Do(resolution):
            return f"do {resolution}"
        case graph.Begin(action):
            return f"act {action}"
        case _:
            return type(step).__name__.lower()


def step_title(step: object) -> str:
    """Return the beginning of a step."""
    if record := STEP_RECORDS.get(step.__class__):
        return record.title(step)
    match step:
        case graph.Let(name) | graph.Choose(_, name) | graph.Draw(_, name) | graph.Roll(name):
            return f"{step_name(step)} {name}"
        case graph.Tell(event):
            return f"tell {event}"
        case graph.Loop(name):
            return f"for each {name}"
        case graph.Branch():
            return "if"
        case _:
            return step_name(step)
