"""One page a code: the documentation, the fixture and the expected report in one file."""
