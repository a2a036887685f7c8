"""The adapter for programs that learn: situations as environments of PettingZoo, and as arrays of many games."""
