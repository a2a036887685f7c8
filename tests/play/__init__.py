"""Playing graphs: machine, choices, examples."""
