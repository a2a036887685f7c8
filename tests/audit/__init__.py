"""What is carried out in play, held against what the rules require."""
