# tkscid scid_tournaments.tcl DATABASE: the tournaments that Scid finds, a line for each:
#
#   site event players games name points
#
# separated by tabs. Name and points are those of the best player.
proc ::progressCallBack {args} {}
set base [sc_base open [lindex $argv 0]]
sc_base switch $base
foreach found [sc_base tournaments $base dbfilter 1000000] {
  lassign $found date site event players games elo first name best points
  puts [join [list $site $event $players $games $name $points] \t]
}
