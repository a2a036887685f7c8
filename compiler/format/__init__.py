"""Write what the compiler holds for people to read: rules laid out, stages printed, graphs drawn."""
