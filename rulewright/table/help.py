"""What `?` shows."""

HELP = """\
Type what you want to do: an action, a piece, a hex, or the number beside it; several in one line.

  drive m4-2.1 0803     an action, then what it asks for, one after the other
  m4-2.1 0803           the same: whatever can be done with that piece and that hex
  0803 0804 .           go on, hex by hex; `.` (or `end`) when there is no more of this
  m4                    any of several alike; `0803` also names the piece that stands there
  rifle-1.1 hmg-1.2     for a set, all of it in one line; `all` for all of them

Nothing of a line is done unless all of it can be done; a line never reaches past a die.

  why m4-2.1 0803       why that is not open: the rule, its paragraph, and what is in its way
  look 0803             what is in a hex; `look m4-2.1`: all about a piece
  units                 your pieces, and what you see of the others'; `units german`
  map                   the map; `map 0803` around a hex that is too far off the screen
  log                   what happened since this phase began; `log all` since the beginning
  list                  what is open, every option with its number
  hint                  what the greedy player would do
  auto                  let the greedy player finish this phase for you, such as a long set-up
  undo                  take back your last line (in this phase, never across a die or a secret)
  draw FILE.svg         draw the position; `.png` needs the extra `pictures`
  save FILE             copy the game so far; it is written down as it goes anyhow
  quit                  leave; `play --resume` goes on from here
"""
