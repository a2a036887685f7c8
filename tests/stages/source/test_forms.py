"""Forms: a template yields the rule of the grammar, and every form has a place in the grammar."""

import pytest

from compiler.source.building import forms
from compiler.source.building.template import grammar_text, parse_template
from compiler.source.grammar import parser_tables

NOTATIONS = {
    "flip {subject:sum}": '"flip" sum',
    "relate {relation:NAME}({left:sum}, {right:sum})": '"relate" NAME "(" sum "," sum ")"',
    '{table:NAME}"["{key:sum}"]"': 'NAME "[" sum "]"',
    "{{binder:binder}}": '"{" binder "}"',
    "{low:sum}..{high:sum}": 'sum ".." sum',
    "{domain:NAME|interval}": "(NAME | interval)",
    '{to:"flip"=back|"restore"=front} {subject:sum}': '("flip" | "restore") sum',
    'has [{negated:"no"=yes}] {name:NAME}': '"has" ["no"] NAME',
    "[of {owner:NAME/kind} [in {place:NAME}]]": '["of" NAME ["in" NAME]]',
    "{body:step*}": "step*",
    '{keys:sum ","*}': '[sum ("," sum)*]',
    '{kinds:NAME "|"+}': 'NAME ("|" NAME)*',
    '{parts:conjunction "or"++}': 'conjunction ("or" conjunction)+',
}


@pytest.mark.parametrize("template", NOTATIONS)
def test_a_template_is_a_rule_of_the_grammar(template: str) -> None:
    assert grammar_text(parse_template(template)) == NOTATIONS[template]


def test_every_form_may_be_written() -> None:
    """The parser has no rules that nothing leads to."""
    written_names = {str(rule.alias or rule.origin.name) for rule in parser_tables().lark.rules}
    missing = forms().keys() - written_names
    assert not missing, "their classes are in no union of `CHOICES`, and no rule of grammar.lark names them"
