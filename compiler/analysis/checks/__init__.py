"""The checks, one a file, each named after the defect that it finds.

A check of the stack is a function of the graph; a check of a term queries the term's proof context. To add one: write
the file, list it here, and add a code for its problem to report/codes.py. Four files are called elsewhere:
unguarded_step.py by compiler/analysis/prove.py, and nobody_wins.py, never_comes_on.py and contrary_aim.py, which
examine a situation card, by compiler/analysis/idle_card_lines.py.
"""

from collections.abc import Callable, Iterator

from compiler.analysis.checks.arguments_exchanged import arguments_exchanged
from compiler.analysis.checks.asks_the_gone import asks_the_gone
from compiler.analysis.checks.begins_again import begins_again
from compiler.analysis.checks.between_rows import between_rows
from compiler.analysis.checks.columns_exchanged import columns_exchanged
from compiler.analysis.checks.counter_alone import counter_alone
from compiler.analysis.checks.dead_rule import dead_rule
from compiler.analysis.checks.deeds_asked_of_the_left import deeds_asked_of_the_left
from compiler.analysis.checks.done_too_early import done_too_early
from compiler.analysis.checks.duplicate_rule import duplicate_rule
from compiler.analysis.checks.exception_forgotten import exception_forgotten
from compiler.analysis.checks.gives_away import gives_away
from compiler.analysis.checks.hard_to_read import hard_to_read
from compiler.analysis.checks.hooks_clash import hooks_clash
from compiler.analysis.checks.idle_override import idle_override
from compiler.analysis.checks.kept_in_one_order import kept_in_one_order
from compiler.analysis.checks.masked_row import masked_row
from compiler.analysis.checks.masked_rule import masked_rule
from compiler.analysis.checks.never_asked import never_asked
from compiler.analysis.checks.never_ends import never_ends
from compiler.analysis.checks.never_reached import never_reached
from compiler.analysis.checks.never_read import never_read
from compiler.analysis.checks.never_reset import never_reset
from compiler.analysis.checks.never_runs import never_runs
from compiler.analysis.checks.no_figures import no_figures
from compiler.analysis.checks.no_preference import no_preference
from compiler.analysis.checks.number_taken import number_taken
from compiler.analysis.checks.offered_elsewhere import offered_elsewhere
from compiler.analysis.checks.pair_outlives import pair_outlives
from compiler.analysis.checks.prose_differs import prose_differs
from compiler.analysis.checks.repeated_argument import repeated_argument
from compiler.analysis.checks.rests_on_nothing import rests_on_nothing
from compiler.analysis.checks.rows_overlap import rows_overlap
from compiler.analysis.checks.set_too_late import set_too_late
from compiler.analysis.checks.table_gap import table_gap
from compiler.analysis.checks.unasked_case import unasked_case
from compiler.analysis.checks.unasked_verdict import unasked_verdict
from compiler.analysis.checks.uncited_rule import uncited_rule
from compiler.analysis.checks.undoes_nothing import undoes_nothing
from compiler.analysis.checks.unshown_clarification import unshown_clarification
from compiler.analysis.checks.unused_name import unused_name
from compiler.analysis.checks.vain_grant import vain_grant
from compiler.analysis.problems import Problem
from compiler.analysis.proof_context import ProofContext
from runtime.graph import nodes as graph

# The slowest checks come first: where two processes share the list, neither waits long for the other at the end.
OF_STACK: tuple[Callable[[graph.Graph], Iterator[Problem]], ...] = (
    prose_differs,
    counter_alone,
    between_rows,
    rows_overlap,
    masked_row,
    table_gap,
    columns_exchanged,
    arguments_exchanged,
    repeated_argument,
    never_asked,
    never_read,
    never_reset,
    never_reached,
    set_too_late,
    kept_in_one_order,
    rests_on_nothing,
    never_runs,
    never_ends,
    offered_elsewhere,
    hooks_clash,
    unused_name,
    undoes_nothing,
    pair_outlives,
    asks_the_gone,
    deeds_asked_of_the_left,
    done_too_early,
    begins_again,
    no_figures,
    no_preference,
    unasked_case,
    unasked_verdict,
    gives_away,
    number_taken,
    uncited_rule,
    unshown_clarification,
    hard_to_read,
)

# The checks that read examples; the results of all others, and of proofs, are independent of the examples of a stack.
OF_EXAMPLES = (unshown_clarification,)

OF_TERM: tuple[Callable[[ProofContext], Iterator[Problem]], ...] = (
    dead_rule,
    duplicate_rule,
    masked_rule,
    idle_override,
    exception_forgotten,
    vain_grant,
)
