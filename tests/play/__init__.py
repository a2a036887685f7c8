"""Play of rule graphs: machine, choices, players, examples."""
