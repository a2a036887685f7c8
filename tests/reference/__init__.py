"""The reference semantics of play (docs/language.md, 10), for differential tests.

`game` executes each step, by recursion and the primitive effects of its record, `choices` has the legal options,
`obligations` those of an offer with `must`. The machine of `runtime/play`, and modules, have to agree with them,
decision by decision. Nothing here is reordered or memoized, and expressions are evaluated by the interpreter.
"""
