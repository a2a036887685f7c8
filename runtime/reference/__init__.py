"""The reference semantics of play: the effect of each step (`game`, `effects`), and the legal options (`choices`).

The machine of `runtime/play` has to agree with it decision by decision. Nothing here is flattened, reordered or
memoized, and expressions are evaluated by the interpreter.
"""
