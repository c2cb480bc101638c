# tkscid scid_positions.tcl DATABASE POSITIONS times|answers: asks Scid who came to positions.
#
# Each line of POSITIONS is a FEN of two fields: board and side to move. With "times" prints for each
# how many games Scid's search for positions finds, the microseconds that it takes, those that the
# search of its tree window takes, and those of the window's table (opening the database is in none of
# them). With "answers" two lines: the numbers of the games, with a blank before each; and the moves,
# each with its games, those that White won, drew and lost, and a comma.
proc ::progressCallBack {args} {}
set base [sc_base open [lindex $argv 0]]
sc_base switch $base
set games [sc_base numGames $base]
set file [open [lindex $argv 1]]
while {[gets $file fen] >= 0} {
  sc_game startBoard "$fen - - 0 1"
  set times {}
  foreach action {
    {sc_search board RESET Exact false 0}
    {sc_filter search $base tree board}
    {sc_filter treestats $base tree}
  } {
    set start [clock microseconds]
    set answer [eval $action]
    lappend times [expr {[clock microseconds] - $start}]
  }
  if {[lindex $argv 2] eq "times"} {
    puts [concat [sc_filter count $base dbfilter] $times]
    continue
  }
  set numbers ""
  foreach {place line deleted} [sc_base gameslist $base 0 $games dbfilter N+] {
    append numbers " " [lindex $line 0]
  }
  puts $numbers
  set moves ""
  foreach move $answer {
    # "[end]" has no games of its own.
    if {[string match "\\\[*" [lindex $move 0]]} continue
    append moves [lrange $move 0 4] ","
  }
  puts $moves
}
