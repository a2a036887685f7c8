"""One page for each code: documentation, fixture and expected report in one file."""
