# tkscid scid_window.tcl SCID REPORT PGN PLAYER: Scid's windows with a PGN file, as `scid PGN` opens them.
#
# Waits until the file is open, and presses the button of the header search with PLAYER as White. Writes into REPORT, a
# line each: the title of the window, whether Scid takes the file for read-only, and how many games are found.
lassign $argv scid report pgn player
set argv [list $pgn]
set argc 1

proc finish {report player} {
  if {[sc_base current] == $::clipbase_db || [sc_base numGames [sc_base current]] == 0} {
    after 200 [list finish $report $player]
    return
  }
  set base [sc_base current]
  ::search::header
  set ::sWhite $player
  .wnd_HeaderSearch.buttons.search invoke
  update
  set file [open $report w]
  puts $file [wm title .]
  puts $file [sc_base isReadOnly $base]
  puts $file [sc_filter count $base dbfilter]
  close $file
}
after 1000 [list finish $report $player]
source $scid
