"""The reference semantics of play (docs/language.md, 10), for differential tests.

`game` and `effects` define the effect of each step, `choices` the legal options, `obligations` those of an offer with
`must`. The machine of `runtime/play`, and modules, have to agree with them decision by decision. Nothing here is
flattened, reordered or memoized, and expressions are evaluated by the interpreter.
"""
