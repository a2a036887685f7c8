"""Changes described as values, and the layers written for them."""
