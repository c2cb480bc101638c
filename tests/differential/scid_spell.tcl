# tkscid scid_spell.tcl SPELLING DATABASE...: corrects all names of the databases as sc_spell does, but
# for its bound on how many, and without its look for games that are the same. Prints each that is done.
sc_name read [lindex $argv 0]
foreach database [lrange $argv 1 end] {
  sc_base open $database
  foreach kind {player event site round} {
    sc_name correct $kind [sc_name spellcheck -max 0 $kind]
  }
  sc_base close [sc_base current]
  puts $database
}
exit
