"""Six mistakes, planted in rules of Rulewright and of other rule engines."""
