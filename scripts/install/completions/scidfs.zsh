#compdef scidfs scidfs-book scidfs-get scidfs-import scidfs-pack scidfs-serve
# TAB for scidfs, scidfs-book, scidfs-get, scidfs-import, scidfs-pack and scidfs-serve in zsh.

local curcontext=$curcontext state line
typeset -A opt_args
case $service in
  scidfs)
    _arguments -S -s \
      '(-h --help)'{-h,--help}'[print this text]' \
      '(-V --version)'{-V,--version}'[print the version]' \
      '-f[stay in the foreground, with messages on the terminal]' \
      '-d[print every request as well (implies -f)]' \
      '-s[answer one request at a time]' \
      '*-o+[mount options, listed below; may be repeated]:options:->list' \
      '-u[mount nothing\: unmount what shows the source]' \
      '--check[mount nothing\: print what is damaged]' \
      '--verbose[with --check\: print all findings]' \
      '1:source:_files -g "*.(si3|si4|si5|scv|ive|kob|zip|pgn|pgn.gz|pgn.zst|pgn.bz2|pgn.xz)(-.)"' \
      '2:mount point:_files -/'
    ;|
  scidfs-get)
    _arguments -S -s \
      '-l[with ls\: also mode, size and time]' \
      '-p[with ls\: a slash after each directory]' \
      '-R[with ls\: also all directories below]' \
      '-r[with cp\: directories with all that they list]' \
      '--force[with cp and site\: overwrite files]' \
      '--continue[with cp and site\: pass over files of the same size and time]' \
      '*-o+[options of scidfs, but for those of mounts alone]:options:->list' \
      '(-h --help)'{-h,--help}'[print this text]' \
      '(-V --version)'{-V,--version}'[print the version]' \
      '1:command:(ls cat cp site)' \
      '2:source:_files' \
      '*:path or target:->path'
    ;|
  scidfs-get)
    if [[ $state == path ]]; then
      local -a names
      local source=${(Q)line[2]} folder=${PREFIX%"${PREFIX##*/}"}
      [[ $source != '~'(|/*) ]] || source=$HOME${source#\~}
      names=(${(f)"$(_call_program paths scidfs-get ls -p -- ${(q)source} ${(qq)folder} 2> /dev/null)"})
      compset -P '*/'
      compadd -S / -- ${${(M)names:#*/}%/}
      compadd -- ${names:#*/}
      [[ $line[1] != (cp|site) ]] || _files -/
    fi
    ;|
  scidfs-serve)
    _arguments -S -s \
      '--listen=[where to answer]:ADDRESS\:PORT: ' \
      '--base=[the path at which the site begins]:PATH: ' \
      '--proxy=[the address of a proxy, which names its clients]:ADDRESS: ' \
      '--open[open the site in the browser]' \
      '*-o+[options of scidfs, but for those of mounts alone]:options:->list' \
      '(-h --help)'{-h,--help}'[print this text]' \
      '(-V --version)'{-V,--version}'[print the version]' \
      '1:source:_files -g "*.(si3|si4|si5|scv|ive|kob|zip|pgn|pgn.gz|pgn.zst|pgn.bz2|pgn.xz)(-.)"'
    ;|
  scidfs | scidfs-get | scidfs-serve)
    if [[ $state == list ]]; then
      _values -s , 'option' \
        'comments[show comments]:yes|no:(yes no)' \
        'variations[show variations]:yes|no:(yes no)' \
        'nags[show annotation glyphs]:yes|no:(yes no)' \
        'null_moves[show null moves as moves or as comments]:keep|comment:(keep comment)' \
        'width[columns of movetext; 0\: one line]:N: ' \
        'opening[show names of openings as tags]:tag|none:(tag none)' \
        'encoding[code page of texts and of names in zip files]:N[\:PATH]:(1252 1251 866 437 932)' \
        'deleted[show deleted games among the others]:hide|show:(hide show)' \
        'order[order of the games of an event]:database|round:(database round)' \
        'tags[tags to show]:roster|all:(roster all)' \
        'csv[how tables NAME.csv are written]:plain|excel:(plain excel)' \
        'me[who you are, as in player=NAME]:NAME: ' \
        'pages[have pages for browsers]:yes|no|list:(yes no list)' \
        'pgn[show PGN files as databases]:yes|no:(yes no)' \
        'together[show the databases of a folder as one]:auto|list|all|no:(auto list all no)' \
        'spelling[file with all names of people]:FILE|auto|none:{compadd auto none; _files}' \
        'fide[list of players of FIDE]:FILE|auto|none:{compadd auto none; _files}' \
        'people[how to tell which person a name means]:evidence|scid:(evidence scid)' \
        'eco[file with names of openings]:FILE|auto|none:{compadd auto none; _files}' \
        'cache[memory for decoded text]:SIZE: ' \
        'answers[memory for results of searches]:SIZE: ' \
        'questions[memory for files while they are made]:SIZE: ' \
        'index[when to measure the sizes of games]:when:(auto wait background none)' \
        'source[whether SOURCE is on a network]:auto|local|remote:(auto local remote)' \
        'threads[threads that decode]:N: ' \
        'cache_dir[where sizes are saved between mounts]:PATH|none:{compadd none; _files -/}' \
        'pgn_cache[room for the games of PGN files]:SIZE: ' \
        'index_cache[room for index files]:SIZE: ' \
        'unpack[where to keep the unpacked contents of archives]:where:(auto memory file)' \
        'patience[how long to wait for files that do not fit together]:SECONDS: ' \
        'uid[owner of all files]:N: ' \
        'gid[group of all files]:N: ' \
        'umask[permissions removed]:OCTAL: ' \
        'fmask[permissions removed from files]:OCTAL: ' \
        'dmask[permissions removed from folders]:OCTAL: ' \
        'allow_other[let other users in]' \
        'allow_root[let root in]' \
        'follow[also follow links out of SOURCE]' \
        'sandbox[restrict what the process may do]:auto|strict|off:(auto strict off)' \
        'run_as[for root\: the user that the daemon runs as]:USER:_users' \
        'fsname[the name in df and mount]:NAME: ' \
        'subtype[the type is fuse.NAME]:NAME: ' \
        'nonempty[do not warn if MOUNTPOINT is not empty]' \
        'debug[the same as -d]'
    fi
    ;;
  scidfs-book)
    _arguments -S -s \
      '-o+[the book, with or without its folder]:NAME:_files' \
      '--plies=[half-moves taken of each game]:N|all:(all)' \
      '--min-elo=[both players have at least this Elo]:N: ' \
      '--min-strong-elo=[the stronger player has at least this Elo]:N: ' \
      '--min-white-elo=[White has at least this Elo]:N: ' \
      '--min-black-elo=[Black has at least this Elo]:N: ' \
      '--links[also list moves that were never played]' \
      '--caption=[a short description]:TEXT: ' \
      '--code-page=[code page of the names of players]:1252|1251|utf-8:(1252 1251 utf-8)' \
      '--byte-order=[byte order of the texts]:little|big:(little big)' \
      '--memory=[megabytes for sorting]:N: ' \
      '--threads=[threads that read games]:N: ' \
      '--sandbox=[what the process may do]:auto|strict|off:(auto strict off)' \
      '(-h --help)'{-h,--help}'[print this text]' \
      '(-V --version)'{-V,--version}'[print the version]' \
      '1:command:(dump build)' \
      '*:file:_files'
    ;;
  scidfs-import)
    _arguments -S -s \
      '-o+[the database to write]:DATABASE:_files' \
      '--append[add the games to the database]' \
      '--partial[take whole games of files that were cut]' \
      '--encoding=[code page of PGN that is not UTF-8]:N:(1252 1251 866 437 932)' \
      '--threads=[threads that read PGN]:N: ' \
      '--sandbox=[what the process may do]:auto|strict|off:(auto strict off)' \
      '(-h --help)'{-h,--help}'[print this text]' \
      '(-V --version)'{-V,--version}'[print the version]' \
      '*:file:_files'
    ;;
  scidfs-pack)
    _arguments -S -s \
      '-o+[the file to write]:ARCHIVE:_files' \
      '--force[overwrite ARCHIVE if it exists]' \
      '--sandbox=[what the process may do]:auto|strict|off:(auto strict off)' \
      '(-h --help)'{-h,--help}'[print this text]' \
      '(-V --version)'{-V,--version}'[print the version]' \
      '*:file:_files'
    ;;
esac
