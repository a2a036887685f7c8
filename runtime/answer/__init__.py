"""Questions put to a position and answered from the rule graph, with reasons.

Three evaluators give equal answers: the interpreter, generated Python, and (in `compiler/wasm`) compiled modules.

- `interpreter.py` is the semantics of docs/language.md, sections 4 to 6; `expressions.py` evaluates expressions in
  a state, `tables.py` looks up charts. An `answer.py` is a value and the mask of its live rules.
- `generate.py` compiles terms lazily to Python functions. `emit_functions.py` writes the functions of a term,
  `emit_term.py` its rules, `emit_verdict.py` and `emit_value.py` what these control, `emit_expression.py` and its
  neighbors the expressions; `support.py` is the run-time library, `module_text.py` prints all functions.
  `state_reads.py` and `cache_keys.py` decide which answers can be memoized and under which keys.
- `explain.py` builds the proof tree of one answer, with the rules that did not apply; `conditions.py`,
  `condition_explainer.py` and `reasons.py` say what holds or fails in it; `answer_block.py` makes a block for people
  of it, `explanation_record.py` JSON.

`reads.py` has the parts of a position that an answer can depend on, `bounds.py` the intervals of numbers,
`breaches.py` the checks of `always` facts.
"""
