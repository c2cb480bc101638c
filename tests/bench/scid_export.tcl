# tkscid scid_export.tcl DATABASE FILE: all games as PGN by Scid's own exporter.
set base [sc_base open [lindex $argv 0]]
sc_filter export $base dbfilter N+ [lindex $argv 1] PGN
