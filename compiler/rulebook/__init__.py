"""The printed book, made from the graph that the runtime runs: nothing in it is written twice."""
