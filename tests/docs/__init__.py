"""The documents that users type from say what really happens."""
