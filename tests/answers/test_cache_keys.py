"""The keys of memoized answers: fields of a record that steps amend are read from the state."""

from rulewright.library.stacks import load_stack
from runtime.answer.generate import GeneratedEvaluator


def test_the_key_of_an_amended_field_is_its_value_in_the_state() -> None:
    rules = load_stack("panzer_leader").graph
    assert rules is not None
    compiled = GeneratedEvaluator(rules)
    anew = {name for _, name in compiled.emitter.amended_fields}
    remaining = [compiled.dependence.memo_key(name) for name in rules.terms]
    looks = [text for each in remaining if each is not None for text, _ in each.reads]
    assert any(text.startswith("s.field(") for text in looks)
    assert not any(f"fields.get({name!r})" in text for name in anew for text in looks)
