"""Convert problems to diagnostics, in four renderings; the only package that formats findings as sentences."""
