"""Single faults in a copy of the shipped rules, to measure whether `check` and `test` locate them."""
