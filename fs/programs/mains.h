// The programs, each by its main function.
#pragma once

namespace scidfs::fs {

// Each takes what main() gets, and returns the exit code. The first word says how users call the
// program, which matters to mount_main() alone: mount(8) has a name of its own for it.
int mount_main(int argc, char** argv);
int book_main(int argc, char** argv);
int get_main(int argc, char** argv);
int import_main(int argc, char** argv);
int pack_main(int argc, char** argv);
int serve_main(int argc, char** argv);

}  // namespace scidfs::fs
