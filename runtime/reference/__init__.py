"""The meaning of play, written to be read: what each step does (`game`, `effects`), what may be chosen (`choices`).

The machine of `runtime/play` has to agree with it decision by decision. Nothing here is flattened, ordered for
searching or remembered, and expressions are evaluated by the interpreter.
"""
