"""Players: functions from a position and its legal options to one of them."""
