"""A cache of the code generated for a graph, which further games in this or another process reuse.

In: a graph, by its hash. Out: the `CompiledCode` that its evaluator starts with and extends. It is written when the
process ends, or earlier if many graphs are played; of the codes of several evaluators of one graph, the largest is
written.
"""

import atexit
from dataclasses import dataclass

from rulewright.library import cache
from runtime.answer.code import ANSWERING, CompiledCode
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph

# An entry of a large game has half a megabyte; a card under several stacks has one for each, and one for listeners.
CODES = cache.CachePool(".code", 60)
# The most graphs whose code stays in memory, and the most evaluators per graph whose code is tracked.
MOST_IN_MEMORY, ADDING = 16, 4


@dataclass(slots=True)
class _SharedCode:
    """The codes of one graph: the number of stored functions, and the codes of its evaluators."""

    function_count: int
    codes: list[CompiledCode]

    @property
    def largest_code(self) -> CompiledCode:
        """Return the largest of the codes."""
        return max(self.codes, key=_count_functions)


def _count_functions(code: CompiledCode) -> int:
    """Return the number of functions of a code."""
    return len(code.functions)


_growing: dict[str, _SharedCode] = {}


def known_code(rules: graph.Graph, manner: str) -> CompiledCode:
    """Return a copy of the known code of a graph; `manner` distinguishes evaluators that generate different code."""
    stamp = cache.compiler_stamp("runtime")
    name = cache.cache_key(stamp, rules.hash.encode(), manner.encode())
    growing = _growing.pop(name, None)
    if growing is None:
        known = cache.cached_entry(name, CODES)
        code = known if isinstance(known, CompiledCode) else CompiledCode()
        growing = _SharedCode(_count_functions(code), [code])
    code_copy = growing.largest_code.copy()
    # Only the largest codes are tracked.
    growing.codes = sorted((*growing.codes, code_copy), key=_count_functions)[-ADDING:]
    _growing[name] = growing  # Ordered by last use.
    while len(_growing) > MOST_IN_MEMORY:
        oldest = next(iter(_growing))
        _write_if_grown(oldest, _growing.pop(oldest))
    return code_copy


def _write_if_grown(name: str, growing: _SharedCode) -> None:
    """Write the largest code if it has more functions than the stored one."""
    if _count_functions(growing.largest_code) > growing.function_count:
        cache.store_entry(name, growing.largest_code, CODES)
        growing.function_count = _count_functions(growing.largest_code)


@atexit.register
def write_grown_codes() -> None:
    """Write all codes that have grown."""
    for name, growing in _growing.items():
        _write_if_grown(name, growing)


def delegating_interpreter(rules: graph.Graph) -> Interpreter:
    """Build an interpreter that delegates terms to generated code, and interprets only what it explains."""
    return Interpreter(rules, elsewhere=GeneratedEvaluator(rules, code=known_code(rules, ANSWERING)).ask)
