"""The example runner: compares answers with expectations and records which rules and cells each example reads."""
