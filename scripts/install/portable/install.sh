#!/bin/sh
# Installs scidfs, or takes it away again.
#
# usage: ./install.sh [PREFIX]            (default: /usr/local for root, else ~/.local)
#        ./install.sh --remove [PREFIX]
set -eu
umask 022
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd)
remove=false
case ${1:-} in
  --remove) remove=true && shift ;;
  -*) sed -n '2,5s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
if [ $# -gt 0 ] && [ -z "$1" ]; then echo "install.sh: PREFIX is empty" >&2 && exit 2; fi
if [ "$(id -u)" = 0 ]; then prefix=${1:-/usr/local}; else prefix=${1:-$HOME/.local}; fi
$remove || mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
list=$prefix/share/doc/scidfs/installed

# remove_old: takes away an earlier version, and folders that it leaves empty.
remove_old() {
  [ -f "$list" ] || return 0
  old=$(sort -r "$list")
  echo "$old" | while IFS= read -r file; do
    case $file in
      *..*) continue ;;
      bin/* | share/*) rm -f "$prefix/$file" ;;
    esac
    folder=$(dirname "$file")
    while [ "$folder" != . ] && rmdir "$prefix/$folder" 2> /dev/null; do folder=$(dirname "$folder"); done
  done
}

if $remove; then
  if [ ! -f "$list" ]; then
    echo "install.sh: no scidfs of this script in $prefix" >&2
    exit 1
  fi
  remove_old
  echo "scidfs is gone from $prefix."
  exit
fi

files=$(cd "$here" && find bin share ! -type d | sort)
for file in $files; do
  if [ -e "$prefix/$file" ] || [ -L "$prefix/$file" ]; then
    grep -qxF "$file" "$list" 2> /dev/null && [ ! -d "$prefix/$file" ] && continue
    echo "install.sh: $prefix/$file was not installed by this script; nothing is changed" >&2
    exit 1
  fi
done
remove_old
# First, so that an installation which ends early can be taken away.
mkdir -p "$(dirname "$list")"
rm -f "$list"
{ echo "$files" && echo share/doc/scidfs/installed; } > "$list"
for file in $files; do
  mkdir -p "$prefix/$(dirname "$file")"
  rm -f "$prefix/$file.new"
  cp -P "$here/$file" "$prefix/$file.new"
  mv -f "$prefix/$file.new" "$prefix/$file"
done
echo "scidfs is in $prefix. Begin with: scidfs ~/chess, or with scidfs alone; man scidfs has the rest."
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "$prefix/bin is not in your PATH yet." ;;
esac
if [ "$(id -u)" != 0 ] && ! command -v fusermount3 > /dev/null && ! command -v fusermount > /dev/null; then
  echo "To mount, install fuse3. Without it there are: scidfs get, scidfs serve."
fi
