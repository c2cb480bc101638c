# tkscid scid_positions.tcl DATABASE QUESTIONS times|answers: asks Scid who came to positions.
#
# Each line of QUESTIONS is `board FEN`, with a FEN of two fields (board and side to move), or
# `material OPTIONS`, for Scid's search for material. With "times" prints for each how many games were
# found and the microseconds that it took (opening the database is not in it); for a board also those
# of the search that Scid's tree window makes, and of the window's table. With "answers" two lines: the
# numbers of the games, a blank before each; and the moves of a board, each with its games, those that
# White won, drew and lost, and a comma. For what Scid takes for no position, a line with `?`.
proc ::progressCallBack {args} {}
set base [sc_base open [lindex $argv 0]]
sc_base switch $base
set games [sc_base numGames $base]

# Appends the microseconds that a command takes to the times. Returns what it returns.
proc timed {command} {
  set start [clock microseconds]
  set answer [uplevel #0 $command]
  lappend ::times [expr {[clock microseconds] - $start}]
  return $answer
}

set file [open [lindex $argv 1]]
while {[gets $file line] >= 0} {
  set asked [string range $line [string first " " $line]+1 end]
  set times {}
  set table {}
  if {[string match "board *" $line]} {
    if {[catch {sc_game startBoard "$asked - - 0 1"}]} {
      puts "?"
      continue
    }
    timed {sc_search board RESET Exact false 0}
    timed {sc_filter search $base tree board}
    set table [timed {sc_filter treestats $base tree}]
  } else {
    timed "sc_search material -filter RESET $asked"
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
  foreach move $table {
    # "[end]" is no move.
    if {![string match {\[*} [lindex $move 0]]} { append moves [lrange $move 0 4] "," }
  }
  puts $moves
}
