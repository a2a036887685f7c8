"""The differences between two stacks, or between two readings of one."""
