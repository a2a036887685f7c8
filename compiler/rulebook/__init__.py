"""The printed book, generated from the rule graph that the runtime executes, so that no text exists twice."""
