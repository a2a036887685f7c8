"""Write what the compiler holds for people to read: rules laid out, stages printed, graphs drawn.

The layouts of paragraphs and formulas enter themselves into the table of `flow`. They do so here, for
whoever comes first: how a text is laid out must not hang on what was imported before.
"""

from compiler.format import formulas as formulas
from compiler.format import paragraphs as paragraphs
