"""Instantiate the `reads` templates of questions and charts with the phrases of arguments.

In: a template ("the cost of {h} for {u}"), and a phrase for each parameter. Out: a phrase without doubled articles.
"""

import re
from collections.abc import Container

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.phrases import PREPOSITIONAL_NAMES
from runtime.graph.predeclared_types import SIDE

# Phrases for a literal, "in turn 3", differ from those for other values: not "in turn the turn", "its the mark".
OF_IT = re.compile(r"\bthe (\w+) of it\b")
# The verb of an argument, in the singular and the plural: "{owner} {owner: holds, hold} a place".
VERB = re.compile(r"\{(\w+): ([^,{}]+), ([^{}]+)\}")
TWICE = re.compile(r"\b(\w+) the \1\b|\bthe (\w+) \2\b|\bits the ")


OPTIONAL = re.compile(r"\[([^][|]*)\|?([^][]*)\]")  # "[{act}|moved]"
SLOT = re.compile(r"\{(\w+)\}")


def choose_parts(template: str, said_names: Container[str]) -> str:
    """Return a template with each part in brackets if all its slots are to be said, else with its other words."""
    return OPTIONAL.sub(
        lambda part: part[1 if all(slot in said_names for slot in SLOT.findall(part[1])) else 2], template
    )


def fill_template(template: str, parameters: tuple[graph.Parameter, ...], arguments: tuple[str, ...]) -> str:
    """Instantiate a `reads` template with arguments, without doubled articles."""
    calls = {p.name: a for p, a in zip(parameters, arguments, strict=False)}
    template = VERB.sub(lambda verb: verb[3 if isinstance(calls.get(verb[1]), words.PluralPhrase) else 2], template)
    template = re.sub(r"\ban? (\{(\w+)\})", lambda found: found[words.has_article(calls.get(found[2], ""))], template)
    for part in parameters:
        # "orders for turn 3", but for a bound variable "orders for that turn".
        if calls.get(part.name) == "it" and part.name not in PREPOSITIONAL_NAMES:
            template = re.sub(rf"\b{part.name} \{{{part.name}\}}", f"that {part.name}", template)
        # "against old carts", but of any age "against the age of carts". A side is "the West" and no adjective:
        # what follows it is as likely a verb, as in "supply of the West passes".
        call = calls.get(part.name, "")
        is_word = isinstance(part.type, graph.Enum) and part.type != SIDE
        if is_word and call.startswith("the ") and call.count(" ") == 1:
            template = re.sub(
                rf"\b(against|of|with) \{{{part.name}\}} (\w+s)\b", rf"\1 {{{part.name}}} of \2", template
            )
    text = re.sub(r"\{(\w+)\}(?: (\w+))?", lambda found: _argument_text(calls.get(found[1]), found), template)
    text = OF_IT.sub(r"its \1", text) if " of it" in text else text
    return TWICE.sub(lambda found: "its " if found[0] == "its the " else f"the {found[1] or found[2]}", text)


def _argument_text(argument: str | None, slot: re.Match[str]) -> str:
    """Return an argument and the word after it, once where it ends with that word: "in the number of turns"."""
    if argument is None:
        return slot[0]
    return f"{argument} {slot[2]}" if slot[2] and not argument.endswith(f" {slot[2]}") else argument
