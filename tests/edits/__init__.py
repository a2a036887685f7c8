"""Random single edits of the shipped rules, to test whether `diff` reports their effects under the edited names."""
