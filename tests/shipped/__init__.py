"""Every stack in rules/ compiles, proves, passes its own examples, and plays the same game twice."""
