"""Inlining of small functions of the library, on the text of a module.

In: the text of the library, and functions that call it. Out: the same, where a call of a small function is a block with
its body (Muchnick 1997, 15.2, Procedure integration). A local of the body is named after its function: `$append/at` is
`$at` of `$append`. Arguments are on the operand stack before they become locals, so that one set of locals suffices for
all calls of a function, also for those within arguments of each other.
"""

import re
from functools import cached_property

from runtime.graph.frozen_dataclass import frozen_dataclass

# The most instructions of a body, with those that are inlined into it.
MOST_INSTRUCTIONS = 44
# The calls that stay in an inlined body: they trap.
TRAPPING = frozenset({"fail", "alloc:full"})
# A function that reports an exhausted resource (6) is the name under which a trap reports it.
NOT_INLINED = "(loop", "(call_indirect", "unreachable", "(call $fail (i32.const 6))"
COMMENT = re.compile(r"\s*;;[^\n]*")
FUNCTION = re.compile(r"^(?=\(func )", re.MULTILINE)
NAME = re.compile(r"\(func \$([^\s()]+)")
DECLARATION = re.compile(r"\s*\((param|result|local|export) ([^()]*)\)")
CALLED = re.compile(r"\(call \$([^\s()]+)")
LOCAL = re.compile(r"\(local\.(get|set|tee) \$")
RETURN = re.compile(r"\(return\b")
PARENTHESIS = re.compile(r"[()]")

LocalTypes = dict[str, str]


@frozen_dataclass
class _CallInlining:
    """What stands for a call: the text before the arguments and the one behind them; and the locals in it."""

    opening: str
    rest: str
    local_types: LocalTypes


class Inlining:
    """The inlining of the small functions of a library."""

    def __init__(self, library: str) -> None:
        """Store the functions of a library, whose text has no comments."""
        self._library = library
        self._texts = {name[1]: text for text in FUNCTION.split(library) if (name := NAME.match(text))}
        self._bodies: dict[str, _CallInlining | None] = {}

    @cached_property
    def library(self) -> str:
        """The text of the library, with calls of its small functions inlined."""
        return self.inlined(self._library)

    def inlined(self, text: str) -> str:
        """Return functions with calls of small functions inlined."""
        return "".join(map(self._inlined_into, FUNCTION.split(text)))

    def _inlined_into(self, function: str) -> str:
        start = _end_of_declarations(function)
        body, local_types = self._with_blocks(function[start:])
        declared = "".join(f" (local {name} {type_})" for name, type_ in local_types.items())
        return f"{function[:start]}{declared}{body}"

    def _with_blocks(self, body: str) -> tuple[str, LocalTypes]:
        """Return a body with blocks in place of calls, and the locals of the blocks."""
        parts: list[str] = []
        local_types: dict[str, str] = {}
        open_calls: list[tuple[int, str]] = []  # Where a call ends, and what stands there; the innermost call is last.
        position = 0

        def copy_to(index: int) -> None:
            """Copy text up to an index, with the rest of each block that ends before."""
            nonlocal position
            while open_calls and open_calls[-1][0] < index:
                end, rest = open_calls.pop()
                parts.extend((body[position:end], rest))
                position = end
            parts.append(body[position:index])
            position = index

        for call in CALLED.finditer(body):
            inlined = self._inlined_body(call[1])
            if inlined is not None:
                copy_to(call.start())
                open_calls.append((_closing_parenthesis(body, position), inlined.rest))
                parts.append(inlined.opening)
                position = call.end()
                local_types |= inlined.local_types
        copy_to(len(body))
        return "".join(parts), local_types

    def _inlined_body(self, name: str) -> _CallInlining | None:
        """Return a function as it is inlined; None if it is large, or has loops, or calls that stay."""
        if name in TRAPPING or name not in self._texts:
            return None
        if name not in self._bodies:
            self._bodies[name] = None  # A function that calls itself stays a call.
            self._bodies[name] = self._new_body(name)
        return self._bodies[name]

    def _new_body(self, name: str) -> _CallInlining | None:
        text = self._texts[name]
        start = _end_of_declarations(text)
        own_body = text[start : _closing_parenthesis(text, 0)]
        if any(word in own_body for word in NOT_INLINED):
            return None
        renamed = LOCAL.sub(rf"(local.\1 ${name}/", RETURN.sub(f"(br ${name}", own_body))
        body, inner_types = self._with_blocks(renamed)
        if body.count("(") > MOST_INSTRUCTIONS or not TRAPPING.issuperset(CALLED.findall(body)):
            return None
        parameters, local_types, result = _declarations(text[:start], name)
        stores = [f"local.set {parameter}" for parameter in reversed(parameters)]
        # Locals are zero where a function begins.
        stores += [f"{type_}.const 0 local.set {local}" for local, type_ in local_types.items()]
        return _CallInlining(
            f"(block ${name}{result}",
            f" {' '.join(stores)}{body}",
            {**parameters, **local_types, **inner_types},
        )


def _end_of_declarations(function: str) -> int:
    """Return the index behind the name, the parameters, the result and the locals of a function."""
    name = NAME.match(function)
    position = name.end() if name else len("(func")
    while declaration := DECLARATION.match(function, position):
        position = declaration.end()
    return position


def _declarations(text: str, name: str) -> tuple[dict[str, str], dict[str, str], str]:
    """Return the parameters and the other locals of a function, as they are named in a block, and the result."""
    parameters: dict[str, str] = {}
    local_types: dict[str, str] = {}
    result = ""
    for sort, words in DECLARATION.findall(text):
        if sort == "result":
            result = f" (result {words})"
        elif sort != "export":
            local, type_ = words.split()
            (parameters if sort == "param" else local_types)[f"${name}/{local[1:]}"] = type_
    return parameters, local_types, result


def _closing_parenthesis(text: str, start: int) -> int:
    """Return the index of the parenthesis that closes the one at `start`."""
    depth = 0
    for parenthesis in PARENTHESIS.finditer(text, start):
        depth += 1 if parenthesis[0] == "(" else -1
        if not depth:
            return parenthesis.start()
    raise AssertionError(text[start:])
