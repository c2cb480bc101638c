# tkscid scid_novelties.tcl DATABASE QUESTIONS: asks Scid for novelties.
#
# Each line of QUESTIONS is `copy NUMBER`, which adds a game to those that were played before, or `ask NUMBER`,
# which does the same, and prints the ply of the game's novelty against all games so far; -1 if it has none.
proc ::progressCallBack {args} {}
set base [sc_base open [lindex $argv 0]]
set clipbase 9
set file [open [lindex $argv 1]]
for {set games 1} {[gets $file line] >= 0} {incr games} {
  lassign $line what number
  sc_base copygames $base $number $clipbase
  if {$what eq "copy"} continue
  sc_base switch $clipbase
  sc_game load $games
  puts [sc_game novelty $clipbase]
}
