# tkscid scid_import.tcl PGN STEM: a new Scid 4 database with the games of a PGN file, by Scid's own reader.
set base [sc_base create SCID4 [lindex $argv 1]]
sc_base import $base [lindex $argv 0]
sc_base close $base
