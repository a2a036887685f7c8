"""Random single edits of the shipped rules, and whether `diff` lists under the right cause what they change."""
