# tkscid scid_doubles.tcl DATABASE MORE...: has Scid look for doubles, which marks some games as deleted.
#
# Scid copies the games of further databases into the first.
#
# Names of players, years, months, results and moves are to be the same, and games of fewer than 10
# half-moves are passed over. Prints for each game that has a double its number and that of one.
proc ::progressCallBack {args} {}
set base [sc_base open [lindex $argv 0]]
foreach more [lrange $argv 1 end] {
  set other [sc_base open $more]
  sc_base copygames $other dbfilter $base
  sc_base close $other
}
sc_base switch $base
sc_base duplicates $base -players yes -colors yes -event no -site no -round no -year yes -month yes \
  -day no -result yes -eco no -moves yes -skipshort yes -comments no -variations no -delete shorter
for {set game 1} {$game <= [sc_base numGames $base]} {incr game} {
  sc_game load $game
  set other [sc_game info duplicate]
  if {$other != 0} { puts "$game $other" }
}
