# tkscid scid_games.tcl DATABASE [PGN...]: makes a database of the PGN files, if there are any. Prints each of its
# games, or "corrupt", and a form feed.
proc progressCallBack {args} {}
set database [lindex $argv 0]
set pgns [lrange $argv 1 end]
if {[llength $pgns] == 0} {
  set base [sc_base open $database]
} else {
  set base [sc_base create $database]
  foreach pgn $pgns { sc_base import $base $pgn }
}
for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
  if {[catch {sc_game load $game}]} {
    puts -nonewline "corrupt\f"
  } else {
    puts -nonewline "[sc_game pgn -tags 1 -comments 1 -variations 1 -width 75]\f"
  }
}
sc_base close $base
exit
