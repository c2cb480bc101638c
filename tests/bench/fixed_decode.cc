// Decodes a database into text a fixed number of times and prints the number of its plies: every
// run executes the same instructions, for count-instructions.
//
// usage: fixed_decode [PASSES]      (the sample; reading it takes the work of two more passes)
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "tests/bench/decoding.h"
#include "tests/support/files.h"

int main(int argc, char** argv) {
  const int passes = argc > 1 ? std::atoi(argv[1]) : 1;
  scidfs::bench::Decoding decoding(scidfs::tests::test_data("sample/sample"));
  for (int pass = 0; pass < passes; ++pass) {
    if (decoding.text() != decoding.text_size()) return EXIT_FAILURE;
  }
  fmt::print("{}\n", decoding.plies());
}
