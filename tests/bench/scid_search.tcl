# tkscid scid_search.tcl DATABASE QUESTIONS times|numbers: asks Scid's header search.
#
# Each line of QUESTIONS is a list of searches, each a list of its options: a game is found by any of
# them. For each line prints how many games were found, and then either the microseconds that it took
# (opening the database is not in it) or the numbers of the games.
set base [sc_base open [lindex $argv 0]]
set wanted [lindex $argv 2]
set games [sc_base numGames $base]
set file [open [lindex $argv 1]]
fconfigure $file -encoding utf-8
while {[gets $file searches] >= 0} {
  set start [clock microseconds]
  set filter RESET
  foreach options $searches {
    sc_filter search $base dbfilter header -filter $filter {*}$options
    set filter OR
  }
  set answer [expr {[clock microseconds] - $start}]
  if {$wanted eq "numbers"} {
    set answer {}
    foreach {place line deleted} [sc_base gameslist $base 0 $games dbfilter N+] {
      lappend answer [lindex $line 0]
    }
  }
  puts [concat [sc_filter count $base dbfilter] $answer]
}
