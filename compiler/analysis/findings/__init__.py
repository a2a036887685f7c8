"""The findings of proofs and checks, one a file or a family of them, each with its words and its check."""
