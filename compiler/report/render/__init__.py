"""Four renderings of a diagnostic; each returns text or plain data and prints nothing."""
