"""Write what the compiler holds for people to read: rules laid out, stages printed, graphs drawn.

The layouts of paragraphs and formulas enter themselves into the table of line_flow.py. They do so here, before any
module of the package is used: the layout of a text must not depend on the order of imports.
"""

from compiler.format import formulas as formulas
from compiler.format import paragraphs as paragraphs
