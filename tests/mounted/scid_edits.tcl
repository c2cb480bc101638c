# tkscid scid_edits.tcl DATABASE FOLDER SECONDS PGN...: works on a database as somebody at Scid does.
#
# After each step that Scid has written down, the files are copied to FOLDER as N.si4, N.sn4 and N.sg4,
# then an empty file N.done is made. Prints the number of steps of each kind.
set path [lindex $argv 0]
set folder [lindex $argv 1]
set end [expr {[clock milliseconds] + 1000 * [lindex $argv 2]}]
set pgns [lrange $argv 3 end]
expr {srand(1)}
proc below {n} { expr {int(rand() * $n)} }

set base [sc_base open $path]
set version 0
while {[clock milliseconds] < $end} {
  set games [sc_base numGames $base]
  set game [expr {1 + [below $games]}]
  set kind [lindex {import delete flag flag tags comment comment add reopen compact} [below 10]]
  if {$games > 400 && $kind in {import add}} { set kind delete }
  switch $kind {
    import { sc_base import $base [lindex $pgns [below [llength $pgns]]] }
    delete { sc_base gameflag $base $game set del }
    flag { sc_base gameflag $base $game invert user }
    tags - comment - add {
      sc_game load $game
      if {$kind eq "comment"} {
        sc_pos setComment [string repeat "step $version " [below 40]]
      } else {
        sc_game tags set -white "Player, [below 1000]" -event "Event [below 50]"
      }
      sc_game save [expr {$kind eq "add" ? 0 : $game}] $base
    }
    reopen {
      sc_base close $base
      set base [sc_base open $path]
    }
    compact {
      # Enough of them to make it worth while.
      if {$games > 200} {
        for {set i 1} {$i <= $games - 150} {incr i} { set doomed([expr {1 + [below $games]}]) 1 }
        foreach i [array names doomed] {
          sc_base gameflag $base $i set del
          incr version
          foreach e {si4 sn4 sg4} { file copy -force $path.$e $folder/$version.$e }
          close [open $folder/$version.done w]
        }
        array unset doomed
      }
      sc_base compact $base
    }
  }
  incr steps($kind)
  incr version
  foreach e {si4 sn4 sg4} { file copy -force $path.$e $folder/$version.$e }
  close [open $folder/$version.done w]
  after [below [expr {[below 4] == 0 ? 2000 : 150}]]
}
sc_base close $base
puts [array get steps]
