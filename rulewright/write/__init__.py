"""Files of rules that rulewright writes: new packages, boards, layers of described changes, numbers, layout."""
