"""Rules that a variant may add, generated from the words of a game.

In: a graph. Out: by kind of edit, rules with the labels under which a comparison must list them.
"""

from runtime.graph import nodes as graph

Added = dict[str, list[tuple[tuple[str, ...], str]]]
HEAD = 'rule an-edit [house] "An edit."'


def templates(rules: graph.Graph) -> Added:
    """Return the rules that may be added, by kind."""
    found: Added = {}
    label = ("an-edit",)
    flags = rules.vocabulary.flags.values()
    for here in flags:
        for other in flags:
            if here is not other and here.what == other.what and here.owner == other.owner:
                if here.what == "feature" and here.owner == "hex":
                    text = f"{HEAD}\n  hex is {here.name} when hex is {other.name}\n"
                    found.setdefault("feature added", []).append((label, text))
                elif here.what == "trait":
                    text = f"{HEAD}\n  {here.owner} is {here.name} when {here.owner} is {other.name}\n"
                    found.setdefault("trait added", []).append((label, text))
    for term in rules.terms.values():
        if term.form == "verdict" and "." not in term.name:
            verb = "forbidden" if term.default else "allowed"
            found.setdefault("verdict added", []).append((label, f"{HEAD}\n  {term.name} {verb}\n"))
            late = f"{HEAD}\n  {term.name} {verb}\n  when game.turn > scenario.turns / 2\n"
            found.setdefault("verdict by the clock", []).append((label, late))
    for rule in rules.rules.values():
        if rule.origin.layer not in {"", None}:
            found.setdefault("rule withdrawn", []).append(((rule.label,), f"{HEAD}\n  withdraws {rule.label}\n"))
            found.setdefault("exception added", []).append(
                (("an-edit", rule.label), f"{HEAD}\n  exception to {rule.label}\n  when game.turn >= 3\n")
            )
    return found
