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

# Keeps under a name how many microseconds a command takes. Returns what it returns.
proc timed {name command} {
  set start [clock microseconds]
  set answer [uplevel #0 $command]
  set ::times($name) [expr {[clock microseconds] - $start}]
  return $answer
}

set file [open [lindex $argv 1]]
while {[gets $file line] >= 0} {
  set asked [string range $line [string first " " $line]+1 end]
  set table {}
  if {[string match "board *" $line]} {
    if {[catch {sc_game startBoard "$asked - - 0 1"}]} {
      puts "?"
      continue
    }
    # Whichever comes second finds the processor's caches filled: now this one, now that.
    set searches {
      {timed search {sc_search board RESET Exact false 0}}
      {timed window {sc_filter search $base tree board}}
    }
    if {rand() < 0.5} { set searches [lreverse $searches] }
    foreach search $searches { eval $search }
    set table [timed table {sc_filter treestats $base tree}]
    set told "$times(search) $times(window) $times(table)"
  } else {
    timed search "sc_search material -filter RESET $asked"
    set told $times(search)
  }
  if {[lindex $argv 2] eq "times"} {
    puts "[sc_filter count $base dbfilter] $told"
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
