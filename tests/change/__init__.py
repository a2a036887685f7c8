"""Changes described by values, and the layers that are written for them."""
