"""Keep the code that was generated for a graph: the next game on it, in this process or another, generates none again.

In: a graph, known by its hash. Out: the `Code` that its evaluator begins with and adds to. It is written down when the
process ends, or sooner where many graphs are played; of the codes of several evaluators of one graph, the largest.
"""

import atexit
from dataclasses import dataclass, field

from rulewright.library import cache
from runtime.answer.code import ANSWERING, Code
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import DelegatingInterpreter
from runtime.graph import nodes as graph

# Half a megabyte for a large game; a card that is played under several stacks has one for each, and its listener one.
CODES = cache.CachePool(".code", 60)
# Graphs whose code stays in memory until the process ends, and evaluators that may add to the code of one.
AT_HAND, ADDING = 16, 4


@dataclass(slots=True)
class SharedCode:
    """The code of one graph: how many functions were found, and what those have who add some."""

    function_count: int
    codes: list[Code] = field(default_factory=list)

    @property
    def largest_code(self) -> Code:
        """The largest of the codes."""
        return max(self.codes, key=count_functions)


def count_functions(code: Code) -> int:
    """Count the functions."""
    return len(code.functions)


_growing: dict[str, SharedCode] = {}


def code_of(rules: graph.Graph, manner: str) -> Code:
    """Return the code that is known for a graph; `manner` tells evaluators apart that generate different code."""
    stamp = cache.compiler_stamp("runtime")
    name = cache.cache_key(stamp, rules.hash.encode(), manner.encode())
    growing = _growing.pop(name, None)
    if growing is None:
        known = cache.get(name, CODES)
        code = known if isinstance(known, Code) else Code()
        growing = SharedCode(count_functions(code), [code])
    given = growing.largest_code.copy()
    # Of more than a few, those that have least go on by themselves.
    growing.codes = sorted((*growing.codes, given), key=count_functions)[-ADDING:]
    _growing[name] = growing  # What was used last comes last.
    while len(_growing) > AT_HAND:
        oldest = next(iter(_growing))
        write_if_grown(oldest, _growing.pop(oldest))
    return given


def write_if_grown(name: str, growing: SharedCode) -> None:
    """Write down what is more than what was found."""
    if count_functions(growing.largest_code) > growing.function_count:
        cache.put(name, growing.largest_code, CODES)
        growing.function_count = count_functions(growing.largest_code)


@atexit.register
def write_down() -> None:
    """Write down what is only in memory so far."""
    for name, growing in _growing.items():
        write_if_grown(name, growing)


def quick_interpreter(rules: graph.Graph) -> DelegatingInterpreter:
    """Make an interpreter that has terms answered by generated code: only what is explained is interpreted."""
    return DelegatingInterpreter(GeneratedEvaluator(rules, code=code_of(rules, ANSWERING)), rules)
