# A mount for servers to serve, and what validate-nfs, validate-samba, validate-ssh and validate-http share; they
# source it. Wants root: the servers do.
# shellcheck shell=bash

# shellcheck disable=SC1091 # it is beside this script
source "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
# shellcheck source=tests/install/server_settings.sh
source "$(dirname "${BASH_SOURCE[0]}")/server_settings.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${BUILD_DIR:-$root/build}

# All folders above are root's and nobody else's to write into: sshd accepts no others. Users of servers pass through.
folder=$(mktemp -d /run/scidfs-servers.XXXXXX)
chmod 711 "$folder"
mnt=$folder/mnt/chess
mkdir -p "$mnt" "$folder/chess" "$folder/copy"
servers=()

finish() {
  local status=$?
  ((${#servers[@]} == 0)) || kill "${servers[@]}" 2> /dev/null || true
  wait
  unmount_chess 2> /dev/null || true
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT

# A source with three databases: mega has 100,000 games and 68 MB of PGN, club is there to be changed, and one lies
# below a folder that Windows would not take.
make_databases() {
  BUILD_DIR=$build "$root/scripts/build" fs/scidfs tests/multiply > "$folder/build.out" 2>&1 || {
    cat "$folder/build.out" >&2
    return 1
  }
  make_database mega 100000
  make_database club 1500
  mkdir "$folder/chess/what: a folder."
  make_database "what: a folder./aux" 100
}

# make_database NAME GAMES [REFERENCE]: writes a database of so many games aside and puts it there, with the time of
# another file if there is one.
make_database() {
  local extension
  mkdir -p "$folder/new"
  "$build/tests/multiply" "$root/tests/data/sample/sample" "$2" "$folder/new/new"
  [[ -z ${3:-} ]] || touch -r "$3" "$folder"/new/new.*
  for extension in sn4 sg4 si4; do mv "$folder/new/new.$extension" "$folder/chess/$1.$extension"; done
}

# mount_chess [OPTIONS]: as the manual page has it, but for the user, who is a daemon's here.
mount_chess() {
  "$build/fs/scidfs" "$folder/chess" "$mnt" -o "${1:-allow_other},run_as=daemon,cache_dir=none,patience=0" 2> "$folder/mount.out" || {
    cat "$folder/mount.out" >&2
    return 1
  }
}

# Also where nobody may look.
is_mounted() { grep -qF " $mnt fuse.scidfs " /proc/self/mounts; }
unmounted() { ! is_mounted; }

# Also waits for the daemon's end: its mount has a device number, which is free then.
unmount_chess() {
  local daemons i
  daemons=$(daemons_of_mount)
  fusermount3 -u -z "$mnt"
  for ((i = 0; i < 100; ++i)); do
    [[ -n $daemons && $(daemons_of_mount) == "$daemons" ]] || return 0
    sleep 0.05
  done
}

# The numbers of the processes that serve the mount, without the guardian.
daemons_of_mount() {
  local process words
  for process in /proc/[0-9]*; do
    mapfile -d '' -t words < "$process/cmdline" || continue
    [[ $(< "$process/comm") != scidfs-guardian ]] || continue
    [[ ${words[0]:-} != "$build/fs/scidfs" || ${words[2]:-} != "$mnt" ]] || echo "${process#/proc/}"
  done 2> /dev/null
}

# change_club GAMES [REFERENCE]: another version of club, as make_database has it, and whether the mount shows it.
change_club() {
  local before
  before=$(stat -c %i "$mnt/club.si4/all.pgn")
  make_database club "$@"
  eventually differs_from "$before" stat -c %i "$mnt/club.si4/all.pgn"
}
differs_from() { [[ $("${@:2}") != "$1" ]]; }

# eventually COMMAND...: whether it succeeds within ten seconds.
eventually() {
  local i
  for ((i = 0; i < 100; ++i)); do
    if "$@" 2> /dev/null; then return 0; fi
    sleep 0.1
  done
  return 1
}

# free_ports COUNT: ports of this machine that nobody listens at.
free_ports() {
  python3 -c '
import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(each.getsockname()[1] for each in sockets))' "$1"
}

# from_page FILE: the configuration that scidfs-export(7) gives for a file, with the mount of the test.
from_page() {
  local text
  text=$(awk -v file="$1" '
    index($0, file) { found = 1 }
    /^```/ && found { if (inside) exit; inside = 1; next }
    inside' <(sed 's/\\\(.\)/\1/g' "$root/scripts/install/man/scidfs-export.7.scd"))
  [[ -n $text ]] || { echo "${0##*/}: scidfs-export(7) says nothing of $1" >&2; return 1; }
  printf '%s\n' "${text//\/mnt/$folder/mnt}"
}

# for_http FILE: one of tests/install/http, with the mount of the test and its explorer.lua.
for_http() {
  local text
  text=$(< "$root/tests/install/http/$1")
  text=${text//\/mnt/$folder/mnt}
  printf '%s\n' "${text//\/etc\/scidfs-explorer.lua/$folder/explorer.lua}"
}

# serve NAME COMMAND...: starts a server that stays in the foreground.
serve() {
  local name=$1
  shift
  "$@" > "$folder/$name.out" 2>&1 < /dev/null &
  servers+=($!)
}

# Ends the server that was started last.
stop_last() {
  kill "${servers[-1]}"
  wait "${servers[-1]}" || true
  unset 'servers[-1]'
}

# answers NAME COMMAND...: whether COMMAND succeeds within 30 seconds; else what the server had to say.
answers() {
  local name=$1 i
  shift
  for ((i = 0; i < 150; ++i)); do
    if "$@" > /dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  tail -n 20 "$folder/$name".{out,log} >&2 || true
  return 1
}

# What every server has to give byte by byte: large files, a game by its number alone, paths that are listed nowhere,
# names that end in dots or hold what URLs and shells treat in their own way.
# shellcheck disable=SC2034,SC2054 # for whoever sources this
shared_files=(mega.si4/all.pgn mega.si4/index.tsv mega.si4/games/12345.pgn mega.si4/tree/e4/c5/moves.txt
  "mega.si4/players/Kasparov,_Gary/search/eco=B/summary.txt" mega.si4/search/elo=2600../summary.txt
  club.si4/games/00000/00000015-Philidor,_Francois_Andre_Dani-Analysis%5C_Analyse-1749-1-0.pgn
  "what: a folder./aux.si4/info.txt")
