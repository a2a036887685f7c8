"""The printed book: pages made from small invented games."""
