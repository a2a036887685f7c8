"""Formatters of compiler data: rules are laid out, stages printed, graphs written as DOT.

The layouts of paragraphs and formulas register in the table of line_flow.py. This happens here, before any module of
the package is used, since the layout of a text must not depend on the order of imports.
"""

from compiler.format import formulas as formulas
from compiler.format import paragraphs as paragraphs
