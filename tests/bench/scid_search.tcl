# tkscid scid_search.tcl DATABASE QUESTIONS [ROUNDS]: asks Scid's header search.
#
# Each line of QUESTIONS is a list of searches, each a list of its options: a game is found by any of
# them. For each line prints the microseconds that asking took (the least of ROUNDS times; opening the
# database is not in it), how many games were found, and their numbers.
set base [sc_base open [lindex $argv 0]]
set rounds [expr {[llength $argv] > 2 ? [lindex $argv 2] : 1}]
set games [sc_base numGames $base]
set file [open [lindex $argv 1]]
fconfigure $file -encoding utf-8
while {[gets $file searches] >= 0} {
  set least ""
  for {set round 0} {$round < $rounds} {incr round} {
    set start [clock microseconds]
    set filter RESET
    foreach options $searches {
      sc_filter search $base dbfilter header -filter $filter {*}$options
      set filter OR
    }
    set time [expr {[clock microseconds] - $start}]
    if {$least eq "" || $time < $least} { set least $time }
  }
  set numbers {}
  foreach {place line deleted} [sc_base gameslist $base 0 $games dbfilter N+] {
    lappend numbers [lindex $line 0]
  }
  puts "$least [llength $numbers] $numbers"
}
