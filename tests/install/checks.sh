# Counts test cases, for the scripts validate-* of this folder, which source it.
# shellcheck shell=bash

passed=0 failed=0

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

# What the scripts end with: a line for .ci/run, and the exit code.
conclude() {
  echo "$passed passed, $failed failed, 0 skipped"
  ((failed == 0))
}
