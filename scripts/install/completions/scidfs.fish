# TAB for scidfs, scidfs-book, scidfs-get, scidfs-import, scidfs-pack and scidfs-serve in fish.

# Prints the options of a list after -o with their meanings.
function __scidfs_options
  printf 'comments=%s\tshow comments\n' yes no
  printf 'variations=%s\tshow variations\n' yes no
  printf 'nags=%s\tshow annotation glyphs\n' yes no
  printf 'null_moves=%s\tshow null moves as moves or as comments\n' keep comment
  printf 'width=\tcolumns of movetext; 0: one line\n'
  printf 'opening=%s\tshow names of openings as tags\n' tag none
  printf 'encoding=%s\tcode page of texts and of names in zip files\n' 1252 1251 866 437 932
  printf 'deleted=%s\tshow deleted games among the others\n' hide show
  printf 'order=%s\torder of the games of an event\n' database round
  printf 'tags=%s\ttags to show\n' roster all
  printf 'csv=%s\thow tables NAME.csv are written\n' plain excel
  printf 'me=\twho you are, as in player=NAME\n'
  printf 'pages=%s\thave pages for browsers\n' yes no list
  printf 'pgn=%s\tshow PGN files as databases\n' yes no
  printf 'together=%s\tshow the databases of a folder as one\n' auto list all no
  printf 'spelling=%s\tfile with all names of people\n' auto none
  printf 'fide=%s\tlist of players of FIDE\n' auto none
  printf 'people=%s\thow to tell which person a name means\n' evidence scid
  printf 'eco=%s\tfile with names of openings\n' auto none
  printf 'cache=\tmemory for decoded text\n'
  printf 'answers=\tmemory for results of searches\n'
  printf 'questions=\tmemory for files while they are made\n'
  printf 'index=%s\twhen to measure the sizes of games\n' auto wait background none
  printf 'source=%s\twhether SOURCE is on a network\n' auto local remote
  printf 'threads=\tthreads that decode\n'
  printf 'cache_dir=%s\twhere sizes are saved between mounts\n' none
  printf 'pgn_cache=\troom for the games of PGN files\n'
  printf 'index_cache=\troom for index files\n'
  printf 'unpack=%s\twhere to keep the unpacked contents of archives\n' auto memory file
  printf 'patience=\thow long to wait for files that do not fit together\n'
  printf 'uid=\towner of all files\n'
  printf 'gid=\tgroup of all files\n'
  printf 'umask=\tpermissions removed\n'
  printf 'fmask=\tpermissions removed from files\n'
  printf 'dmask=\tpermissions removed from folders\n'
  printf 'allow_other\tlet other users in\n'
  printf 'allow_root\tlet root in\n'
  printf 'follow\talso follow links out of SOURCE\n'
  printf 'sandbox=%s\trestrict what the process may do\n' auto strict off
  printf 'run_as=\tfor root: the user that the daemon runs as\n'
  printf 'fsname=\tthe name in df and mount\n'
  printf 'subtype=\tthe type is fuse.NAME\n'
  printf 'nonempty\tdo not warn if MOUNTPOINT is not empty\n'
  printf 'debug\tthe same as -d\n'
end

# The same after the text up to the last comma, which stays.
function __scidfs_list
  set -l before (string match -r '^(?:-o)?(.*,)' -- (commandline -ct))[2]
  for option in (__scidfs_options)
    echo "$before$option"
  end
end

complete -c scidfs -s h -l help -d 'print this text'
complete -c scidfs -s V -l version -d 'print the version'
complete -c scidfs -s f -d 'stay in the foreground, with messages on the terminal'
complete -c scidfs -s d -d 'print every request as well (implies -f)'
complete -c scidfs -s s -d 'answer one request at a time'
complete -c scidfs -s o -x -a '(__scidfs_list)' -d 'mount options, listed below; may be repeated'
complete -c scidfs -s u -d 'mount nothing: unmount what shows the source'
complete -c scidfs -n __fish_use_subcommand -a 'book check get import mount pack serve' -d command
complete -c scidfs -l check -d 'mount nothing: print what is damaged'
complete -c scidfs -l verbose -d 'with --check: print all findings'

complete -c scidfs-book -n __fish_use_subcommand -f -a 'dump build'
complete -c scidfs-book -s o -r -d 'the book, with or without its folder'
complete -c scidfs-book -l plies -x -a 'all' -d 'half-moves taken of each game'
complete -c scidfs-book -l min-elo -x -d 'both players have at least this Elo'
complete -c scidfs-book -l min-strong-elo -x -d 'the stronger player has at least this Elo'
complete -c scidfs-book -l min-white-elo -x -d 'White has at least this Elo'
complete -c scidfs-book -l min-black-elo -x -d 'Black has at least this Elo'
complete -c scidfs-book -l links -d 'also list moves that were never played'
complete -c scidfs-book -l caption -x -d 'a short description'
complete -c scidfs-book -l code-page -x -a '1252 1251 utf-8' -d 'code page of the names of players'
complete -c scidfs-book -l byte-order -x -a 'little big' -d 'byte order of the texts'
complete -c scidfs-book -l memory -x -d 'megabytes for sorting'
complete -c scidfs-book -l threads -x -d 'threads that read games'
complete -c scidfs-book -l sandbox -x -a 'auto strict off' -d 'what the process may do'
complete -c scidfs-book -s h -l help -d 'print this text'
complete -c scidfs-book -s V -l version -d 'print the version'

# Prints the words after the command of scidfs-get that are no options: the source first.
function __scidfs_get_words
  set -l words (commandline -opc)[3..-1]
  while set -q words[1]
    if test "$words[1]" = -o
      set -e words[1]
    else if not string match -q -- '-*' $words[1]
      printf '%s\n' $words[1]
    end
    set -e words[1]
  end
end

# Prints the names of the source at the current word, as paths.
function __scidfs_get_paths
  set -l source (__scidfs_get_words)[1]
  set -l folder (string match -r '^.*/' -- (commandline -ct))
  for name in (scidfs-get ls -p -- (string replace -r '^~(?=/|$)' $HOME -- $source) "$folder" 2>/dev/null)
    echo "$folder$name"
  end
end

complete -c scidfs-get -n 'test (count (__scidfs_get_words)) -gt 0' -f -a '(__scidfs_get_paths)'
complete -c scidfs-get -n '__fish_seen_subcommand_from cp site; and test (count (__scidfs_get_words)) -gt 0' \
  -f -a '(__fish_complete_directories (commandline -ct))'
complete -c scidfs-get -n __fish_use_subcommand -f -a 'ls cat cp site'
complete -c scidfs-get -s l -d 'with ls: also mode, size and time'
complete -c scidfs-get -s p -d 'with ls: a slash after each directory'
complete -c scidfs-get -s R -d 'with ls: also all directories below'
complete -c scidfs-get -s r -d 'with cp: directories with all that they list'
complete -c scidfs-get -l force -d 'with cp and site: overwrite files'
complete -c scidfs-get -l continue -d 'with cp and site: pass over files of the same size and time'
complete -c scidfs-get -s o -x -a '(__scidfs_list)' -d 'options of scidfs, but for those of mounts alone'
complete -c scidfs-get -s h -l help -d 'print this text'
complete -c scidfs-get -s V -l version -d 'print the version'

complete -c scidfs-import -s o -r -d 'the database to write'
complete -c scidfs-import -l append -d 'add the games to the database'
complete -c scidfs-import -l partial -d 'take whole games of files that were cut'
complete -c scidfs-import -l encoding -x -a '1252 1251 866 437 932' -d 'code page of PGN that is not UTF-8'
complete -c scidfs-import -l threads -x -d 'threads that read PGN'
complete -c scidfs-import -l sandbox -x -a 'auto strict off' -d 'what the process may do'
complete -c scidfs-import -s h -l help -d 'print this text'
complete -c scidfs-import -s V -l version -d 'print the version'

complete -c scidfs-pack -s o -r -d 'the file to write'
complete -c scidfs-pack -l force -d 'overwrite ARCHIVE if it exists'
complete -c scidfs-pack -l sandbox -x -a 'auto strict off' -d 'what the process may do'
complete -c scidfs-pack -s h -l help -d 'print this text'
complete -c scidfs-pack -s V -l version -d 'print the version'

complete -c scidfs-serve -l listen -x -d 'where to answer'
complete -c scidfs-serve -l base -x -d 'the path at which the site begins'
complete -c scidfs-serve -l proxy -x -d 'the address of a proxy, which names its clients'
complete -c scidfs-serve -l open -d 'open the site in the browser'
complete -c scidfs-serve -s o -x -a '(__scidfs_list)' -d 'options of scidfs, but for those of mounts alone'
complete -c scidfs-serve -s h -l help -d 'print this text'
complete -c scidfs-serve -s V -l version -d 'print the version'
