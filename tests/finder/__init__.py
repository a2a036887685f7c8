"""The finder of questions: from words of players to complete questions with their answers."""
