"""What two stacks, or two readings of one, make otherwise."""
