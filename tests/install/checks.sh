# Counts test cases, for the scripts validate-* of this folder, which source it.
# shellcheck shell=bash

passed=0 failed=0 skipped=0
# Names and pages have characters beyond ASCII.
export LC_ALL=C.UTF-8

# check WHAT COMMAND...: a test case. WHAT says what is wrong if COMMAND fails.
check() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "${0##*/}: $what" >&2
    failed=$((failed + 1))
  fi
}

# says_nothing COMMAND...: whether COMMAND succeeds without a word; what it says is printed.
says_nothing() {
  local output status=0
  output=$("$@" 2>&1) || status=$?
  [[ -z $output ]] || printf '%s\n' "$output"
  ((status == 0)) && [[ -z $output ]]
}

# What the scripts end with: a line for .ci/run, and the exit code.
conclude() {
  echo "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0))
}
