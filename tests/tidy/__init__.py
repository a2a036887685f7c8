"""The conventions of this repository, as tests."""
