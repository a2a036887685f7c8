"""Functions in text format before and after the small functions of a library are inlined into them."""

import pytest

from compiler.wasm.inlining import Inlining

LIBRARY = """(func $fail (param $reason i32) (global.set $reason (local.get $reason)) unreachable)
(func $half (param $a i32) (result i32) (i32.shr_u (local.get $a) (i32.const 1)))
(func $less (param $a i32) (param $b i32) (result i32)
  (if (i32.lt_s (local.get $a) (local.get $b)) (then (return (call $half (local.get $b)))))
  (i32.const 0))
(func $note (param $at i32) (local $i i32)
  (local.set $i (i32.add (local.get $i) (i32.const 1)))
  (if (local.get $at) (then (call $fail (i32.const 4))))
  (i32.store (local.get $at) (local.get $i)))
(func $store_up (param $a i32)
  (if (i32.gt_u (local.get $a) (i32.const 9)) (then (call $fail (i32.const 6)))))
(func $endless (result i32) (call $endless))
(func $long (param $a i32) (loop $next (br_if $next (local.get $a))))
"""
HALF = "(block $half (result i32) {} local.set $half/a (i32.shr_u (local.get $half/a) (i32.const 1)))"
INNER_HALF = HALF.format("(local.get $less/b)")
A = "(local.get $a)"

FIXTURES = {
    "a function of one instruction": (
        "(func $f (param $a i32) (result i32)\n  (call $half (local.get $a)))",
        f"(func $f (param $a i32) (result i32) (local $half/a i32)\n  {HALF.format(A)})",
    ),
    "a call within the argument of another": (
        "(func $f (param $a i32) (result i32)\n  (call $half (call $half (local.get $a))))",
        f"(func $f (param $a i32) (result i32) (local $half/a i32)\n  {HALF.format(HALF.format(A))})",
    ),
    "a function that returns, and calls another": (
        "(func $f (param $a i32) (result i32)\n  (call $less (local.get $a) (i32.const 7)))",
        "(func $f (param $a i32) (result i32) (local $less/a i32) (local $less/b i32) (local $half/a i32)\n"
        "  (block $less (result i32) (local.get $a) (i32.const 7) local.set $less/b local.set $less/a\n"
        "  (if (i32.lt_s (local.get $less/a) (local.get $less/b)) (then (br $less"
        f" {INNER_HALF})))\n  (i32.const 0)))",
    ),
    "locals that are zero at the beginning, and a trap": (
        "(func $f\n  (call $note (i32.const 8)))",
        "(func $f (local $note/at i32) (local $note/i i32)\n"
        "  (block $note (i32.const 8) local.set $note/at i32.const 0 local.set $note/i\n"
        "  (local.set $note/i (i32.add (local.get $note/i) (i32.const 1)))\n"
        "  (if (local.get $note/at) (then (call $fail (i32.const 4))))\n"
        "  (i32.store (local.get $note/at) (local.get $note/i))))",
    ),
}


@pytest.mark.parametrize("name", FIXTURES)
def test_inlined(name: str) -> None:
    before, after = FIXTURES[name]
    assert Inlining(LIBRARY).inlined(before) == after


@pytest.mark.parametrize(
    "call",
    ["(call $endless)", "(call $long (i32.const 0))", "(call $store_up (i32.const 1))", "(call $fail (i32.const 1))"],
)
def test_what_stays_a_call(call: str) -> None:
    """Recursive functions, those with loops, and those that a trap names stay functions."""
    text = f"(func $f\n  {call})"
    assert Inlining(LIBRARY).inlined(text) == text
