# TAB for scidfs, scidfs-book, scidfs-get, scidfs-import, scidfs-pack and scidfs-serve in bash, with its bash-completion.

# Offers those of some words that begin as the current one.
_scidfs_offer() {
  COMPREPLY+=($(compgen -W "$1" -- "$cur"))
}

# Offers an option of a list after -o, or its values. readline takes the text after the last = for
# the word.
_scidfs_list() {
  local word=$cur item=${cur##*,} before
  [[ $COMP_WORDBREAKS != *=* ]] || word=${cur##*=}
  before=${word%"$item"}
  local cur=$item
  if [[ $item == *=* ]]; then
    cur=${item#*=}
    [[ $COMP_WORDBREAKS == *=* ]] && before='' || before=${word%"$cur"}
    case ${item%%=*} in
      comments | variations | nags) _scidfs_offer 'yes no' ;;
      null_moves) _scidfs_offer 'keep comment' ;;
      opening) _scidfs_offer 'tag none' ;;
      encoding) _scidfs_offer '1252 1251 866 437 932' ;;
      deleted) _scidfs_offer 'hide show' ;;
      order) _scidfs_offer 'database round' ;;
      tags) _scidfs_offer 'roster all' ;;
      csv) _scidfs_offer 'plain excel' ;;
      pages) _scidfs_offer 'yes no list' ;;
      pgn) _scidfs_offer 'yes no' ;;
      together) _scidfs_offer 'auto list all no' ;;
      people) _scidfs_offer 'evidence scid' ;;
      spelling | fide | eco) _filedir; _scidfs_offer 'auto none' ;;
      index) _scidfs_offer 'auto wait background none' ;;
      source) _scidfs_offer 'auto local remote' ;;
      cache_dir) _filedir -d; _scidfs_offer 'none' ;;
      unpack) _scidfs_offer 'auto memory file' ;;
      sandbox) _scidfs_offer 'auto strict off' ;;
      run_as) COMPREPLY=($(compgen -u -- "$cur")) ;;
    esac
  else
    _scidfs_offer 'comments= variations= nags= null_moves= width= opening= encoding= deleted= order=
      tags= csv= me= pages= pgn= together= spelling= fide= people= eco= cache= answers= questions= index=
      source= threads= cache_dir= pgn_cache= index_cache= unpack=
      patience= uid= gid= umask= fmask= dmask= allow_other allow_root follow
      sandbox= run_as= fsname= subtype= nonempty debug'
    [[ ${COMPREPLY[*]-} != *= ]] || compopt -o nospace
  fi
  [[ -z $before ]] || COMPREPLY=("${COMPREPLY[@]/#/$before}")
}

# Offers folders, and files that can be shown.
_scidfs_source() {
  _filedir '@(si3|si4|si5|scv|ive|kob|zip|pgn|pgn.gz|pgn.zst|pgn.bz2|pgn.xz)'
}

_scidfs() {
  local cur prev words cword
  _init_completion -n = || return
  if [[ $prev == -o ]]; then
    _scidfs_list
  elif [[ $cur == -o?* ]]; then
    cur=${cur#-o}
    _scidfs_list
    [[ $cur == *=* && $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/-o}")
  elif [[ $cur == -* ]]; then
    _scidfs_offer '-h --help -V --version -f -d -s -u -o --check --verbose'
  else
    _scidfs_source
    [[ -z $cur ]] || ((cword > 1)) || _scidfs_offer 'book check get import mount pack serve'
  fi
}

_scidfs_book() {
  local cur prev words cword split
  _init_completion -s || return
  case $prev in
    -o) _filedir ;;
    --plies) _scidfs_offer 'all' ;;
    --code-page) _scidfs_offer '1252 1251 utf-8' ;;
    --byte-order) _scidfs_offer 'little big' ;;
    --sandbox) _scidfs_offer 'auto strict off' ;;
    --min-elo | --min-strong-elo | --min-white-elo | --min-black-elo) ;;
    --caption | --memory | --threads) ;;
    *)
      if [[ $cur == -* ]]; then
        _scidfs_offer '-o --plies --min-elo --min-strong-elo --min-white-elo --min-black-elo --links
          --caption --code-page --byte-order --memory --threads --sandbox -h --help -V --version'
      elif ((cword == 1)); then
        _scidfs_offer 'dump build'
      else
        _filedir
      fi
      ;;
  esac
}

# Offers the names of a source at the current word.
_scidfs_path() {
  local source=${1//[\\\'\"]/} typed=${cur//[\\\'\"]/} folder='' name quoted
  [[ $source != '~' && $source != '~'/* ]] || source=$HOME${source#'~'}
  [[ $typed != */* ]] || folder=${typed%/*}/
  while IFS= read -r name; do
    name=$folder$name
    quoted=$name
    [[ $name != *[!A-Za-z0-9_.,=+@%^/~:-]* ]] || printf -v quoted %q "$name"
    [[ $name != "$typed"* ]] || COMPREPLY+=("$quoted")
  done < <(scidfs-get ls -p -- "$source" "$folder" 2> /dev/null)
  [[ ${COMPREPLY[*]-} != */ ]] || compopt -o nospace
  # readline takes the text after the last = for the word.
  [[ $cur != *=* || $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}")
}

_scidfs_get() {
  local cur prev words cword i others=()
  _init_completion -n = || return
  for ((i = 2; i < cword; i++)); do
    case ${words[i]} in
      -o) ((i += 1)) ;;
      -*) ;;
      *) others+=("${words[i]}") ;;
    esac
  done
  if [[ $prev == -o ]]; then
    _scidfs_list
  elif [[ $cur == -* ]]; then
    _scidfs_offer '-l -p -R -r --force --continue -o -h --help -V --version'
  elif ((cword == 1)); then
    _scidfs_offer 'ls cat cp site'
  elif ((${#others[@]} == 0)); then
    _scidfs_source
  else
    _scidfs_path "${others[0]}"
    [[ ${words[1]} != cp && ${words[1]} != site ]] || _filedir -d
  fi
}

_scidfs_import() {
  local cur prev words cword split
  _init_completion -s || return
  case $prev in
    -o) _filedir 'si[45]' ;;
    --encoding) _scidfs_offer '1252 1251 866 437 932' ;;
    --threads) ;;
    --sandbox) _scidfs_offer 'auto strict off' ;;
    *)
      if [[ $cur == -* ]]; then
        _scidfs_offer '-o --append --partial --encoding --threads --sandbox -h --help -V --version'
      else
        _filedir
      fi
      ;;
  esac
}

_scidfs_pack() {
  local cur prev words cword split
  _init_completion -s || return
  case $prev in
    -o) _filedir ;;
    --sandbox) _scidfs_offer 'auto strict off' ;;
    *)
      if [[ $cur == -* ]]; then
        _scidfs_offer '-o --force --sandbox -h --help -V --version'
      else
        _filedir
      fi
      ;;
  esac
}

_scidfs_serve() {
  local cur prev words cword
  _init_completion -n = || return
  case $prev in
    -o) _scidfs_list ;;
    --listen | --base | --proxy) ;;
    *)
      if [[ $cur == -* ]]; then
        _scidfs_offer '--listen --base --proxy --open -o -h --help -V --version'
      else
        _scidfs_source
      fi
      ;;
  esac
}

complete -F _scidfs scidfs
complete -F _scidfs_book scidfs-book
complete -F _scidfs_get scidfs-get
complete -F _scidfs_import scidfs-import
complete -F _scidfs_pack scidfs-pack
complete -F _scidfs_serve scidfs-serve
