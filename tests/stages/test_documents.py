"""A graph contains the documents that its stack cites, and depends on no others."""

from pathlib import Path

from rulewright.library.stacks import load_stack

SOURCES = "sources: [{prefix: ZZ, title: A document that no rule cites, items: [ZZ.1]}]\n"


def test_a_stack_depends_on_the_documents_that_it_cites(tmp_path: Path) -> None:
    (tmp_path / "sources.yaml").write_text(SOURCES, encoding="utf-8")
    alone, beside = load_stack("low_tide").graph, load_stack("low_tide", [tmp_path]).graph
    assert alone is not None
    assert beside is not None
    assert [each.prefix for each in alone.documents] == ["LT"]
    assert alone.hash == beside.hash
