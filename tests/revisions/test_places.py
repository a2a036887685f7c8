"""`resolve_path` equals the method `resolve` of a path, whether the file, its folder or a folder above is a link."""

from pathlib import Path

from rulewright.checks.revisions.resolved_paths import resolve_path


def test_links_are_resolved(tmp_path: Path) -> None:
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "real" / "inner" / "a.rules").write_text("# a\n")
    (tmp_path / "real" / "inner" / "b.rules").symlink_to(tmp_path / "real" / "elsewhere.rules")
    (tmp_path / "real" / "elsewhere.rules").write_text("# b\n")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "in").symlink_to(tmp_path / "real" / "inner")
    folders: dict[str, str] = {}
    names = ["a.rules", "b.rules", "missing.rules"]
    paths = [tmp_path / top / name for top in ("real/inner", "link/inner", "link/in", "real/in") for name in names]
    assert [resolve_path(path, folders) for path in paths] == [str(path.resolve()) for path in paths]
    assert len({resolve_path(path, folders) for path in paths}) == 3
    assert len(folders) == 4
