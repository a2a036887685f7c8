"""Examples run line by line: what each expects, what came out, and which rules and cells it covers."""
