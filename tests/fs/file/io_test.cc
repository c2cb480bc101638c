#include "fs/file/io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <numeric>
#include <string>
#include <vector>

#include "fs/file/nameless_file.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(FileError, MapsErrnoToStatusCode) {
  const auto code = [](int error) { return file_error("open", "x.si4", error).code(); };
  EXPECT_EQ(code(ENOENT), absl::StatusCode::kNotFound);
  EXPECT_EQ(code(ENOTDIR), absl::StatusCode::kNotFound);
  EXPECT_EQ(code(EEXIST), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(code(EACCES), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(code(EROFS), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(code(ESTALE), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(code(ENOMEM), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code(ENOSPC), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code(EFBIG), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(code(EIO), absl::StatusCode::kDataLoss);
  EXPECT_EQ(file_error("open", "x.si4", EIO).message(), "Cannot open x.si4: Input/output error");
}

TEST(FileError, TooLargeFileMentionsUlimit) {
  EXPECT_EQ(file_error("write", "x.si4", EFBIG).message(),
            "Cannot write x.si4: File too large (see ulimit -f)");
}

TEST(FileError, TooManyOpenFilesMentionUlimit) {
  for (const int error : {EMFILE, ENFILE}) {
    const absl::Status status = file_error("open", "x.si4", error);
    EXPECT_TRUE(absl::IsResourceExhausted(status));
    EXPECT_THAT(std::string(status.message()), EndsWith("(see ulimit -n)"));
  }
}

TEST(Io, WrittenBytesAreReadBack) {
  const tests::TemporaryFolder folder;
  const absl::StatusOr<Descriptor> file = open_nameless(folder.path());
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::vector<std::uint8_t> bytes(300'000);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  ASSERT_TRUE(write_fully(file->get(), 10, bytes, "it").ok());
  std::vector<std::uint8_t> read(bytes.size());
  ASSERT_TRUE(read_fully(file->get(), 10, read, "it").ok());
  EXPECT_EQ(read, bytes);
  read.resize(bytes.size() + 100);
  EXPECT_EQ(read_up_to(file->get(), 10, read, "it").value_or(0), bytes.size());
  const absl::Status beyond = read_fully(file->get(), 10, read, "it");
  EXPECT_EQ(beyond,
            absl::DataLossError("Cannot read 300100 bytes at 10 of it: the file ends before"));
}

TEST(Io, ErrorsNameTheFile) {
  std::array<std::uint8_t, 1> byte{};
  EXPECT_THAT(std::string(read_fully(-1, 0, byte, "x").message()),
              HasSubstr("Cannot read 1 bytes at 0 of x: Bad file descriptor"));
  EXPECT_EQ(write_fully(-1, 0, byte, "x").message(), "Cannot write x: Bad file descriptor");
  EXPECT_EQ(open_nameless("/none/such").status().message(),
            "Cannot write into /none/such: No such file or directory");
}

}  // namespace
}  // namespace scidfs::fs
