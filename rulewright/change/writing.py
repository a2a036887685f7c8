"""Write names, sentences, amounts and examples as rules and tables have them."""

import re
from collections.abc import Sequence
from fractions import Fraction

from rulewright.errors import UsageError
from runtime.graph import nodes as graph
from runtime.graph.rows import match_text
from runtime.witness.position_file import expression_text, scalar_text


def slug(text: str) -> str:
    """Make part of a label of words."""
    return "-".join(part for part in re.split(r"[^a-z0-9]+", text.lower()) if part).lstrip("0123456789-")


def remark_text(text: str) -> str:
    """Write a sentence for a remark."""
    said = " ".join(text.split())
    return said if said[-1:] in ".?!" else f"{said}."


def prose_string(text: str, end: str = ".") -> str:
    """Write a sentence as a string of the language, which has no quotes inside."""
    said = " ".join(text.replace('"', "'").split())
    if not said:
        raise UsageError("say why, in one sentence: it is printed as the rule's own")
    return f'"{said}"' if not end or said[-1] in ".?!" else f'"{said}{end}"'


def quote_name(name: str) -> str:
    """Write a name in the language."""
    return name if name.isidentifier() else f"'{name}'"


def example_text(title: str, lines: str, on: str = "", below: str = "") -> str:
    """Write an example; `below` is what the stack below says there."""
    *first, last = lines.rstrip("\n").split("\n")
    lines = "\n".join([*first, f"  # {below}", last]) + "\n" if below else lines
    return f'example "{title}"{f" on {on}" if on else ""} {{\n{lines}}}\n'


def without_measure(value: graph.Expr) -> str:
    """Write a value as a table has it: without its measure."""
    return (
        scalar_text(str(value.value))
        if isinstance(value, graph.Num)
        else scalar_text(expression_text(value).strip("'"))
    )


def bare_text(table: graph.Table, text: str) -> str:
    """Write what stands in a cell as a table has it: a number without its measure where the cells have one only."""
    said = text.strip("'")
    return said.partition(" ")[0] if len(table.cells) == 1 and said[:1].isdigit() else said


def plain_value(was: graph.Expr, now: str) -> str:
    """Read what a cell of the counters is to be; a number stays one."""
    said = now.strip()
    if not isinstance(was, graph.Num):
        return said.strip("'")
    return read_amount(said, was.measure)


def read_amount(text: str, measure: str) -> str:
    """Read an amount with or without its measure; give the number."""
    said = text.removesuffix(measure).strip() if measure else text.strip()
    try:
        return str(Fraction(said))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"`{text}` is no amount{f' of {measure}' if measure else ''}; write a number") from None


def yaml_keys(matches: Sequence[graph.Match], of: graph.Type, vocabulary: graph.Vocabulary) -> str:
    """Write what a row accepts for a key."""
    texts = [match_text(each, of, vocabulary) for each in matches]
    shown = [each if ".." in each else scalar_text(each) for each in texts]
    return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
