"""The pages of docs/ show the output that their commands have."""
