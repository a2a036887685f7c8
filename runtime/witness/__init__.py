"""Look for positions: where rules clash or fall silent, and where two stacks answer differently."""
