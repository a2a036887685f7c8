"""One diagnostic, four renderings; each returns text or plain data and prints nothing."""
