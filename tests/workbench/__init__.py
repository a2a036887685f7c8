"""The page: its server, who it answers, and what people see of it."""
